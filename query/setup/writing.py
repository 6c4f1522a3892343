"""Writing the files of clients, each whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from oblist.lisp.unfinished import replace_file

from .errors import SetupError
from .plan import FileChange, content_of
from .record import SetupRecord, Written


def write(change: FileChange, record: SetupRecord) -> None:
    """Write a file, and keep what it had. Raises SetupError if it cannot be written, or has changed."""
    if change.is_nothing:
        return
    _check(change)
    _keep(record, change.path, change.written)
    _put(change)


def take_back(change: FileChange, record: SetupRecord) -> None:
    """Write a file as it was, and forget about it. Raises SetupError as ``write`` does."""
    if change.is_nothing:
        return
    _check(change)
    _put(change)
    if change.after is None and change.written is not None:
        for folder in change.written.folders:
            with suppress(OSError):  # somebody else has put something there
                Path(folder).rmdir()
    _keep(record, change.path, None)


def _check(change: FileChange) -> None:
    if content_of(change.path) != change.before:
        raise SetupError(f"{change.path} has changed in the meantime. Try again.")


def _keep(record: SetupRecord, path: Path, written: Written | None) -> None:
    try:
        record.keep(path, written)
    except OSError as error:
        raise SetupError(
            f"{record.path} cannot be written: {error.strerror or error}. It records what files "
            f"contained before, so {path} stays as it is."
        ) from error


def _put(change: FileChange) -> None:
    # A file that is kept elsewhere, and only linked to here, is written there.
    target = Path(os.path.realpath(change.path))
    try:
        if change.after is None:
            change.path.unlink()
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_file(target, change.after)
    except OSError as error:
        raise SetupError(f"{change.path} cannot be written: {error.strerror or error}.") from error
