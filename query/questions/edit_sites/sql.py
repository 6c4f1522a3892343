"""The SELECTs of xref --edit-sites, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

# The definitions of a name that have a lambda list.
DEFINITIONS = """
SELECT definitions.id, definitions.kind, definitions.arglist, source_files.id, source_files.path,
       definitions.start_line, definitions.start_column, definitions.start_offset, definitions.end_offset
FROM definitions JOIN kinds ON kinds.kind = definitions.kind
LEFT JOIN source_files ON source_files.id = definitions.file_id
WHERE definitions.symbol_id = :symbol AND definitions.operator IS :operator
  AND kinds.documentation_type IN ('FUNCTION', 'COMPILER-MACRO', 'SETF')
UNION
SELECT definitions.id, definitions.kind, definitions.arglist, source_files.id, source_files.path,
       definitions.start_line, definitions.start_column, definitions.start_offset, definitions.end_offset
FROM definitions LEFT JOIN source_files ON source_files.id = definitions.file_id
WHERE definitions.symbol_id = :symbol AND definitions.operator IS :operator AND definitions.kind = 'method'
ORDER BY 1
"""


class SiteDefinitionRow(NamedTuple):
    """One row of DEFINITIONS; offsets count characters from 0."""

    number: int
    kind: str
    arglist: str | None
    file: int | None
    path: str | None
    line: int | None
    column: int | None
    start: int | None
    end: int | None


# Definitions whose documentation has the words of a name, which are one phrase of full text.
DOCUMENTED = """
SELECT definitions.id, symbols.name, definitions.documentation, source_files.path, definitions.start_line,
       definitions.start_column
FROM definitions_fts CROSS JOIN definitions ON definitions.search_id = definitions_fts.rowid
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN source_files ON source_files.id = definitions.file_id
WHERE definitions_fts MATCH :phrase ORDER BY definitions.id LIMIT :most
"""


class DocumentedRow(NamedTuple):
    """One row of DOCUMENTED."""

    number: int
    name: str
    documentation: str
    path: str | None
    line: int | None
    column: int | None
