"""Folders for what is being made: their names have the process number, so that those of the dead can go."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def unfinished_folder(parent: Path, prefix: str = "") -> Iterator[Path]:
    """A new folder below ``parent``, for this user alone; it is gone at the end unless it was renamed."""
    folder = Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-", dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def drop_unfinished(parent: Path, prefix: str = "") -> None:
    """Remove what processes that are gone have left of such folders below ``parent``."""
    for left in parent.glob(f"{prefix}*"):
        if not _is_running(left.name.removeprefix(prefix).partition("-")[0]):
            shutil.rmtree(left, ignore_errors=True)


def _is_running(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
