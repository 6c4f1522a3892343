"""Where a layer with a part of a project may end, and which of its files to leave to the images above it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from ..layers.core_and_index import Split

_LISTED = "WITH listed AS (SELECT key AS place, value AS path FROM json_each(:files))"
# The symbols that no file before the place defines, of those that another does.
_DEFINED_ABOVE = f"""
{_LISTED}, defined AS (
  SELECT symbol_id, min(place) AS place FROM listed JOIN source_files USING (path)
  CROSS JOIN definitions ON definitions.file_id = source_files.id
  WHERE symbol_id IS NOT NULL AND kind <> 'method' GROUP BY 1)
SELECT symbol_id, packages.name, symbols.name FROM defined JOIN symbols ON symbols.id = symbol_id
JOIN packages ON packages.id = package_id WHERE place >= :end
"""
# The files that mention one of these, other than to export it.
_MENTIONING = """
SELECT DISTINCT source_files.path FROM json_each(?) AS defined
CROSS JOIN used_symbols ON used_symbols.symbol_id = defined.value
CROSS JOIN symbol_references AS used ON used.id BETWEEN first_id AND last_id
JOIN relations ON relations.id = used.relation_id AND relation <> 'exports'
JOIN callers ON callers.id = caller_id JOIN source_files ON source_files.id = callers.file_id
WHERE source_files.path IS NOT NULL
"""


# All that the text and the code of files say, by names.
_SAID = """
SELECT source_files.path, used.relation_id, packages.name, symbols.name, callee_operator, used.form_number,
       used.line, used.start_column, used.length, text_relation_id, expansions.name, callers.name,
       definitions.kind, definitions.start_line
FROM symbol_references AS used
JOIN callers ON callers.id = caller_id JOIN source_files ON source_files.id = callers.file_id
JOIN symbols ON symbols.id = callee_id LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN expansions ON expansions.id = expansion_id
LEFT JOIN definitions ON definitions.id = callers.definition_id
WHERE caller_id IN (
  SELECT callers.id FROM json_each(?) AS listed JOIN source_files ON source_files.path = listed.value
  JOIN callers ON callers.file_id = source_files.id)
"""

# Whose folder files are in, and those that define systems: NULL for that of no system.
_OWNED = """
WITH listed AS (SELECT value AS file FROM json_each(?)
                UNION SELECT definition_path FROM systems WHERE asked AND definition_path IS NOT NULL)
SELECT file, roots.name FROM listed JOIN source_files ON source_files.path = file
LEFT JOIN roots ON roots.id = root_id AND roots.system_id IS NOT NULL
"""


# The systems in whose folders files are.
_OWNERS = """
SELECT DISTINCT systems.name FROM json_each(?) AS listed JOIN source_files ON source_files.path = listed.value
JOIN roots ON roots.id = root_id JOIN systems ON systems.id = roots.system_id
"""


def split_below(index: Path, files: Sequence[str], end: int, more: Collection[str] = ()) -> Split:
    """The split of ``files``, in the order of loading, below the one at the place ``end``.

    ``index`` has them all. What a text says of a name depends on its definitions, so a file before the place
    that mentions what is defined only after it is deferred, unless it only exports it; and so are those of
    ``more``.
    """
    with _reading(index) as connection:
        above = connection.execute(_DEFINED_ABOVE, {"files": json.dumps(list(files)), "end": end}).fetchall()
        numbers = json.dumps([number for number, _, _ in above])
        mentioning: set[str] = {path for (path,) in connection.execute(_MENTIONING, [numbers])}
        owners = [name for (name,) in connection.execute(_OWNERS, [json.dumps(list(files[:end]))])]
    deferred = [path for path in files[:end] if path in mentioning or path in more]
    return Split(files[end], deferred, owners, [(package, name) for _, package, name in above])


def differing_files(index: Path, part: Path, files: Sequence[str]) -> set[str]:
    """Those of ``files`` of which two indexes do not say the same.

    Some cannot be foreseen: a keyword that a text names may be interned only by a later file.
    """
    one, other = _said(index, files), _said(part, files)
    return {path for path in files if one[path] != other[path]}


def differing_owners(index: Path, part: Path, files: Sequence[str]) -> set[str]:
    """Those of ``files``, and of the files that define the systems of ``part``, in folders of other systems.

    If a system foo/bar comes before foo, the folder that both have is not known to be that of foo yet. Files
    in folders of no system get theirs when it is loaded.
    """
    one, other = _owners(index, files), _owners(part, files)
    return {path for path, owner in other.items() if owner is not None and one.get(path) != owner}


def _owners(index: Path, files: Sequence[str]) -> dict[str, str | None]:
    with _reading(index) as connection:
        return dict(connection.execute(_OWNED, [json.dumps(list(files))]).fetchall())


def _said(index: Path, files: Sequence[str]) -> dict[str, tuple[int, int]]:
    """The number of rows about each file, and a sum that tells different rows apart."""
    said = dict.fromkeys(files, (0, 0))
    with _reading(index) as connection:
        for path, *row in connection.execute(_SAID, [json.dumps(list(files))]):
            count, total = said[path]
            said[path] = count + 1, total + hash(tuple(row))
    return said


@contextmanager
def _reading(index: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{quote(str(index))}?mode=ro", uri=True)) as connection:
        yield connection
