"""A text that is edited, each character of which remembers where it was in the first text."""

from __future__ import annotations

from array import array
from bisect import bisect_left

_NEW = -1


class Tracked:
    """The text, the edits so far, and where its characters come from."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.edits: list[tuple[int, int, str]] = []
        """The replacements that led here: start, end, and the new text."""
        self._origins = array("l", range(len(text)))
        self._copied = array("l", [_NEW]) * len(text)
        """Of what each character is a copy."""

    def replace(self, start: int, end: int, new: str) -> None:
        """Replace the text between two offsets; what comes in its place is new."""
        self.edits.append((start, end, new))
        self.text = self.text[:start] + new + self.text[end:]
        self._origins[start:end] = array("l", [_NEW]) * len(new)
        self._copied[start:end] = array("l", [_NEW]) * len(new)

    def move(self, start: int, end: int, to: int) -> None:
        """Move the text between two offsets before the one at ``to``, which lies outside."""
        moved, origins, copied = self.text[start:end], self._origins[start:end], self._copied[start:end]
        self.replace(start, end, "")
        to -= end - start if to >= end else 0
        self.replace(to, to, moved)
        self._origins[to : to + len(moved)] = origins
        self._copied[to : to + len(moved)] = copied

    def copy(self, start: int, end: int, to: int) -> None:
        """Copy the text between two offsets to before the one at ``to``, which lies outside."""
        copied = self._copied[start:end]
        for i, origin in enumerate(self._origins[start:end]):
            copied[i] = origin if origin != _NEW else copied[i]
        self.replace(to, to, self.text[start:end])
        self._copied[to : to + len(copied)] = copied

    def truth(self, first: str) -> Truth:
        """Where the parts of the ``first`` text are now."""
        return Truth(first, self.text, self._origins, self._copied)


class Truth:
    """Where the parts of a first text are in the present one."""

    def __init__(self, first: str, text: str, origins: array[int], copied: array[int]) -> None:
        self.text = text
        self._first = first
        self._copied = copied
        self._now = array("l", [_NEW]) * len(first)
        for offset, origin in enumerate(origins):
            if origin != _NEW:
                self._now[origin] = offset
        gone = (offset for offset, at in enumerate(self._now) if at == _NEW and first[offset] != "\r")
        self._gone = list(gone)

    def token(self, start: int, length: int) -> int | None:
        """Where a token is now; None if any of its characters is gone or moved away from the others."""
        now = self._now[start]
        whole = now != _NEW and all(self._now[start + i] == now + i for i in range(length))
        return now if whole else None

    def is_copy(self, start: int, length: int, now: int) -> bool:
        """Whether a copy of a token is at an offset."""
        return all(self._copied[now + i] == start + i for i in range(length))

    def is_untouched(self, start: int, end: int) -> bool:
        """Whether a part is as it was, but for the kind of its line ends."""
        at = bisect_left(self._gone, start)
        if at < len(self._gone) and self._gone[at] < end:
            return False
        now, last = self._now[start], self._now[end - 1]
        if now == _NEW or last == _NEW:
            return False
        return self.text[now : last + 1].replace("\r", "") == self._first[start:end].replace("\r", "")
