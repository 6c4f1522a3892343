"""Every SELECT of diff, each with the row that it fills.

``:packages`` is a JSON list of the packages' numbers.
"""

from __future__ import annotations

from typing import NamedTuple

SYSTEMS = "SELECT id, name, asked, version FROM systems"


class ApiSystemRow(NamedTuple):
    """One row of SYSTEMS."""

    id: int
    name: str
    asked: int
    version: str | None


PACKAGES = """
SELECT packages.id, packages.name, packages.documentation, systems.name FROM packages
LEFT JOIN systems ON systems.id = packages.system_id
"""


class ApiPackageRow(NamedTuple):
    """One row of PACKAGES."""

    id: int
    name: str
    documentation: str | None
    system: str | None


NICKNAMES = "SELECT package_id, nickname FROM package_nicknames ORDER BY nickname"

NOT_LOADED = "SELECT DISTINCT subject FROM problems WHERE stage = 'load' ORDER BY subject"

_CHOSEN = "(SELECT value FROM json_each(:packages))"
_EXPORTED = f"""(SELECT symbol_id FROM presences
                 WHERE status = 'external' AND package_id IN {_CHOSEN})"""

EXPORTS = f"""
SELECT presences.package_id, symbols.id, symbols.name, symbols.package_id
FROM presences JOIN symbols ON symbols.id = presences.symbol_id
WHERE presences.status = 'external' AND presences.package_id IN {_CHOSEN}
ORDER BY symbols.name
"""


class ApiExportRow(NamedTuple):
    """One row of EXPORTS; ``home`` is the number of the symbol's home package."""

    package: int
    symbol: int
    name: str
    home: int | None


DEFINITIONS = f"""
SELECT definitions.id, definitions.symbol_id, definitions.kind, definitions.operator,
       definitions.qualifiers, definitions.specializers, definitions.arglist, definitions.ftype,
       definitions.documentation, definitions.value, definitions.deprecated,
       definitions.deprecated_since, definitions.replacement,
       roots.name, source_files.relative_path, definitions.start_line, kinds.documentation_type
FROM definitions
JOIN kinds ON kinds.kind = definitions.kind
LEFT JOIN source_files ON source_files.id = definitions.file_id
LEFT JOIN roots ON roots.id = source_files.root_id
WHERE definitions.symbol_id IN {_EXPORTED}
ORDER BY definitions.id
"""


class ApiDefinitionRow(NamedTuple):
    """One row of DEFINITIONS."""

    id: int
    symbol: int
    kind: str
    operator: str | None
    qualifiers: str | None
    specializers: str | None
    arglist: str | None
    ftype: str | None
    documentation: str | None
    value: str | None
    deprecated: str | None
    deprecated_since: str | None
    replacement: str | None
    root: str | None
    relative_path: str | None
    line: int | None
    documentation_type: str | None


# These read all classes, since a superclass may come from any package.
CLASS_LINKS = """
SELECT definitions.symbol_id, class_superclasses.symbol_id
FROM class_superclasses JOIN definitions ON definitions.id = class_superclasses.class_id
ORDER BY class_superclasses.class_id, class_superclasses.position
"""

CLASS_NAMES = """
SELECT symbols.id, symbols.name, packages.name, symbols.exported, classes.class_id,
       classes.representation
FROM classes JOIN definitions ON definitions.id = classes.class_id
JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
"""


class ApiClassRow(NamedTuple):
    """One row of CLASS_NAMES."""

    symbol: int
    name: str
    home: str | None
    exported: int
    class_id: int
    representation: str | None


SLOTS = """
SELECT slots.class_id, slots.name, slots.type, slots.allocation, slots.initform, slots.documentation,
       slots.initargs, coalesce(symbols.exported, 0),
       EXISTS (SELECT 1 FROM slot_accessors JOIN symbols AS accessor ON accessor.id = slot_accessors.symbol_id
               WHERE slot_accessors.class_id = slots.class_id AND slot_accessors.slot = slots.position
                 AND accessor.exported)
FROM slots LEFT JOIN symbols ON symbols.id = slots.symbol_id
ORDER BY slots.class_id, slots.position
"""


class ApiSlotRow(NamedTuple):
    """One row of SLOTS; ``accessor_exported`` says whether any reader or writer is exported."""

    class_id: int
    name: str
    type: str | None
    allocation: str
    initform: str | None
    documentation: str | None
    initargs: str | None
    exported: int
    accessor_exported: int


DEFAULT_INITARGS = "SELECT class_id, initarg, form FROM default_initargs ORDER BY class_id, position"


class DefaultInitargRow(NamedTuple):
    """One row of DEFAULT_INITARGS."""

    class_id: int
    initarg: str
    form: str


METHOD_SPECIALIZERS = f"""
SELECT method_specializers.definition_id, method_specializers.symbol_id, eql
FROM method_specializers JOIN definitions ON definitions.id = method_specializers.definition_id
WHERE definitions.symbol_id IN {_EXPORTED}
ORDER BY method_specializers.definition_id, method_specializers.position
"""


class ApiSpecializerRow(NamedTuple):
    """One row of METHOD_SPECIALIZERS: a class, or the object of an EQL specializer."""

    method: int
    symbol: int | None
    eql: str | None
