"""The SELECTs of renames, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

# The definitions of a symbol that have a place.
DEFINED_AT = """
SELECT definitions.kind, source_files.path, definitions.start_line, definitions.defined_by FROM definitions
CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE definitions.symbol_id = :symbol AND source_files.path IS NOT NULL
"""


class DefinedAtRow(NamedTuple):
    """One row of DEFINED_AT; the line is None if only the file is known, ``operator`` that of the form."""

    kind: str
    path: str
    line: int | None
    operator: str | None


# The packages in which a symbol is accessible: present, or inherited if it is exported.
WHERE_ACCESSIBLE = """
SELECT package_id FROM presences WHERE symbol_id = :symbol
UNION SELECT package_uses.package_id FROM presences
CROSS JOIN package_uses ON package_uses.used_id = presences.package_id
WHERE presences.symbol_id = :symbol AND presences.status = 'external'
"""
# The uses of a symbol whose text does not name it: an expansion does, or what made the code.
WITHOUT_PLACE = """
SELECT source_files.path, used.line, expansions.name, relations.relation
FROM used_symbols
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN source_files ON source_files.id = callers.file_id
CROSS JOIN relations ON relations.id = used.relation_id
LEFT JOIN expansions ON expansions.id = used.expansion_id
WHERE used_symbols.symbol_id = :symbol AND used.start_column IS NULL AND source_files.path IS NOT NULL
ORDER BY source_files.path, used.line
"""


class WithoutPlaceRow(NamedTuple):
    """One row of WITHOUT_PLACE; ``expansion`` is the macro in whose expansion the use is."""

    path: str
    line: int | None
    expansion: str | None
    relation: str


# The functions that a structure makes, and its accessors.
MADE_BY_STRUCTURE = """
SELECT symbols.id, symbols.name, packages.name FROM definitions
CROSS JOIN structure_functions ON structure_functions.class_id = definitions.id
CROSS JOIN symbols ON symbols.id = structure_functions.symbol_id
CROSS JOIN packages ON packages.id = symbols.package_id
WHERE definitions.symbol_id = :symbol AND definitions.kind IN ('structure', 'condition')
UNION
SELECT symbols.id, symbols.name, packages.name FROM definitions
CROSS JOIN slot_accessors ON slot_accessors.class_id = definitions.id
CROSS JOIN symbols ON symbols.id = slot_accessors.symbol_id
CROSS JOIN packages ON packages.id = symbols.package_id
WHERE definitions.symbol_id = :symbol AND definitions.kind = 'structure'
"""


class MadeRow(NamedTuple):
    """One row of MADE_BY_STRUCTURE."""

    symbol: int
    name: str
    package: str


# The structures that have an accessor, and the slot that it is of.
ACCESSOR_OF = """
SELECT slots.name, symbols.name FROM slot_accessors
CROSS JOIN definitions ON definitions.id = slot_accessors.class_id AND definitions.kind = 'structure'
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
CROSS JOIN slots ON slots.class_id = slot_accessors.class_id AND slots.position = slot_accessors.slot
WHERE slot_accessors.symbol_id = :symbol
"""

# The definitions in the project whose names have another one in them.
NAMED_WITH = """
SELECT symbols.name, source_files.path, definitions.start_line FROM symbols
CROSS JOIN definitions ON definitions.symbol_id = symbols.id
CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE symbols.package_id = (SELECT package_id FROM symbols WHERE id = :symbol)
  AND symbols.id <> :symbol AND instr(symbols.name, :name) AND source_files.path IS NOT NULL
"""


class NamedWithRow(NamedTuple):
    """One row of NAMED_WITH."""

    name: str
    path: str
    line: int | None
