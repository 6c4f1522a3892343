"""stale: whether a source file changed since the index was made (DESIGN, section 6)."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

_MOST_BYTES = 50_000_000  # no source file has so many


class Recorded(NamedTuple):
    """A source file as it was when the index was made, and where it lies now."""

    path: str
    sha256: str
    size: int


class Sources:
    """The source files of one build, each compared with what it was then.

    Asking costs one ``stat``. Contents are read only when a file of the same size was touched
    since, and once for each time that it was.
    """

    def __init__(self, find: Callable[[int], Recorded | None], started: str) -> None:
        """``find`` gives the file of a number, if there is one; ``started`` is when the build began."""
        self._find = find
        self._surely_before = _moment(started)
        self._recorded: dict[int, Recorded | None] = {}
        self._read: dict[tuple[str, int, int, int], bool | None] = {}

    def changed(self, file: int | None) -> bool | None:
        """Whether the source file of that number changed; None when it is not here or was not then."""
        if file is None:
            return None
        if file not in self._recorded:
            self._recorded[file] = self._find(file)
        recorded = self._recorded[file]
        status = _status(recorded.path) if recorded is not None else None
        if recorded is None or status is None:
            return None
        if status.st_size != recorded.size:
            return True
        # The time of change as well: a file that is put in its place may bring an older one along.
        if max(status.st_mtime, status.st_ctime) < self._surely_before:
            return False
        key = recorded.path, status.st_ino, status.st_mtime_ns, status.st_ctime_ns
        if key not in self._read:
            self._read[key] = _differs(recorded)
        return self._read[key]


def _status(path: str) -> os.stat_result | None:
    """What is at ``path``; None when that is no file that can be read to its end in no time."""
    try:
        status = os.stat(path)  # noqa: PTH116 - a fifth of the time that Path takes
    except (OSError, ValueError):
        return None
    return status if stat.S_ISREG(status.st_mode) and status.st_size <= _MOST_BYTES else None


def _moment(started: str) -> float:
    """When the build began, in seconds; the beginning of time when the index does not say it well."""
    try:
        return datetime.fromisoformat(started).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _differs(recorded: Recorded) -> bool | None:
    try:
        octets = Path(recorded.path).read_bytes()
    except OSError:
        return None
    return hashlib.sha256(octets).hexdigest() != recorded.sha256
