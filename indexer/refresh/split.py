"""Where a layer with a part of a project may end: below what is edited, and where nothing refers forward."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

_LISTED = "WITH listed AS (SELECT key AS place, value AS path FROM json_each(?))"
# The first place at which each symbol is defined, and the first at which anything but an export mentions it.
_DEFINED = f"""
{_LISTED}
SELECT symbol_id, min(place) FROM listed JOIN source_files ON source_files.path = listed.path
JOIN definitions ON definitions.file_id = source_files.id
WHERE symbol_id IS NOT NULL AND kind <> 'method' GROUP BY 1
"""
_MENTIONED = f"""
{_LISTED}
SELECT callee_id, min(place) FROM listed JOIN source_files ON source_files.path = listed.path
JOIN callers ON callers.file_id = source_files.id JOIN symbol_references ON caller_id = callers.id
JOIN relations ON relations.id = relation_id AND relation <> 'exports' GROUP BY 1
"""


def split_below(index: Path, files: Sequence[str], edited: int) -> int:
    """How many of ``files``, in the order of loading, a layer below the file at place ``edited`` may have.

    ``index`` has them all. None of the layer's files mentions what is defined only above it, except to export
    it: what the text says of such a name depends on its definition.
    """
    with closing(sqlite3.connect(f"file:{quote(str(index))}?mode=ro", uri=True)) as connection:
        listed = [json.dumps(list(files))]
        defined = dict(connection.execute(_DEFINED, listed).fetchall())
        mentioned = dict(connection.execute(_MENTIONED, listed).fetchall())
    forward = [(mentioned[one], place) for one, place in defined.items() if mentioned.get(one, place) < place]
    end = edited
    while crossing := [first for first, place in forward if first < end <= place]:
        end = min(crossing)
    return end
