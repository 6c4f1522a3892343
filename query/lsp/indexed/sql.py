"""The SELECTs of the language server, each with the row that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...index import place, written
from ...index.place import Place
from ...index.written import SymbolRow

FILES = "SELECT id, path FROM source_files WHERE path IS NOT NULL"

TEXT = "SELECT text FROM source_lines WHERE file_id = :file ORDER BY line"

ANY_TEXT = "SELECT 1 FROM source_lines LIMIT 1"

LINES = """
SELECT text FROM source_lines WHERE file_id = :file AND line BETWEEN :first AND :last ORDER BY line
"""

# A carriage return that ends no line for the index, but does for a client.
LONE_RETURN = """
SELECT 1 FROM source_lines
WHERE file_id = :file AND instr(substr(text, 1, length(text) - 1), char(13)) LIMIT 1
"""

# The forms of a file that make definitions.
MADE = "SELECT DISTINCT start_offset FROM definitions WHERE file_id = :file AND start_offset IS NOT NULL"


class FileRow(NamedTuple):
    """One row of FILES."""

    number: int
    path: str


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


class DefinedRow(NamedTuple):
    """One row of DEFINED or DEFINED_FUNCTIONS."""

    kind: str
    operator: str | None
    specializers: str | None
    arglist: str | None
    place: Place
    symbol: SymbolRow

    @classmethod
    def of(cls, row: Sequence[Any]) -> DefinedRow:
        """Make the row, with place and symbol as one value each."""
        end = 4 + len(Place._fields)
        return cls._make([*row[:4], Place._make(row[4:end]), SymbolRow._make(row[end:])])
