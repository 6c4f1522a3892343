"""Offsets in a text as lines and columns."""

from __future__ import annotations

import re
from bisect import bisect_right

_NEWLINE = re.compile(r"\n")


class TextLines:
    """The offsets of the lines of a text. Lines and columns count from 1, in characters."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, which counts characters from 0."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def start(self, line: int) -> int:
        """The offset at which a line begins."""
        return self._starts[line - 1]

    def __len__(self) -> int:
        return len(self._starts)
