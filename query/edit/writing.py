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
from pathlib import Path

from .changes import Change, EditError

JOURNAL = ".oblist-edits.json"
_MARK = ".oblist-edit"


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
    """Finish what a process that was killed was about to write in some folders; return the files changed."""
    finished = []
    for journal in {folder / JOURNAL for folder in folders}:
        try:
            renames = _renames(journal.read_bytes())
        except OSError:
            continue
        for name, target in renames:
            new, old = journal.parent / name, journal.parent / target
            # Nothing but a file that was written beside another is ever renamed, whatever a journal says.
            is_beside = new.parent == old.parent and new.name.startswith(f".{old.name}.")
            if is_beside and new.name.endswith(_MARK) and new.is_file():
                new.replace(old)
                finished.append(old)
        journal.unlink(missing_ok=True)
    return finished


def _renames(journal: bytes) -> list[tuple[str, str]]:
    """The pairs of names in a journal; none if it is not one."""
    try:
        found = json.loads(journal)
        return [(name, target) for name, target in found if isinstance(name, str) and isinstance(target, str)]
    except (ValueError, TypeError):
        return []


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
    journal = changes[0].path.parent / JOURNAL if len(changes) > 1 else None
    if journal is not None:
        folder = journal.parent
        renames = [
            [os.path.relpath(new, folder), os.path.relpath(one.path, folder)]
            for one, new in zip(changes, beside, strict=True)
        ]
        _write_journal(journal, json.dumps(renames))
    done: list[Change] = []
    try:
        for one, new in zip(changes, beside, strict=True):
            with _told(one):
                new.replace(one.path)
            done.append(one)
    except EditError:
        for one in done:
            one.path.write_bytes(one.before)
        raise
    finally:
        if journal is not None:
            journal.unlink(missing_ok=True)


def _write_journal(journal: Path, text: str) -> None:
    """Write the journal so that it is either whole or not there."""
    with tempfile.NamedTemporaryFile("w", dir=journal.parent, prefix=JOURNAL, delete=False) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    Path(file.name).replace(journal)
