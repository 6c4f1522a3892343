"""Publish a new index: it is written beside the old one, then renamed over it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import OutputError
from ..format import make_folder_of


def make_folder(output: Path) -> None:
    """Make the folder of ``output``; raises OutputError."""
    if output.is_dir():
        raise OutputError(f"{output} is a folder; name a file for the index.")
    try:
        make_folder_of(output)
    except OSError as error:
        raise OutputError(f"The folder {output.parent} cannot be made: {error.strerror}.") from error


@contextmanager
def output_errors(output: Path) -> Iterator[None]:
    """Turn errors of the file system and SQLite about a full or read-only disk into an OutputError."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise _output_error(output, error) from error
    except Exception as error:
        # SQLAlchemy wraps the driver's errors; it is imported late, so they are recognized by what they wrap.
        original = getattr(error, "orig", None)
        if isinstance(original, sqlite3.Error):
            raise _output_error(output, original) from error
        raise


def _output_error(output: Path, error: OSError | sqlite3.Error) -> OutputError:
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return OutputError(
        f"The index {output} cannot be written: {reason}. "
        "Make room, or choose another place with --output; an existing index is unchanged."
    )


def put_in_place(new: Path, output: Path) -> None:
    """Replace ``output`` with the finished file ``new``; readers of the old index keep reading it."""
    new.replace(output)
    sync(output.parent)


def sync(path: Path) -> None:
    """Sync ``path``, a file or a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
