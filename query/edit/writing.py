"""Write changed files: all of them or none, no matter when the process ends.

First, each new content is written beside its file. Then a journal says which of them belong together, and
they are renamed over the files. Whoever writes next to such a journal first does what it says.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from oblist.lisp.unfinished import file_beside, replace_file

from .changes import Change, EditError

JOURNAL = ".oblist-edits.json"
_MARK = ".oblist-edit"
_ANY_WRITER = 0o222


def write_changes(changes: Sequence[Change]) -> None:
    """Write all changes, or none. Raises EditError if a file is not what it was, or cannot be written."""
    changes = [one for one in changes if one.before != one.after or one.moved_to is not None]
    if not changes:
        return
    finish_interrupted(one.path.parent for one in changes)
    beside: list[Path] = []
    try:
        for one in changes:
            with _told(one):
                if not one.path.stat().st_mode & _ANY_WRITER:
                    raise EditError(f"{one.path} is read-only; nothing was written")
                if one.moved_to is not None and one.moved_to.exists():
                    raise EditError(f"{one.moved_to} already exists; nothing was written")
                beside.append(_written_beside(one))
        for one in changes:
            with _told(one):
                is_same = one.path.read_bytes() == one.before
            if not is_same:
                raise EditError(f"{one.path} has changed in the meantime; nothing was written")
        _rename_all(changes, beside)
    finally:
        for path in beside:
            path.unlink(missing_ok=True)


def finish_interrupted(folders: Iterable[Path]) -> list[Path]:
    """Finish what a killed process was about to write in some folders; return the files changed.

    A file that has changed since keeps what it has.
    """
    finished = []
    for journal in {folder / JOURNAL for folder in folders}:
        try:
            renames = _renames(journal.read_bytes())
        except OSError:
            continue
        renames = [one for one in renames if _is_beside(one, journal.parent)]
        if not _has_begun(journal, renames):
            for one in renames:
                (journal.parent / one.new).unlink(missing_ok=True)
        finished += [target for one in renames if (target := _finished(one, journal.parent))]
        journal.unlink(missing_ok=True)
    return finished


def _finished(one: _Rename, folder: Path) -> Path | None:
    """Rename a new file over an old one that is still the same; return the file if anything was done."""
    new, target, old = (folder / name for name in (one.new, one.target, one.old or one.target))
    done = None
    if new.is_file():
        if _has(old, one.before) and (old == target or not target.exists()):
            _put(new, target, old)
            done = target
        new.unlink(missing_ok=True)
    elif old != target and _has(old, one.before) and _has(target, one.after):
        old.unlink()
        done = target
    return done


class _Rename(NamedTuple):
    """What a journal says of a file: names, and digests of its old content and, if it moves, its new one."""

    new: str
    target: str
    before: str
    old: str = ""
    after: str = ""


def _renames(journal: bytes) -> list[_Rename]:
    """What a journal says; nothing if it is not a journal."""
    try:
        return [_Rename(*map(str, one)) for one in json.loads(journal)]
    except (ValueError, TypeError):
        return []


def _is_beside(one: _Rename, folder: Path) -> bool:
    """Whether a file was written beside another: no other is ever renamed, whatever a journal says."""
    new, target, old = (folder / name for name in (one.new, one.target, one.old or one.target))
    is_named = new.name.startswith(f".{target.name}.") and new.name.endswith(_MARK)
    return is_named and new.parent == target.parent == old.parent


def _has_begun(journal: Path, renames: Sequence[_Rename]) -> bool:
    """Whether files may have been renamed: before that, each of their folders gets a journal."""
    folders = {(journal.parent / one.target).parent for one in renames}
    are_told = all((folder / JOURNAL).exists() for folder in folders)
    return are_told or not all((journal.parent / one.new).exists() for one in renames)


def _has(path: Path, digest: str) -> bool:
    return path.is_file() and _digest(path.read_bytes()) == digest


def _put(new: Path, target: Path, old: Path) -> None:
    """Put a new file in the place of an old one, which may have another name."""
    new.replace(target)
    if old != target:
        old.unlink()


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


@contextmanager
def _told(change: Change) -> Iterator[None]:
    """Raise EditError, with the system's reason, if a file cannot be written."""
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        raise EditError(f"{change.path} cannot be written: {why}; nothing was written") from error


def _written_beside(change: Change) -> Path:
    number, name = file_beside(change.path.with_name(change.target.name), _MARK)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(change.after)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(change.path, name)
    except OSError:
        name.unlink(missing_ok=True)
        raise
    return name


def _rename_all(changes: Sequence[Change], beside: Sequence[Path]) -> None:
    """Rename the new files over the old ones; if one cannot be, put back those that were."""
    pairs = [*zip(changes, beside, strict=True)]
    # One in each folder, since the next process may look at any; one file needs none.
    is_single = len(changes) == 1 and changes[0].moved_to is None
    folders = {one.path.parent for one in changes} if not is_single else set()
    done: list[Change] = []
    try:
        for folder in folders:
            renames = [_rename_of(one, new, folder) for one, new in pairs]
            _write_journal(folder / JOURNAL, json.dumps(renames))
        for one, new in pairs:
            with _told(one):
                _put(new, one.target, one.path)
            done.append(one)
    except EditError:
        for one in done:
            replace_file(one.path, one.before)
            if one.moved_to is not None:
                one.moved_to.unlink(missing_ok=True)
        raise
    finally:
        for folder in folders:
            (folder / JOURNAL).unlink(missing_ok=True)


def _rename_of(change: Change, new: Path, folder: Path) -> _Rename:
    """What the journal in a folder says of a change."""
    beside, target, old = (os.path.relpath(path, folder) for path in (new, change.target, change.path))
    if change.moved_to is None:
        return _Rename(beside, target, _digest(change.before))
    return _Rename(beside, target, _digest(change.before), old, _digest(change.after))


def _write_journal(journal: Path, text: str) -> None:
    """Write the journal so that it is either whole or not there. Raises EditError."""
    try:
        replace_file(journal, text.encode())
    except OSError as error:
        why = error.strerror or error
        raise EditError(f"{journal.parent} cannot be written to: {why}; nothing was written") from error
