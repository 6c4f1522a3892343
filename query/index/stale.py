"""Source files that have changed since the index was built, and what answers say of them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import is_dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from oblist.indexer.source_text import MOST_BYTES, source_octets

from .answer_field import fields_of
from .shown import shown_name

if TYPE_CHECKING:
    from .present.carried import Files

_Answer = TypeVar("_Answer")
States = Callable[[list[str]], dict[str, str]]

_MOST_FILES = 300
_MOST_NAMED = 3
_SINCE = "since the index was built"
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


# Answers


def with_outdated(answer: _Answer, states: States, present: Files) -> _Answer:
    """Return the answer as the sources are now, with its field ``outdated``, if any, filled in.

    ``states`` tells which of some source files are "changed" or "gone", and ``present`` gives the texts of
    those that have changed: places in them are carried there.
    """
    if not hasattr(answer, "outdated"):
        return answer
    paths = list(dict.fromkeys(_paths(answer)))[:_MOST_FILES]
    found = states(paths) if paths else {}
    if not found:
        return answer
    from .present.carried import carried

    now = carried(answer, present)
    text = outdated_text(paths, found, present, now.gone)
    return cast(_Answer, replace(now.answer, outdated=text))


def outdated_text(paths: list[str], states: dict[str, str], present: Files, lost: int) -> str | None:
    """Say which of the source files at ``paths`` have changed, and which are gone; None if none has.

    ``lost`` is how many of the places in those that have changed are not found any more.
    """
    changed = [path for path in paths if states.get(path) == "changed"]
    carried = [path for path in changed if present(path) is not None]
    uncertain = [path for path in changed if path not in carried]
    gone = [path for path in paths if states.get(path) == "gone"]
    parts = []
    if carried:
        one = len(carried) == 1
        said = f"{_named(carried)} changed {_SINCE}; lines in {'it' if one else 'them'} are those of now"
        if lost:
            said += f", and what has no line is gone ({lost} {'place' if lost == 1 else 'places'})"
        parts.append(said)
    if uncertain:
        parts.append(f"{_named(uncertain)} changed {_SINCE}; line numbers may be off")
    if gone:
        parts.append(f"{_named(gone)} {'is' if len(gone) == 1 else 'are'} gone {_SINCE}")
    return "; ".join(parts) or None


def _named(paths: list[str]) -> str:
    named = ", ".join(map(shown_name, paths[:_MOST_NAMED]))
    more = len(paths) - _MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named


def _paths(answer: Any) -> Iterator[str]:
    """Yield the paths in an answer and in the answers that it consists of."""
    kind: type = type(answer)
    names, nested = fields_of(kind)
    if "path" in names and answer.path is not None:
        yield answer.path
    for name in nested:
        value = getattr(answer, name)
        for part in value if isinstance(value, list | tuple) else (value,):
            if is_dataclass(part):
                yield from _paths(part)
