"""Source files by what people call them."""

from __future__ import annotations

from pathlib import Path

from oblist.indexer.letter_case import ListedPaths

from ..not_found import NotFound
from ..reading import Reading
from ..shown import shown_name
from .sql import FILES_CALLED, CalledFileRow

_MOST_NAMED = 5


def called_file(index: Reading, path: str) -> CalledFileRow | None:
    """Return the indexed file at ``path``, as this machine, SBCL or a root names it."""
    here = str(Path(path).absolute())
    for row in files_with_name_of(index, path):
        local = index.local_path(row.path)
        if path in (local, row.path, row.recorded, row.relative_path) or here in (local, row.path):
            return row
    listed = ListedPaths().path(here)
    return called_file(index, listed) if listed != here else None


def files_with_name_of(index: Reading, path: str) -> list[CalledFileRow]:
    """Return the indexed files that SBCL records at ``path``, or whose paths have the same last part."""
    ending = f"/{path.rpartition('/')[2]}"
    return [CalledFileRow._make(row) for row in index.rows(FILES_CALLED, name=path, ending=ending)]


def file_named(index: Reading, path: str) -> CalledFileRow | NotFound:
    """Return the file that ``called_file`` finds, or else the only one whose path ends with ``path``."""
    if (exact := called_file(index, path)) is not None:
        return exact
    rows = files_with_name_of(index, path)
    ending = f"/{path.removeprefix('./')}"
    found = [row for row in rows if row.path.endswith(ending)]
    if len(found) == 1:
        return found[0]
    shown = shown_name(path)
    paths = [index.local_path(row.path) or row.path for row in found or rows][:_MOST_NAMED]
    if found:
        reason = (
            f"{len(found)} files in the index have paths that end like this; give a longer part of the path."
        )
        return NotFound("file-not-found", f"File {shown} is ambiguous", reason, paths)
    return NotFound(
        "file-not-found", f"File {shown} not found", "This index does not contain this source file.", paths
    )
