"""Lines of ours in a text of the user's, between two lines that say whose they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..errors import BrokenFileError
from .part import State, line_end

_BEGIN, _END = "oblist setup: begin", "oblist setup: end"


@dataclass(frozen=True, slots=True)
class BlockPart:
    """``body`` at the end of a file whose comments are written as ``comment``, such as ``";; {}"``.

    ``whole`` raises BrokenFileError if a text has no end that something can be added to.
    """

    body: str
    comment: str
    whole: Callable[[str], None] | None = None

    def value(self, text: str) -> str | None:
        """The lines between ours, as they are in the file."""
        lines = self._lines(text)
        return None if lines is None else "".join(text.splitlines(keepends=True)[lines[0] + 1 : lines[1] - 1])

    def state(self, text: str) -> State:
        """Whether the file has the block, and with these lines."""
        found = self.value(text)
        if found is None:
            if self.whole is not None:
                self.whole(text)
            return State.ABSENT
        return State.SAME if found.replace("\r\n", "\n").strip("\n") == self.body.strip("\n") else State.OTHER

    def put(self, text: str) -> str:
        """The text with the block, at its end if it is new."""
        newline = line_end(text)
        words = [self.comment.format(_BEGIN), *self.body.strip("\n").split("\n"), self.comment.format(_END)]
        block = newline.join(words) + newline
        lines = self._lines(text)
        if lines is not None:
            all_lines = text.splitlines(keepends=True)
            return "".join([*all_lines[: lines[0]], block, *all_lines[lines[1] :]])
        if self.whole is not None:
            self.whole(text)
        gap = "" if not text else newline if text.endswith("\n") else newline * 2
        return text + gap + block

    def take(self, text: str) -> str:
        """The text without the block and the empty line before it."""
        lines = self._lines(text)
        if lines is None:
            return text
        all_lines = text.splitlines(keepends=True)
        before, after = all_lines[: lines[0]], all_lines[lines[1] :]
        if before and not before[-1].strip():
            before.pop()
        return "".join([*before, *after])

    def _lines(self, text: str) -> tuple[int, int] | None:
        """The numbers of the first line of the block and of that after it."""
        lines = [line.strip() for line in text.splitlines()]
        begin, end = (self.comment.format(word) for word in (_BEGIN, _END))
        if begin not in lines:
            if end in lines:
                raise BrokenFileError(f"no line {begin!r} comes before {end!r}", lines.index(end) + 1)
            return None
        first = lines.index(begin)
        if end not in lines[first:]:
            raise BrokenFileError(f"no line {end!r} comes after {begin!r}", first + 1)
        return first, lines.index(end, first) + 1
