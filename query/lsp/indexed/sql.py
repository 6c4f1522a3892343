"""The SELECTs of the language server, each with the row that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...index import place, written
from ...index.place import SourcePlace
from ...index.written import SymbolRow

FILES = "SELECT id, path FROM source_files WHERE path IS NOT NULL"

TEXT = "SELECT text FROM source_lines WHERE file_id = :file ORDER BY line"

ANY_TEXT = "SELECT 1 FROM source_lines LIMIT 1"

LINES = """
SELECT text FROM source_lines WHERE file_id = :file AND line BETWEEN :first AND :last ORDER BY line
"""

DIGEST = "SELECT sha256 FROM source_files WHERE id = :file"

# The files with carriage returns that end no line for the index, but do for a client.
LONE_RETURNS = "SELECT DISTINCT file_id FROM source_lines WHERE text GLOB '*' || char(13) || '?*'"


class PathRow(NamedTuple):
    """One row of FILES."""

    number: int
    path: str


# Some of the uses in one run of a name's uses, each with its line in the indexed text. Thousands may be on
# one long line, which is not repeated for each.
TEXT_USES = """
SELECT callers.file_id, source_files.path, used.line, used.start_column, used.length, expansions.name,
       CASE WHEN length(source_lines.text) <= 2000 THEN source_lines.text END, callers.definition_id
FROM symbol_references AS used CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN source_files ON source_files.id = callers.file_id
LEFT JOIN expansions ON expansions.id = used.expansion_id
LEFT JOIN source_lines ON source_lines.file_id = callers.file_id AND source_lines.line = used.line
WHERE used.id BETWEEN :first AND :last AND used.line IS NOT NULL AND source_files.path IS NOT NULL
ORDER BY used.id
"""


class TextUseRow(NamedTuple):
    """One row of TEXT_USES; ``length`` is None where it is that of the name, ``text`` that of a long line.

    ``definition`` is the number of the definition whose code it is.
    """

    file: int
    path: str
    line: int
    column: int | None
    length: int | None
    expansion: str | None
    text: str | None
    definition: int | None


# A definition by its number, and the functions of a name.
_DEFINED = f"""
SELECT definitions.kind, definitions.operator, definitions.specializers, definitions.arglist,
       {place.COLUMNS}, {written.COLUMNS}
FROM definitions
JOIN symbols ON symbols.id = definitions.symbol_id
{place.TABLES}
"""
DEFINED = f"{_DEFINED} WHERE definitions.id = :definition"
DEFINED_FUNCTIONS = f"""{_DEFINED} JOIN kinds ON kinds.kind = definitions.kind
WHERE definitions.symbol_id = :symbol AND definitions.operator IS :operator
  AND kinds.documentation_type IN ('FUNCTION', 'SETF') AND definitions.kind <> 'method'
ORDER BY definitions.id
"""


class PlacedFunctionRow(NamedTuple):
    """One row of DEFINED or DEFINED_FUNCTIONS."""

    kind: str
    operator: str | None
    specializers: str | None
    arglist: str | None
    place: SourcePlace
    symbol: SymbolRow

    @classmethod
    def of(cls, row: Sequence[Any]) -> PlacedFunctionRow:
        """Make the row, with place and symbol as one value each."""
        end = 4 + len(SourcePlace._fields)
        return cls._make([*row[:4], SourcePlace._make(row[4:end]), SymbolRow._make(row[end:])])


# The lambda lists of the functions, macros and methods that a name has.
LAMBDA_LISTS = """
SELECT CASE WHEN kind = 'method' THEN specializers END, arglist FROM definitions
WHERE symbol_id = :symbol AND operator IS NULL AND arglist IS NOT NULL
  AND kind IN ('function', 'generic-function', 'macro', 'special-operator', 'method')
ORDER BY id
"""


class LambdaListRow(NamedTuple):
    """One row of LAMBDA_LISTS; only methods have specializers."""

    specializers: str | None
    arglist: str


SYSTEM_NAMES = "SELECT name FROM systems ORDER BY name"

# The names that a package exports.
EXPORTED_NAMES = """
SELECT symbols.name FROM presences CROSS JOIN symbols ON symbols.id = presences.symbol_id
WHERE presences.package_id = :package AND presences.status = 'external' ORDER BY symbols.name
"""

# The folder of the system that a file belongs to.
ROOT_OF_FILE = """
SELECT roots.path FROM source_files CROSS JOIN roots ON roots.id = source_files.root_id
WHERE source_files.id = :file
"""
# The packages that export a symbol of a name, those first whose symbol it is.
EXPORTERS_OF = """
SELECT packages.name, symbols.package_id = packages.id AS own FROM symbols
CROSS JOIN presences ON presences.symbol_id = symbols.id AND presences.status = 'external'
CROSS JOIN packages ON packages.id = presences.package_id
WHERE symbols.name = :name AND packages.name <> 'KEYWORD' AND symbols.type <> 'SYMBOL'
ORDER BY own DESC, packages.name LIMIT :limit
"""
# Whether anything that one package exports has the name of a different symbol in another package.
CONFLICTS = """
SELECT 1 FROM presences AS exported
CROSS JOIN symbols ON symbols.id = exported.symbol_id
CROSS JOIN symbols AS others ON others.name = symbols.name AND others.id <> symbols.id
WHERE exported.package_id = (SELECT id FROM packages WHERE name = :package) AND exported.status = 'external'
  AND EXISTS (SELECT 1 FROM presences WHERE presences.symbol_id = others.id
              AND (presences.package_id = (SELECT id FROM packages WHERE name = :within)
                   OR presences.status = 'external' AND presences.package_id IN
                      (SELECT used_id FROM package_uses
                       WHERE package_id = (SELECT id FROM packages WHERE name = :within))))
LIMIT 1
"""
# The file that defines the system of a source file.
SYSTEM_OF_FILE = """
SELECT systems.name, systems.definition_path FROM source_files
CROSS JOIN systems ON systems.id = source_files.system_id WHERE source_files.id = :file
"""
# The systems, with the files that define them.
SYSTEM_FILES = "SELECT name, definition_path FROM systems"
# How many definitions call or otherwise use what a name means.
CALLERS_COUNT = """
SELECT max(callers_count) FROM definitions WHERE symbol_id = :symbol AND operator IS :operator
HAVING count(*)
"""
