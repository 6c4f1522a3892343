"""Source files by what people call them."""

from __future__ import annotations

from pathlib import Path

from ..reading import Reading
from .sql import FILES_CALLED, CalledFileRow


def called_file(index: Reading, path: str) -> CalledFileRow | None:
    """Return the indexed file at ``path``, as this machine, SBCL or a root names it."""
    here = str(Path(path).absolute())
    for row in files_with_name_of(index, path):
        local = index.local_path(row.path)
        if path in (local, row.path, row.recorded, row.relative_path) or here in (local, row.path):
            return row
    return None


def files_with_name_of(index: Reading, path: str) -> list[CalledFileRow]:
    """Return the indexed files that SBCL records at ``path``, or whose paths have the same last part."""
    ending = f"/{path.rpartition('/')[2]}"
    return [CalledFileRow._make(row) for row in index.rows(FILES_CALLED, name=path, ending=ending)]
