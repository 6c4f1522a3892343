"""Indentation of documents, of some of their lines, or of a new line; lines are neither joined nor broken."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol.types import TextEdit

from ....syntax.buffer import Chunk
from ....syntax.indent.lines import Indenter
from ....syntax.indent.specs import Spec, spec_of_macro
from ....syntax.lambda_list import read_lambda_list
from ....syntax.names.meanings import MACRO
from ....syntax.names.naming import named
from ..asked import Asked
from ..fresh import fresh_lambda_list
from ..lambda_lists import own_lambda_list

_BLANK = " \t"


def formatted(asked: Asked, first: int, last: int) -> list[TextEdit]:
    """The edits that indent the lines from ``first`` to ``last``, counted from 0, and end them cleanly."""
    return [*_edits(asked, first, last)]


def indented_line(asked: Asked, line: int) -> list[TextEdit]:
    """The edit that indents a line, which may be empty."""
    document = asked.document
    start = document.lines.offset_of_line(line)
    chunk = document.chunk_before(asked.reader, start)
    if chunk is None or (chunk.toplevel.whole and chunk.end <= start):
        return []
    begin = document.text.rfind("\n", 0, chunk.start) + 1
    end_of_line = document.text.find("\n", start)
    end = max(chunk.end, end_of_line if end_of_line >= 0 else len(document.text))
    indenter = Indenter(document.text[begin:end], _Specs(asked, chunk).of)
    column = indenter.column_of_line(document.text.count("\n", begin, start))
    end = start
    while document.text[end : end + 1] and document.text[end] in _BLANK:
        end += 1
    if column is None or document.text[start:end] == " " * column:
        return []
    return [TextEdit(document.lines.range(start, end), " " * column)]


def _edits(asked: Asked, first: int, last: int) -> Iterator[TextEdit]:
    document = asked.document
    indents: dict[int, int] = {}
    texts: list[tuple[int, int]] = []
    for chunk in document.chunks(asked.reader):
        begin = document.text.rfind("\n", 0, chunk.start) + 1
        above = document.text.count("\n", 0, begin)
        if above > last:
            break
        text = document.text[begin : chunk.end]
        if above + text.count("\n") < first:
            continue
        indenter = Indenter(text, _Specs(asked, chunk).of)
        texts += [(begin + start, begin + end) for start, end in indenter.texts()]
        for line, _, column in indenter.indented(first - above, last - above):
            indents[above + line] = column
    for line in range(first, last + 1):
        start = document.lines.offset_of_line(line)
        if start > len(document.text):
            return
        end = document.text.find("\n", start)
        yield from _line(asked, start, end if end >= 0 else len(document.text), indents.get(line), texts)


def _line(
    asked: Asked, start: int, end: int, column: int | None, texts: list[tuple[int, int]]
) -> Iterator[TextEdit]:
    """The edits of one line: its indentation, and the blanks at its end unless they are in a string."""
    document = asked.document
    text = document.text[start:end].removesuffix("\r")
    blank = len(text) - len(text.lstrip(_BLANK))
    if column is not None and blank < len(text):
        yield TextEdit(document.lines.range(start, start + blank), " " * column)
    stripped = len(text.rstrip(_BLANK))
    at = start + stripped
    if stripped < len(text) and not any(begin < at < stop for begin, stop in texts):
        yield TextEdit(document.lines.range(at, start + len(text)), "")


class _Specs:
    """How the macros of the index and of open documents are indented, in the package of a form."""

    def __init__(self, asked: Asked, chunk: Chunk) -> None:
        self._asked = asked
        self._package = asked.document.package_of(asked.reader, chunk)
        self._tokens = asked.document.tokens_of(asked.reader, chunk)

    def of(self, name: str, lambda_list: str | None) -> Spec | None:
        """The specification for a macro, or for a local one with a lambda list."""
        reader = self._asked.reader
        if lambda_list is not None:
            parameters = read_lambda_list(lambda_list, self._tokens, reader.features)
            return spec_of_macro(parameters) if parameters is not None else None
        token = self._tokens.symbol(name)
        if token is None:
            return None
        symbol = named(token, self._package, reader.meanings)
        is_macro = symbol.number is not None and reader.meanings.facts(symbol).operator == MACRO
        parameters = (own_lambda_list if is_macro else fresh_lambda_list)(self._asked, symbol)
        return spec_of_macro(parameters) if parameters is not None else None
