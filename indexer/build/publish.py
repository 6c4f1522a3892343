"""Publish a new index: it is written beside the old one, then renamed over it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import OutputError
from ..format import make_folder_of
from ..target import TargetError, index_target


def prepared(output: Path, *, overwrite: bool = False) -> Path:
    """Make the folder of the index ``output``, and return the file to replace: a link's target.

    Raises OutputError if a file is there that is not an index, unless it may be replaced (``overwrite``).
    """
    if output == Path("-"):
        raise OutputError("An index cannot be written to standard output: name a file with --output.")
    found = replaceable(output.absolute(), overwrite=overwrite)
    try:
        make_folder_of(found)
    except OSError as error:
        raise OutputError(f"The folder {found.parent} cannot be made: {error.strerror}.") from error
    return found


def replaceable(output: Path, *, overwrite: bool = False) -> Path:
    """Return the file that an index at ``output`` replaces; OutputError if there is something else."""
    try:
        return index_target(output, overwrite=overwrite)
    except TargetError as error:
        raise OutputError(str(error)) from error
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
        raise OutputError(f"{output} cannot be examined: {error}.") from error


@contextmanager
def output_errors(output: Path, noun: str = "index", option: str = "--output") -> Iterator[None]:
    """Turn errors of the file system and SQLite about a full or read-only disk into an OutputError.

    ``output`` is to be a ``noun``, whose place ``option`` names.
    """
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise _output_error(output, error, noun, option) from error
    except Exception as error:
        # SQLAlchemy wraps the driver's errors; it is imported late, so they are recognized by what they wrap.
        original = getattr(error, "orig", None)
        if isinstance(original, sqlite3.Error):
            raise _output_error(output, original, noun, option) from error
        raise


def _output_error(output: Path, error: OSError | sqlite3.Error, noun: str, option: str) -> OutputError:
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return OutputError(
        f"The {noun} {output} cannot be written: {reason}. "
        f"Make room, or choose another place with {option}; an existing {noun} is unchanged."
    )


def put_in_place(new: Path, output: Path, *, overwrite: bool = False) -> None:
    """Replace ``output`` with the finished file ``new``; readers of the old index keep reading it.

    Raises OutputError if something else has appeared there, unless it may be replaced (``overwrite``).
    """
    replaceable(output, overwrite=overwrite)
    new.replace(output)
    sync(output.parent)


def sync(path: Path) -> None:
    """Sync ``path``, a file or a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
