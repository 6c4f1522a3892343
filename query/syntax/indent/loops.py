"""The lines of LOOP: its clauses, what belongs to a clause, and its bodies."""

from __future__ import annotations

import re
from typing import NamedTuple

from .place import LinePlace
from .tree import Piece

_BODY = re.compile(r"(?:#?:)?(?:do(?:ing)?|finally|initially)", re.IGNORECASE)
_PREFIX = re.compile(r"(?:#?:)?(?:and|else)", re.IGNORECASE)
_AND = re.compile(r"(?:#?:)?and", re.IGNORECASE)
_ELSE = re.compile(r"(?:#?:)?else", re.IGNORECASE)
_WHEN = re.compile(r"(?:#?:)?(?:when|unless|if)", re.IGNORECASE)
_PART = re.compile(
    r"(?:#?:)?(?:(?:up|down)?(?:from|to)|below|above|in(?:to)?|on|=|then|across|being|each|the|of|using"
    r"|(?:present-|external-)?symbols?|fixnum|float|t|nil|of-type)",
    re.IGNORECASE,
)
_WORD = re.compile(r"(?:#?:)?\w")
_SIMPLE, _CLAUSES, _IN_PART, _IN_BODY = 6, 2, 2, 3
"""Distances: of forms after LOOP on its line, of clauses below it, of parts of a clause, below a keyword."""


def loop_column(place: LinePlace) -> int:
    """The column for a line in a form of LOOP."""
    inner = place.inner
    following = inner.items[len(place.done)] if len(inner.items) > len(place.done) else None
    second = place.done[1] if len(place.done) > 1 else following
    if second is None or (second.is_list and not second.prefix):
        on_line = second is None or place.same_line(inner.open, second.start)
        return place.base + (_SIMPLE if on_line else 2)
    return _Clauses(place, second).column()


class _Columns(NamedTuple):
    """The columns of a clause, of a part of it and of a form, and whether forms come."""

    clause: int
    part: int
    body: int
    in_body: bool


class _Clauses:
    """An extended LOOP, as far as it goes before a line."""

    def __init__(self, place: LinePlace, second: Piece) -> None:
        self._place = place
        self._first = second.start
        self._column = place.column

    def column(self) -> int:
        """The column for the line."""
        place = self._place
        if not place.same_line(place.inner.open, self._first) and place.same_line(
            place.text.find("\n", place.inner.open) + 1, place.at
        ):
            return place.base + _CLAUSES
        context = self._context(place.done[-1].start)
        if place.starts_with("("):
            return context.body
        if place.starts_with(";"):
            return context.body if context.in_body else self._trailing_comment() or context.clause
        if place.looks_at(_PART):
            return context.part
        return self._joined(context) if place.looks_at(_AND) else context.clause

    def _context(self, last: int) -> _Columns:
        """What the last object before the line says of it."""
        clause = self._column(self._first)
        part = clause + _IN_PART
        if self._at(_BODY, last):
            return _Columns(clause, part, self._after_keyword_at_end(last), in_body=True)
        at = self._after_prefixes(max(self._place.line_start(last), self._first))
        if self._at(_BODY, at):
            return _Columns(clause, part, self._column(self._past_keyword(at) or at), in_body=True)
        column = self._column(at)
        if self._place.text.startswith("(", at):
            return _Columns(clause, part, column, in_body=True)
        if self._at(_WHEN, at) or self._at(_PREFIX, at):
            clause = column + _IN_PART
        return _Columns(clause, column + _IN_PART, self._column(last), in_body=False)

    def _after_prefixes(self, at: int) -> int:
        """The offset after AND and ELSE, unless they end the line."""
        while self._at(_PREFIX, at):
            after = self._past_keyword(at)
            if after is None:
                return self._place.line_start(at)
            at = after
        return at

    def _after_keyword_at_end(self, at: int) -> int:
        """The column of forms after a keyword that ends its line."""
        after = self._past_keyword(at)
        if after is not None:
            return self._column(after)
        start = self._place.line_start(at)
        return self._column(start) + 2 if start != at else self._column(at) + _IN_BODY

    def _joined(self, context: _Columns) -> int:
        """The column of AND: that of the clause before, on a line that begins before the body."""
        at = self._place.start
        while (at := self._place.text.rfind("\n", 0, at - 1) + 1) > 0 and self._place.line_start(
            at
        ) > self._first:
            start = self._place.line_start(at)
            if self._column(start) < context.body and self._at(_WORD, start):
                if self._at(_ELSE, start):
                    start = self._past_keyword(start) or start
                return self._column(start)
        return context.clause

    def _trailing_comment(self) -> int | None:
        """The column of a comment after the last object before the line."""
        end = self._place.done[-1].end
        line = self._place.text[end:].split("\n")[0]
        if line.lstrip(" \t").startswith(";"):
            return self._column(end + line.index(";"))
        return None

    def _at(self, pattern: re.Pattern[str], at: int) -> bool:
        return pattern.match(self._place.text, at) is not None

    def _past_keyword(self, at: int) -> int | None:
        """The offset of what follows a keyword on its line; None if nothing does."""
        end = self._place.past_word(at)
        return end if end < len(self._place.text) and self._place.text[end] not in "\r\n" else None
