"""The SELECTs of outline, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

# The definitions in some files, in the order of their text.
DEFINITIONS = """
SELECT definitions.id, definitions.kind, kinds.documentation_type, definitions.symbol_id,
       definitions.operator, packages.name, symbols.exported, definitions.package_id, definitions.arglist,
       definitions.qualifiers, definitions.specializers, definitions.defined_by, definitions.file_id,
       source_files.path, definitions.start_line, definitions.start_offset, definitions.end_offset
FROM json_each(:files) AS listed
CROSS JOIN definitions ON definitions.file_id = listed.value AND definitions.kind <> 'declaration'
CROSS JOIN source_files ON source_files.id = definitions.file_id
CROSS JOIN kinds ON kinds.kind = definitions.kind
LEFT JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
ORDER BY source_files.path, definitions.start_offset, definitions.end_offset, definitions.id
"""


class OutlinedRow(NamedTuple):
    """One row of DEFINITIONS; ``defines`` is the number of the package that it defines."""

    number: int
    kind: str
    documentation_type: str | None
    symbol: int | None
    operator: str | None
    package: str | None
    exported: int | None
    defines: int | None
    arglist: str | None
    qualifiers: str | None
    specializers: str | None
    defined_by: str | None
    file: int
    path: str | None
    line: int | None
    start: int | None
    end: int | None


# The direct superclasses of classes, except the one that all classes of their kind have.
SUPERCLASSES = """
SELECT class_superclasses.class_id, class_superclasses.symbol_id
FROM json_each(:classes) AS listed
CROSS JOIN class_superclasses ON class_superclasses.class_id = listed.value
CROSS JOIN symbols ON symbols.id = class_superclasses.symbol_id
WHERE symbols.name NOT IN ('STANDARD-OBJECT', 'STRUCTURE-OBJECT')
ORDER BY class_superclasses.class_id, class_superclasses.position
"""


class SuperclassRow(NamedTuple):
    """One row of SUPERCLASSES."""

    of: int
    symbol: int
