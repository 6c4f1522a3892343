"""The SELECTs of uses."""

from __future__ import annotations

SYSTEM = "SELECT id, name FROM systems WHERE name = :name"
SYSTEM_NAMES = "SELECT name FROM systems ORDER BY name"

_OF_PROJECT = """
(SELECT source_files.id FROM source_files JOIN systems ON systems.id = source_files.system_id
 WHERE systems.asked = 1
 UNION SELECT source_files.id FROM source_files JOIN roots ON roots.id = source_files.root_id
 WHERE roots.name = 'project' AND EXISTS (SELECT 1 FROM systems WHERE asked = 1))
"""

# The files whose code a part may have, by what it is. A package has code in the files that define its
# symbols, and in those of its system.
FILES = {
    "project": f"SELECT id FROM {_OF_PROJECT}",
    "system": "SELECT id FROM source_files WHERE system_id = :number",
    "package": """
SELECT definitions.file_id FROM symbols CROSS JOIN definitions ON definitions.symbol_id = symbols.id
WHERE symbols.package_id = :number AND definitions.file_id IS NOT NULL
UNION SELECT source_files.id FROM packages JOIN source_files ON source_files.system_id = packages.system_id
WHERE packages.id = :number
""",
    "file": "SELECT id FROM source_files WHERE id = :number",
}

_DEFINED = "definitions.symbol_id IS NOT NULL AND definitions.kind <> 'method'"
# The symbols of a part, by what it is; to a system belong those of SBCL that its packages export.
SYMBOLS = {
    "project": f"""
SELECT symbols.id FROM systems CROSS JOIN packages ON packages.system_id = systems.id
CROSS JOIN symbols ON symbols.package_id = packages.id WHERE systems.asked = 1
UNION SELECT definitions.symbol_id FROM {_OF_PROJECT} AS own
CROSS JOIN definitions ON definitions.file_id = own.id WHERE {_DEFINED}
""",
    "system": f"""
SELECT symbols.id FROM packages CROSS JOIN symbols ON symbols.package_id = packages.id
WHERE packages.system_id = :number
UNION SELECT definitions.symbol_id FROM source_files
CROSS JOIN definitions ON definitions.file_id = source_files.id
WHERE source_files.system_id = :number AND {_DEFINED}
UNION SELECT presences.symbol_id FROM packages
CROSS JOIN presences ON presences.package_id = packages.id AND presences.status = 'external'
CROSS JOIN symbols ON symbols.id = presences.symbol_id
CROSS JOIN packages AS homes ON homes.id = symbols.package_id
WHERE packages.system_id = :number AND homes.system_id IS NULL AND homes.name <> 'COMMON-LISP'
""",
    "package": """
SELECT id FROM symbols WHERE package_id = :number
UNION SELECT symbol_id FROM presences WHERE package_id = :number AND status = 'external'
""",
    "file": f"SELECT DISTINCT symbol_id FROM definitions WHERE file_id = :number AND {_DEFINED}",
}

IN_PACKAGE_LINES = """
SELECT line, text FROM source_lines WHERE file_id = :file AND text LIKE '%in-package%' ORDER BY line
"""
