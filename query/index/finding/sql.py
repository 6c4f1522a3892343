"""The SELECTs that find what few questions look for, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

FILES_CALLED = """
SELECT id, path, recorded, relative_path FROM source_files
WHERE path IS NOT NULL AND (recorded = :name OR substr(path, -length(:ending)) = :ending) ORDER BY id
"""


class CalledFileRow(NamedTuple):
    """One row of FILES_CALLED."""

    number: int
    path: str
    recorded: str | None
    relative_path: str | None
