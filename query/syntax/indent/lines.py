"""The columns at which the lines of a text begin."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from .methods import Methods, SpecOf
from .place import LinePlace
from .tree import Piece, lists_around, sexps

_TAB = 8
_BLANK = re.compile(r"[ \t]*")
_MARGIN = re.compile(r";(?!;)|;;;")
"""Comments that stay where they are: at the margin, or beside the code."""


class Indenter:
    """The lines of a text, which are indented one after the other."""

    def __init__(self, text: str, spec_of: SpecOf) -> None:
        """``spec_of`` knows the macros of programs."""
        self.text = text
        self._spec_of = spec_of
        self._root = sexps(text)
        self.starts = [0, *(match.end() for match in re.finditer(r"\n", text))]
        self._shifts: dict[int, int] = {}
        """By how many columns a line has moved."""

    def indented(self, first: int = 0, last: int | None = None) -> Iterator[tuple[int, int, int]]:
        """Yield the lines to indent, counted from 0: the number, its present column, and the right one.

        Only lines from ``first`` to ``last`` are examined, and those that are right already are left out.
        Lines that begin in a string or a comment are left as they are, and so are empty ones and comments of
        one or of three semicolons.
        """
        end = len(self.starts) if last is None else min(last + 1, len(self.starts))
        inside = [*self.texts()]
        for line in range(max(first, 0), end):
            start = self.starts[line]
            blank = _BLANK.match(self.text, start)
            at = blank.end() if blank is not None else start
            if at >= len(self.text) or self.text[at] in "\r\n" or _MARGIN.match(self.text, at):
                continue
            if any(begin < start < stop for begin, stop in inside):
                continue
            column = self._right_column(start, at)
            present = self._width(start, at)
            if column is not None and column != present:
                self._shifts[line] = column - present
                yield line, present, column

    def column_of_line(self, line: int) -> int | None:
        """The right column for one line, which may be empty; None for one that stays as it is."""
        start = self.starts[line]
        if any(begin < start < stop for begin, stop in self.texts()):
            return None
        blank = _BLANK.match(self.text, start)
        return self._right_column(start, blank.end() if blank is not None else start)

    def _right_column(self, start: int, at: int) -> int | None:
        """The column for a line from ``start``, whose first character is ``at``; None for what stays."""
        around = lists_around(self._root, start)
        if not around:
            return None if self.text.startswith(";", at) else 0
        place = LinePlace(self.text, start, at, around, self.column)
        return Methods(place, self._spec_of).column()

    def column(self, at: int) -> int:
        """The column of an offset, in lines that are indented already."""
        line = bisect_right(self.starts, at) - 1
        return self._width(self.starts[line], at) + self._shifts.get(line, 0)

    def _width(self, start: int, at: int) -> int:
        return len(self.text[start:at].expandtabs(_TAB))

    def texts(self) -> Iterator[tuple[int, int]]:
        """Yield the extents of the strings and symbols that are longer than a line."""
        rest: list[Piece] = [self._root]
        while rest:
            one = rest.pop()
            if one.is_list:
                rest += one.items
            elif "\n" in one.text:
                yield one.open, one.end
