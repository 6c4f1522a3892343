"""The SELECTs of deletions, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

# All definitions of a symbol.
DEFINITIONS_OF = """
SELECT definitions.id, definitions.kind, kinds.documentation_type, definitions.operator, definitions.file_id,
       source_files.path, definitions.start_line, definitions.start_column
FROM definitions
CROSS JOIN kinds ON kinds.kind = definitions.kind
LEFT JOIN source_files ON source_files.id = definitions.file_id
WHERE definitions.symbol_id = :symbol
"""


class DefinitionOfRow(NamedTuple):
    """One row of DEFINITIONS_OF."""

    number: int
    kind: str
    documentation_type: str | None
    operator: str | None
    file: int | None
    path: str | None
    line: int | None
    column: int | None


# What the forms of a file define, with the home packages of the symbols.
DEFINED_IN_FILE = """
SELECT definitions.symbol_id, homes.name, symbols.name, definitions.operator, kinds.documentation_type,
       symbols.exported, definitions.start_line, definitions.start_column
FROM definitions
CROSS JOIN kinds ON kinds.kind = definitions.kind
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages AS homes ON homes.id = symbols.package_id
WHERE definitions.file_id = :file AND definitions.start_line IS NOT NULL
"""


class DefinedHereRow(NamedTuple):
    """One row of DEFINED_IN_FILE."""

    symbol: int
    home: str | None
    name: str
    operator: str | None
    documentation_type: str | None
    exported: int
    line: int
    column: int | None


# The places that make names at run time, with the kinds of the definitions that they are in.
MAKING_NAMES_AT = """
SELECT DISTINCT source_files.path, used.line, definitions.kind, source_files.system_id
FROM symbols
JOIN packages ON packages.id = symbols.package_id
JOIN used_symbols ON used_symbols.symbol_id = symbols.id AND used_symbols.operator IS NULL
JOIN relations ON relations.id = used_symbols.relation_id AND relations.relation IN ('calls', 'names')
JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
JOIN callers ON callers.id = used.caller_id
JOIN source_files ON source_files.id = callers.file_id
LEFT JOIN definitions ON definitions.id = callers.definition_id
WHERE (packages.name = 'COMMON-LISP' AND symbols.name IN ('INTERN', 'FIND-SYMBOL', 'READ-FROM-STRING'))
   OR (symbols.name IN ('SYMBOL-CALL', 'INTERN*', 'FIND-SYMBOL*', 'SYMBOLICATE', 'FORMAT-SYMBOL')
       AND packages.name IN ('ALEXANDRIA', 'ALEXANDRIA-1', 'UIOP/PACKAGE'))
"""


class MakingNamesRow(NamedTuple):
    """One row of MAKING_NAMES_AT."""

    path: str
    line: int | None
    kind: str | None
    system: int | None


# The files that the SBCL of the index has loaded.
FILE_NUMBERS = "SELECT path, id FROM source_files WHERE path IS NOT NULL"
