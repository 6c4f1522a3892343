"""Write changed files: all of them or none, whenever the process ends.

Every new content is written beside its file first. Then a journal says which of them belong together, and
they are renamed over the files. Whoever writes next to such a journal first does what it says.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from .changes import Change, EditError

JOURNAL = ".oblist-edits.json"
_MARK = ".oblist-edit"
_ANY_WRITER = 0o222


def write_changes(changes: Sequence[Change]) -> None:
    """Write all changes, or none. Raises EditError if a file is not what it was, or cannot be written."""
    changes = [one for one in changes if one.before != one.after]
    if not changes:
        return
    finish_interrupted(one.path.parent for one in changes)
    beside: list[Path] = []
    try:
        for one in changes:
            with _told(one):
                if not one.path.stat().st_mode & _ANY_WRITER:
                    raise EditError(f"{one.path} is read-only; nothing was written")
                beside.append(_written_beside(one))
        for one in changes:
            with _told(one):
                is_same = one.path.read_bytes() == one.before
            if not is_same:
                raise EditError(f"{one.path} has changed meanwhile; nothing was written")
        _rename_all(changes, beside)
    finally:
        for path in beside:
            path.unlink(missing_ok=True)


def finish_interrupted(folders: Iterable[Path]) -> list[Path]:
    """Finish what a process that was killed was about to write in some folders; return the files changed.

    A file that has changed since keeps what it has.
    """
    finished = []
    for journal in {folder / JOURNAL for folder in folders}:
        try:
            renames = _renames(journal.read_bytes())
        except OSError:
            continue
        for name, target, before in renames:
            new, old = journal.parent / name, journal.parent / target
            # Nothing but a file that was written beside another is ever renamed, whatever a journal says.
            is_beside = new.parent == old.parent and new.name.startswith(f".{old.name}.")
            if not is_beside or not new.name.endswith(_MARK) or not new.is_file():
                continue
            if old.is_file() and _digest(old.read_bytes()) == before:
                new.replace(old)
                finished.append(old)
            new.unlink(missing_ok=True)
        journal.unlink(missing_ok=True)
    return finished


def _renames(journal: bytes) -> list[tuple[str, str, str]]:
    """The names in a journal, of each new file and its target, with the digest of what that had."""
    try:
        found = [(str(name), str(target), str(before)) for name, target, before in json.loads(journal)]
    except (ValueError, TypeError):
        return []  # it is none
    return found


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
    number, name = tempfile.mkstemp(prefix=f".{change.path.name}.", suffix=_MARK, dir=change.path.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(change.after)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(change.path, name)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _rename_all(changes: Sequence[Change], beside: Sequence[Path]) -> None:
    """Rename the new files over the old ones; if one cannot be, put back those that were."""
    pairs = [*zip(changes, beside, strict=True)]
    # One in each folder, since the next process may look at any; one file needs none.
    folders = {one.path.parent for one in changes} if len(changes) > 1 else set()
    for folder in folders:
        renames = [
            (os.path.relpath(new, folder), os.path.relpath(one.path, folder), _digest(one.before))
            for one, new in pairs
        ]
        _write_journal(folder / JOURNAL, json.dumps(renames))
    done: list[Change] = []
    try:
        for one, new in pairs:
            with _told(one):
                new.replace(one.path)
            done.append(one)
    except EditError:
        for one in done:
            one.path.write_bytes(one.before)
        raise
    finally:
        for folder in folders:
            (folder / JOURNAL).unlink(missing_ok=True)


def _write_journal(journal: Path, text: str) -> None:
    """Write the journal so that it is either whole or not there."""
    with tempfile.NamedTemporaryFile("w", dir=journal.parent, prefix=JOURNAL, delete=False) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    Path(file.name).replace(journal)
