"""The system that each package belongs to, derived from where the definitions of its symbols are."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection

_DEFINED_BY = """
SELECT package_id, system_id FROM definitions JOIN source_files ON source_files.id = file_id
WHERE symbol_id IS NULL AND package_id IS NOT NULL ORDER BY definitions.id DESC
"""
# Methods do not count: any system adds some.
_DEFINITIONS = """
SELECT symbols.package_id, system_id, count(*)
FROM json_each(?) AS listed CROSS JOIN symbols ON symbols.package_id = listed.value
CROSS JOIN definitions ON symbol_id = symbols.id CROSS JOIN source_files ON source_files.id = file_id
WHERE kind <> 'method' GROUP BY 1, 2
"""


def own_packages(connection: sqlite3.Connection, packages: Collection[int] | None = None) -> None:
    """Assign ``packages``, by default all, to their systems.

    A package belongs to the system of the file that defines it, else to the one with most definitions of its
    symbols, if that has more than half of them.
    """
    if packages is None:
        packages = [number for (number,) in connection.execute("SELECT id FROM packages")]
    defined = dict(connection.execute(_DEFINED_BY).fetchall())  # the first definition of each
    counts: defaultdict[int, dict[int | None, int]] = defaultdict(dict)
    for package, system, number in connection.execute(_DEFINITIONS, [json.dumps(list(packages))]):
        counts[package][system] = number
    rows = []
    for package in packages:
        counted = counts[package]
        most = max(counted, key=counted.__getitem__, default=None)
        owns_most = bool(counted) and 2 * counted[most] > sum(counted.values())
        rows.append((defined.get(package, most if owns_most else None), package))
    connection.executemany("UPDATE packages SET system_id = ? WHERE id = ?", rows)
