"""The SELECTs of moves, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

FILES = "SELECT id, path FROM source_files WHERE path IS NOT NULL"


class IndexedFileRow(NamedTuple):
    """One row of FILES."""

    number: int
    path: str


# The symbols that the forms of a file define.
DEFINED_IN = """
SELECT homes.name, symbols.name, definitions.start_line, definitions.start_column FROM definitions
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages AS homes ON homes.id = symbols.package_id
WHERE definitions.file_id = :file AND definitions.start_line IS NOT NULL
"""


class DefinedInRow(NamedTuple):
    """One row of DEFINED_IN; ``home`` is the home package of the symbol."""

    home: str | None
    name: str
    line: int
    column: int | None
