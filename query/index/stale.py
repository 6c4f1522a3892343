"""Source files that have changed since the index was built."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from oblist.indexer.source_text import MOST_BYTES, source_octets

_MOST_BYTES = 50_000_000  # larger than any source file


class Recorded(NamedTuple):
    """A source file as it was at the build, and its current path."""

    path: str
    sha256: str
    size: int


class Sources:
    """The source files of one build, each compared with its state at the build.

    A check costs one ``stat``. The contents are read only if a file was touched since and still has the same
    size, and only once per touch.
    """

    def __init__(self, recorded: Mapping[int, Recorded], started: str) -> None:
        """``recorded`` are the files whose text is known, by number; ``started`` is when the build began."""
        self._recorded = recorded
        self._numbers = {one.path: number for number, one in recorded.items()}
        self._surely_before = _moment(started)
        self._read: dict[tuple[str, int, int, int], bool | None] = {}

    def states(self, paths: Iterable[str] | None = None) -> dict[str, str]:
        """Return "changed" or "gone" for each source file at ``paths``, or of all, that is not as it was."""
        asked = self._numbers if paths is None else (path for path in paths if path in self._numbers)
        found = ((path, self._state(path)) for path in asked)
        return {path: state for path, state in found if state is not None}

    def number(self, path: str) -> int | None:
        """The number of the source file at a path of this machine."""
        return self._numbers.get(path)

    def _state(self, path: str) -> str | None:
        if self.changed(self._numbers[path]):
            return "changed"
        # Without its folder, the index is read where there are no sources.
        return "gone" if not os.path.lexists(path) and Path(path).parent.is_dir() else None

    def changed(self, file: int | None) -> bool | None:
        """Return whether the source file with this number changed; None if it is, or was, missing."""
        recorded = self._recorded.get(file) if file is not None else None
        status = _status(recorded.path) if recorded is not None else None
        if recorded is None or status is None:
            return None
        if status.st_size != recorded.size:
            return True
        # ctime as well: a file moved into its place may keep an older mtime.
        if max(status.st_mtime, status.st_ctime) < self._surely_before:
            return False
        key = recorded.path, status.st_ino, status.st_mtime_ns, status.st_ctime_ns
        if key not in self._read:
            self._read[key] = _differs(recorded)
        return self._read[key]


def _status(path: str) -> os.stat_result | None:
    """Return the status of ``path``; None unless it is a regular file small enough to read."""
    try:
        status = os.stat(path)  # noqa: PTH116 - five times as fast as Path
    except (OSError, ValueError):
        return None
    return status if stat.S_ISREG(status.st_mode) and status.st_size <= _MOST_BYTES else None


def _moment(started: str) -> float:
    """Return the time when the build began, in seconds; 0 if the index has no valid one."""
    try:
        return datetime.fromisoformat(started).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _differs(recorded: Recorded) -> bool | None:
    try:
        octets = source_octets(recorded.path, MOST_BYTES)
    except OSError:
        return None
    import hashlib  # loads OpenSSL, which takes a tenth of a look-up on the command line

    return hashlib.sha256(octets).hexdigest() != recorded.sha256
