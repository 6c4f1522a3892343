"""Every SELECT of xref from several indexes, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

# Where files are below their roots: another index may have the same file elsewhere.
PLACES = """
SELECT source_files.id, roots.name, source_files.relative_path
FROM json_each(:files) AS listed CROSS JOIN source_files ON source_files.id = listed.value
LEFT JOIN roots ON roots.id = source_files.root_id
"""


class PlaceRow(NamedTuple):
    """One row of PLACES."""

    file: int
    root: str | None
    path: str | None
