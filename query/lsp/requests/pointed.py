"""What stands at a place in a document: a name of the index, a local name, or a new one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from ...index.written import SymbolRow
from ...questions.describe import sql as describe_sql
from ...syntax.buffer import Chunk
from ...syntax.lexemes import tokens_in
from ...syntax.names.meanings import Symbol
from ...syntax.names.naming import named
from ...syntax.walk.results import Binding, Walked
from .asked import Asked
from .fresh import fresh_definitions


@dataclass(frozen=True, slots=True)
class Global:
    """A symbol that is not local, and the extent of the token that names it, in the document.

    ``relation`` is None outside code. The symbol's number is None if the index does not have it.
    """

    symbol: Symbol
    operator: str | None
    relation: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Local:
    """A local name in a toplevel form; ``binding`` is None if what binds it is unknown."""

    binding: Binding | None
    chunk: Chunk
    start: int
    end: int


class _Placed(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def length(self) -> int: ...


_T = TypeVar("_T", bound=_Placed)


def pointed(asked: Asked, offset: int) -> Global | Local | None:
    """What stands at an offset of the document; None in white space and on parentheses."""
    document, reader = asked.document, asked.reader
    chunk = document.chunk_at(reader, offset)
    if chunk is not None:
        found = _walked(document.walked(reader, chunk), chunk, offset - chunk.start)
        if found is not None:
            return found
    return _mentioned(asked, offset)


def _mentioned(asked: Asked, offset: int) -> Global | None:
    """The symbol that the token around an offset names, in a comment or string as well as in code."""
    document, reader = asked.document, asked.reader
    package, tokens = document.package_at(reader, offset), document.tokens_at(reader, offset)
    for start, end in _tokens(document.text, offset):
        token = tokens.symbol(document.text[start:end])
        if token is not None:
            symbol = named(token, package, reader.meanings)
            if symbol.number is not None or fresh_definitions(asked, symbol):
                return Global(symbol, None, None, start, end)
    return None


def _walked(walked: Walked, chunk: Chunk, at: int) -> Global | Local | None:
    occurrence = _around(walked.occurrences, at)
    if occurrence is not None:
        start = chunk.start + occurrence.start
        return Global(
            occurrence.symbol, occurrence.operator, occurrence.relation, start, start + occurrence.length
        )
    use = _around(walked.uses, at)
    if use is not None:
        start = chunk.start + use.start
        return Local(use.binding, chunk, start, start + use.length)
    binding = _around(walked.bindings, at)
    if binding is not None:
        start = chunk.start + binding.start
        return Local(binding, chunk, start, start + binding.length)
    return None


def _around(placed: Sequence[_T], at: int) -> _T | None:
    """The one that holds an offset, or ends there; they are in the order of the text."""
    number = bisect_right(placed, at, key=lambda one: one.start)
    for one in reversed(placed[max(0, number - 2) : number]):
        if one.start <= at <= one.start + one.length:
            return one
    return None


def _tokens(text: str, offset: int) -> Iterator[tuple[int, int]]:
    """Yield the extent of the token around an offset, then without what prose or quoting puts around it."""
    for start, end in tokens_in(text, text.rfind("\n", 0, offset) + 1):
        if start > offset:
            return
        if end >= offset:
            yield start, end
            token = text[start:end].lstrip("#[{").rstrip("]}.:!?")
            if token and len(token) < end - start:
                inner = text.index(token, start)
                yield inner, inner + len(token)
            return


def written(asked: Asked, symbol: Symbol, operator: str | None) -> str | None:
    """The name of a symbol of the index as one types it; None if the index does not have it."""
    if symbol.number is None:
        return None
    for row in asked.project.index.rows(describe_sql.NAME, symbol=symbol.number):
        return SymbolRow(*row).written(asked.project.index, operator)
    return None
