"""The SELECTs of at, each with the row that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...index import written
from ...index.written import SymbolRow

# The definition that is a whole toplevel form around a line.
TOPLEVEL = """
SELECT start_line, start_offset, end_offset FROM definitions
WHERE file_id = :file AND form_number = 0 AND start_line <= :line AND end_line >= :line LIMIT 1
"""


class ToplevelRow(NamedTuple):
    """One row of TOPLEVEL; offsets count characters from 0."""

    line: int
    start: int
    end: int


# The definitions that overlap some text.
AROUND = f"""
SELECT definitions.operator, definitions.defined_by, definitions.start_offset, definitions.end_offset,
       {written.COLUMNS}
FROM definitions CROSS JOIN symbols ON symbols.id = definitions.symbol_id
WHERE definitions.file_id = :file AND definitions.start_offset < :end AND definitions.end_offset > :start
ORDER BY definitions.id
"""


class AroundRow(NamedTuple):
    """One row of AROUND."""

    operator: str | None
    defined_by: str | None
    start: int
    end: int
    symbol: SymbolRow

    @classmethod
    def of(cls, row: Sequence[Any]) -> AroundRow:
        """Make the row, with its symbol as one value."""
        return cls._make([*row[:4], SymbolRow._make(row[4:])])


# Whether the text may change how it is read.
READTABLES = "SELECT 1 FROM source_lines WHERE file_id = :file AND text LIKE '%readtable%' LIMIT 1"

SYMBOLS = f"""
SELECT {written.COLUMNS} FROM json_each(:symbols) AS listed CROSS JOIN symbols ON symbols.id = listed.value
"""

# What symbols may mean; a method is only a part of that.
MEANT = """
SELECT definitions.symbol_id, definitions.kind, definitions.operator, kinds.documentation_type,
       definitions.arglist, source_files.path, definitions.start_line
FROM json_each(:symbols) AS listed
CROSS JOIN definitions ON definitions.symbol_id = listed.value
CROSS JOIN kinds ON kinds.kind = definitions.kind
LEFT JOIN source_files ON source_files.id = definitions.file_id
WHERE definitions.kind <> 'method'
ORDER BY definitions.symbol_id, definitions.id
"""


class NameMeaningRow(NamedTuple):
    """One row of MEANT."""

    symbol: int
    kind: str
    operator: str | None
    documentation_type: str | None
    arglist: str | None
    path: str | None
    line: int | None
