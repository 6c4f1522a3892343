"""Positions in a text: character offsets, and the lines and columns that a client counts.

A client counts columns in the code units that were agreed on: UTF-16 unless it asked for others (LSP,
PositionEncodingKind). It ends lines at LF, CRLF and CR. An index counts characters, and ends lines at LF.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from lsprotocol.types import Position, PositionEncodingKind, Range

_LINE_END = re.compile(r"\r\n|\n|\r")
_UNITS: dict[str, Callable[[str], int]] = {
    PositionEncodingKind.Utf8: lambda char: len(char.encode("utf-8", "surrogatepass")),
    PositionEncodingKind.Utf16: lambda char: 2 if char > "\uffff" else 1,
    PositionEncodingKind.Utf32: lambda _: 1,
}


def width(text: str, encoding: str) -> int:
    """The number of code units that a client counts in a text without line ends."""
    if text.isascii() or encoding == PositionEncodingKind.Utf32:
        return len(text)
    return sum(map(_UNITS[encoding], text))


class DocumentLines:
    """The lines of a text, for positions in one encoding."""

    def __init__(self, text: str, encoding: str = PositionEncodingKind.Utf16) -> None:
        self.text = text
        self._encoding = encoding
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def replaced(self, start: int, end: int, new: str) -> DocumentLines:
        """The lines after the text between two offsets is replaced; only what changed is looked at."""
        text = self.text[:start] + new + self.text[end:]
        # An edit may join or part a CR and an LF, which end one line or two: include a line on either side.
        first = max(0, bisect_right(self._starts, start) - 2)
        last = min(len(self._starts), bisect_right(self._starts, end) + 1)
        begin = self._starts[first]
        shift = len(new) - (end - start)
        stop = self._starts[last] + shift if last < len(self._starts) else len(text)
        among = [match.end() for match in _LINE_END.finditer(text, begin, stop)]
        if last < len(self._starts) and among and among[-1] == stop:
            among.pop()
        lines = DocumentLines.__new__(DocumentLines)
        lines.text, lines._encoding = text, self._encoding
        lines._starts = [
            *self._starts[: first + 1],
            *among,
            *(at + shift for at in self._starts[last:]),
        ]
        return lines

    def position(self, offset: int) -> Position:
        """The position of a character offset; one past the end is at the end."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return Position(line, width(self.text[self._starts[line] : offset], self._encoding))

    def range(self, start: int, end: int) -> Range:
        """The range between two character offsets."""
        return Range(self.position(start), self.position(end))

    def offset(self, position: Position) -> int:
        """The character offset of a position; past the end of a line, that end, as LSP demands."""
        if position.line >= len(self._starts):
            return len(self.text)
        start, end = self._extent(max(0, position.line))
        line = self.text[start:end]
        if self._encoding == PositionEncodingKind.Utf32 or line.isascii():
            return start + min(position.character, len(line))
        left, units = position.character, _UNITS[self._encoding]
        for at, char in enumerate(line):
            left -= units(char)
            if left < 0:
                return start + at
        return end

    def offset_of_line(self, line: int) -> int:
        """The character offset at which a line begins; beyond the last line, one past the end."""
        return self._starts[line] if line < len(self._starts) else len(self.text) + 1

    def _extent(self, line: int) -> tuple[int, int]:
        """The offsets at which a line starts and ends, without the characters that end it."""
        start = self._starts[line]
        if line + 1 == len(self._starts):
            return start, len(self.text)
        end = self._starts[line + 1]
        return start, end - (2 if self.text[end - 2 : end] == "\r\n" else 1)
