"""Publish a new index: it is written beside the old one, then renamed over it."""

from __future__ import annotations

import os
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
        raise OutputError(f"The folder {found.parent} cannot be created: {error.strerror}.") from error
    return found


def replaceable(output: Path, *, overwrite: bool = False) -> Path:
    """Return the file that an index at ``output`` replaces; OutputError if there is something else."""
    try:
        return index_target(output, overwrite=overwrite)
    except TargetError as error:
        raise OutputError(str(error)) from error
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"{output} cannot be accessed: {reason}.") from error


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
