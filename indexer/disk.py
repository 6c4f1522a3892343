"""Turn errors about a disk that cannot be written into messages that name the folder and the cure."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import CacheError, OutputError


@contextmanager
def output_errors(output: Path, noun: str = "index", option: str = "--output") -> Iterator[None]:
    """Turn errors of the file system and SQLite, such as those about a full disk, into an OutputError.

    ``output`` is to be a ``noun``, whose place ``option`` names.
    """
    try:
        yield
    except Exception as error:
        if (reason := _reason(error, output.parent)) is None:
            raise
        if not output.parent.is_dir():
            raise OutputError(
                f"The folder {output.parent} was removed or replaced while the {noun} was being written. "
                "Run the command again."
            ) from error
        raise OutputError(
            f"The {noun} {output} cannot be written: {reason}. "
            f"Make room, or choose another location with {option}; an existing {noun} is unchanged."
        ) from error


@contextmanager
def cache_errors(folder: Path) -> Iterator[None]:
    """Turn such errors into a CacheError: what is written is below ``folder`` in the user's cache."""
    try:
        yield
    except Exception as error:
        if (reason := _reason(error, folder)) is None:
            raise
        raise CacheError(reason) from error


def _reason(error: Exception, folder: Path) -> str | None:
    """What the file system or SQLite says, with the folder; None for another error."""
    # SQLAlchemy wraps the driver's errors; it is imported late, so they are recognized by what they wrap.
    original = getattr(error, "orig", None) or error
    if isinstance(original, sqlite3.Error):
        return f"{original} in {folder}"
    if not isinstance(original, OSError):
        return None
    written = original.filename2 or original.filename  # of a copy, the second is the target
    if isinstance(written, str) and Path(written).is_absolute() and not Path(written).is_relative_to(folder):
        folder = Path(written).parent
    return f"{original.strerror or original} in {folder}"
