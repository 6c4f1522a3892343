"""The SELECTs of package edits, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

# The files with the forms that define a package.
PACKAGE_FILES = """
SELECT source_files.path FROM packages
CROSS JOIN definitions ON definitions.symbol_id IS NULL AND definitions.package_id = packages.id
  AND definitions.kind = 'package'
CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE packages.name = :package AND source_files.path IS NOT NULL
"""

# What a package exports.
EXPORTED = """
SELECT symbols.id, symbols.name, homes.name FROM presences
CROSS JOIN symbols ON symbols.id = presences.symbol_id
LEFT JOIN packages AS homes ON homes.id = symbols.package_id
WHERE presences.package_id = (SELECT id FROM packages WHERE name = :package)
  AND presences.status = 'external' ORDER BY symbols.name
"""


class ExportedRow(NamedTuple):
    """One row of EXPORTED; ``home`` is the home package."""

    number: int
    name: str
    home: str | None


# The packages that export a symbol.
EXPORTERS = """
SELECT packages.name FROM presences CROSS JOIN packages ON packages.id = presences.package_id
WHERE presences.symbol_id = :symbol AND presences.status = 'external' ORDER BY packages.name
"""

# The packages that a package uses.
USED = """
SELECT used.name FROM package_uses CROSS JOIN packages AS used ON used.id = package_uses.used_id
WHERE package_uses.package_id = (SELECT id FROM packages WHERE name = :package)
"""
# The names by which packages call one among themselves, the most usual first.
LOCAL_NICKNAMES_OF = """
SELECT nickname FROM package_local_nicknames
WHERE target_id = (SELECT id FROM packages WHERE name = :package)
GROUP BY nickname ORDER BY count(*) DESC, nickname
"""
