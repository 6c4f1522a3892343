"""Semantic tokens: what the names in a document are, and what is not read."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lsprotocol.types import SemanticTokenModifiers as Modifiers
from lsprotocol.types import SemanticTokens, SemanticTokensDelta, SemanticTokensEdit, SemanticTokensLegend
from lsprotocol.types import SemanticTokenTypes as Types

from ....index.kinds import CLASSES, DEFINED_BY
from ....syntax.indent.hidden import hidden
from ....syntax.names.meanings import CONSTANT, LISP, MACRO, SPECIAL_OPERATOR
from ....syntax.nodes import Node
from ....syntax.tokens import KEYWORD
from ....syntax.walk.results import FUNCTION, VARIABLE, Binding, Occurrence, Walked
from ....syntax.walk.results import MACRO as LOCAL_MACRO
from ..asked import Asked

_TYPES = (
    *(Types.Macro, Types.Keyword, Types.Function, Types.Variable, Types.Class),
    *(Types.EnumMember, Types.Parameter, Types.Label, Types.Comment),
)
_MODIFIERS = (Modifiers.Definition, Modifiers.Readonly, Modifiers.Static, Modifiers.DefaultLibrary)
LEGEND = SemanticTokensLegend([one.value for one in _TYPES], [one.value for one in _MODIFIERS])
"""Keywords of Lisp are enumMember, its special operators keyword; special variables are static."""

_OF_CLASSES = frozenset(("instantiates", "handles", "tests", "inherits", "specializes"))
_OF_VARIABLES = frozenset(("references", "sets", "binds"))
_OF_KINDS = {
    "macro": Types.Macro,
    "variable": Types.Variable,
    "constant": Types.Variable,
    **dict.fromkeys((*CLASSES, "type"), Types.Class),
}
_OF_LOCALS = {FUNCTION: Types.Function, LOCAL_MACRO: Types.Macro, VARIABLE: Types.Parameter}


class _Token(NamedTuple):
    start: int
    end: int
    type: Types
    modifiers: tuple[Modifiers, ...] = ()


def tokens(asked: Asked, first: int = 0, last: int | None = None) -> list[int]:
    """The tokens of the lines from ``first`` to ``last``, in the numbers of the protocol."""
    lines = asked.document.lines
    begin = lines.offset_of_line(first)
    end = len(lines.text) if last is None else min(lines.offset_of_line(last + 1), len(lines.text))
    found = sorted(one for one in _tokens(asked, begin, end) if begin <= one.start < end)
    return [*_encoded(asked, found)]


def difference(before: Sequence[int], after: Sequence[int]) -> list[SemanticTokensEdit]:
    """The edit from one answer to the next: all that is between their common beginning and end."""
    if before == after:
        return []
    start, most = 0, min(len(before), len(after))
    while start < most and before[start] == after[start]:
        start += 1
    same = 0
    while same < most - start and before[-1 - same] == after[-1 - same]:
        same += 1
    return [SemanticTokensEdit(start, len(before) - start - same, [*after[start : len(after) - same]])]


class KnownTokens:
    """The last answer for each document, which the client knows by a number."""

    def __init__(self) -> None:
        self._number = 0
        self._known: dict[str, tuple[str, list[int]]] = {}

    def full(self, asked: Asked) -> SemanticTokens:
        """All tokens of a document."""
        return self._remembered(asked.document.uri, tokens(asked))

    def delta(self, asked: Asked, known: str) -> SemanticTokens | SemanticTokensDelta:
        """What has changed since the answer ``known``; all tokens if that is not the last one."""
        uri = asked.document.uri
        number, before = self._known.get(uri, ("", []))
        now = self._remembered(uri, tokens(asked))
        if number != known:
            return now
        return SemanticTokensDelta(difference(before, now.data), now.result_id)

    def forget(self, uri: str) -> None:
        """Forget a document that was closed."""
        self._known.pop(uri, None)

    def _remembered(self, uri: str, data: list[int]) -> SemanticTokens:
        self._number += 1
        self._known[uri] = str(self._number), data
        return SemanticTokens(data, str(self._number))


def _tokens(asked: Asked, begin: int, end: int) -> Iterator[_Token]:
    document, reader = asked.document, asked.reader
    for chunk in document.chunks(reader):
        if chunk.end <= begin or chunk.start >= end:
            continue
        text = document.text[chunk.start : chunk.end]
        unread = sorted(hidden(text, reader.features)) if "#+" in text or "#-" in text else []
        for start, stop in unread:
            yield from _lines(document.text, chunk.start + start, chunk.start + stop)
        names = (*_of_names(asked, document.walked(reader, chunk)), *_keywords(chunk.toplevel.node))
        for one in names:
            number = bisect_right(unread, (one.start, len(text))) - 1
            if number < 0 or unread[number][1] <= one.start:
                yield one._replace(start=chunk.start + one.start, end=chunk.start + one.end)


def _lines(text: str, start: int, end: int) -> Iterator[_Token]:
    """Yield a token for each line of a text that is not read: clients take none of several lines."""
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        if text[start:stop].strip():
            yield _Token(start, stop, Types.Comment)
        start = stop + 1


def _keywords(root: Node) -> Iterator[_Token]:
    rest = [root]
    while rest:
        one = rest.pop()
        rest += one.items
        if one.text.startswith(":"):
            yield _Token(one.start, one.end, Types.EnumMember)


def _of_names(asked: Asked, walked: Walked) -> Iterator[_Token]:
    local = {use.start: use.binding for use in walked.uses}
    defined = {one.start for one in walked.definitions}
    for binding in walked.bindings:
        yield _local(binding.start, binding.length, binding, Modifiers.Definition)
    for use in walked.uses:
        if use.binding is not None:
            yield _local(use.start, use.length, use.binding)
    noted = {one.start for one in walked.occurrences}
    for made in walked.definitions:
        if made.start not in noted:  # a name that the index does not have
            kind = _OF_KINDS.get(DEFINED_BY.get(made.macro, ""), Types.Function)
            yield _Token(made.start, made.start + made.length, kind, (Modifiers.Definition,))
    bound = {one.start for one in walked.bindings}
    for one in walked.occurrences:
        if one.start in bound or local.get(one.start) is not None or one.start in walked.data:
            continue
        if (token := _global(asked, one, is_defined=one.start in defined)) is not None:
            yield token


def _local(start: int, length: int, binding: Binding, *modifiers: Modifiers) -> _Token:
    return _Token(start, start + length, _OF_LOCALS.get(binding.kind, Types.Label), modifiers)


def _global(asked: Asked, one: Occurrence, *, is_defined: bool) -> _Token | None:
    symbol, end = one.symbol, one.start + one.length
    if symbol.package == KEYWORD:
        return None
    modifiers = [Modifiers.Definition] if is_defined or one.relation == "defines" else []
    if symbol.package == LISP:
        modifiers.append(Modifiers.DefaultLibrary)
    facts = asked.reader.meanings.facts(symbol)
    if one.relation in _OF_CLASSES:
        kind: Types | None = Types.Class
    elif facts.variable is not None and (one.relation in _OF_VARIABLES or facts.operator is None):
        kind = Types.Variable
        modifiers.append(Modifiers.Readonly if facts.variable == CONSTANT else Modifiers.Static)
    elif facts.operator == MACRO:
        kind = Types.Macro
    elif facts.operator == SPECIAL_OPERATOR:
        kind = Types.Keyword
    else:
        kind = Types.Function if facts.operator is not None or one.relation == "calls" else None
    return _Token(one.start, end, kind, tuple(modifiers)) if kind is not None else None


def _encoded(asked: Asked, found: Iterable[_Token]) -> Iterator[int]:
    """Yield five numbers for each token; the place counts from the token before (LSP, Semantic Tokens)."""
    lines = asked.document.lines
    line = character = 0
    last = -1
    for one in found:
        if one.start < last:
            continue  # a token within another
        last = one.end
        at, stop = lines.position(one.start), lines.position(one.end)
        if at.line != stop.line:
            continue  # a symbol with a line end in it
        yield at.line - line
        yield at.character - (character if at.line == line else 0)
        yield stop.character - at.character
        yield _TYPES.index(one.type)
        yield sum(1 << _MODIFIERS.index(modifier) for modifier in one.modifiers)
        line, character = at.line, at.character
