"""The SELECTs of renames, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

from ...syntax.names.meanings import NamedSymbol

# The definitions of a symbol that have a place, and those of the classes that have it as the name of a slot.
DEFINED_AT = """
SELECT definitions.kind, source_files.path, definitions.start_line, definitions.defined_by FROM definitions
CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE definitions.symbol_id = :symbol AND source_files.path IS NOT NULL
UNION ALL
SELECT 'slot', source_files.path, definitions.start_line, definitions.defined_by
FROM symbols CROSS JOIN slots ON slots.name = symbols.name AND slots.symbol_id = symbols.id
CROSS JOIN definitions ON definitions.id = slots.class_id
CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE symbols.id = :symbol AND source_files.path IS NOT NULL
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


# The files outside of a folder that use a symbol, with a line of each.
USED_OUTSIDE = """
SELECT source_files.path, min(used.line) FROM used_symbols
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN source_files ON source_files.id = callers.file_id
WHERE used_symbols.symbol_id = :symbol AND source_files.path IS NOT NULL
  AND substr(source_files.path, 1, length(:below)) <> :below
GROUP BY source_files.path
"""


class UsedOutsideRow(NamedTuple):
    """One row of USED_OUTSIDE, and of PACKAGE_USED_OUTSIDE."""

    path: str
    line: int | None


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
    """One row of MADE_BY_STRUCTURE, SLOT_ACCESSORS, MADE_WITH or CONSTRUCTORS."""

    symbol: int
    name: str
    package: str

    @property
    def named(self) -> NamedSymbol:
        """The symbol."""
        return NamedSymbol(self.package, self.name, self.symbol)


# The structures that have an accessor, and the slot that it is of.
ACCESSOR_OF = """
SELECT DISTINCT definitions.symbol_id, slots.name FROM slot_accessors
CROSS JOIN definitions ON definitions.id = slot_accessors.class_id AND definitions.kind = 'structure'
CROSS JOIN slots ON slots.class_id = slot_accessors.class_id AND slots.position = slot_accessors.slot
WHERE slot_accessors.symbol_id = :symbol
"""

# A class with a direct slot of a name.
CLASS_WITH_SLOT = """
SELECT definitions.id, definitions.kind, symbols.id, symbols.name, packages.name,
       slots.symbol_id, slots.position, slots.name
FROM definitions CROSS JOIN symbols ON symbols.id = definitions.symbol_id
CROSS JOIN packages ON packages.id = symbols.package_id
CROSS JOIN slots ON slots.class_id = definitions.id AND slots.name = :slot
WHERE definitions.symbol_id = :owner AND definitions.kind IN ('structure', 'class', 'condition')
"""


class OwnedSlotRow(NamedTuple):
    """One row of CLASS_WITH_SLOT: the class, and the symbol and position of its slot."""

    class_id: int
    kind: str
    number: int
    name: str
    package: str
    slot: int | None
    position: int
    slot_name: str


# The accessors of a slot of a structure.
SLOT_ACCESSORS = """
SELECT DISTINCT symbols.id, symbols.name, packages.name FROM slot_accessors
CROSS JOIN symbols ON symbols.id = slot_accessors.symbol_id
CROSS JOIN packages ON packages.id = symbols.package_id
WHERE slot_accessors.class_id = :owner AND slot_accessors.slot = :slot
"""

# The classes that inherit from one, and itself.
HEIRS = """
WITH RECURSIVE below (number) AS (
  SELECT :owner
  UNION SELECT definitions.symbol_id FROM below
  CROSS JOIN class_superclasses ON class_superclasses.symbol_id = below.number
  CROSS JOIN definitions ON definitions.id = class_superclasses.class_id
)
SELECT definitions.id, symbols.id, symbols.name, packages.name, classes.accessor_prefix
FROM below CROSS JOIN symbols ON symbols.id = below.number
CROSS JOIN packages ON packages.id = symbols.package_id
CROSS JOIN definitions ON definitions.symbol_id = symbols.id
CROSS JOIN classes ON classes.class_id = definitions.id
"""


class HeirRow(NamedTuple):
    """One row of HEIRS; ``prefix`` is that of a structure's accessors."""

    class_id: int
    number: int
    name: str
    package: str
    prefix: str | None


# The functions of a name that have the place of a class: accessors of slots that a structure inherits.
MADE_WITH = """
SELECT DISTINCT symbols.id, symbols.name, packages.name FROM symbols
CROSS JOIN packages ON packages.id = symbols.package_id
CROSS JOIN definitions AS made ON made.symbol_id = symbols.id
CROSS JOIN definitions AS class ON class.id = :owner
WHERE symbols.name = :name AND made.file_id = class.file_id AND made.start_line = class.start_line
"""

# The constructors of a class that take the names of its slots as keywords.
CONSTRUCTORS = """
SELECT symbols.id, symbols.name, packages.name FROM structure_functions
CROSS JOIN symbols ON symbols.id = structure_functions.symbol_id
CROSS JOIN packages ON packages.id = symbols.package_id
WHERE structure_functions.class_id = :owner AND role = 'constructor' AND NOT by_position
"""

# The structures that make a function with them, and what it is to each.
MADE_FOR = """
SELECT DISTINCT structures.symbol_id, structure_functions.role FROM definitions AS made
CROSS JOIN definitions AS structures
  ON structures.file_id = made.file_id AND structures.start_offset = made.start_offset
CROSS JOIN structure_functions ON structure_functions.class_id = structures.id
WHERE made.symbol_id = :symbol AND structure_functions.symbol_id = :symbol
"""

# The structures of which a function is a constructor that takes keywords.
CONSTRUCTED_BY = """
SELECT DISTINCT structures.symbol_id FROM definitions AS made
CROSS JOIN definitions AS structures
  ON structures.file_id = made.file_id AND structures.start_offset = made.start_offset
CROSS JOIN structure_functions ON structure_functions.class_id = structures.id
WHERE made.symbol_id = :symbol AND structure_functions.symbol_id = :symbol
  AND structure_functions.role = 'constructor' AND NOT structure_functions.by_position
"""

# The classes with a direct slot of a symbol.
CLASSES_WITH_SLOT = """
SELECT DISTINCT definitions.symbol_id, definitions.kind FROM symbols
CROSS JOIN slots ON slots.name = symbols.name AND slots.symbol_id = symbols.id
CROSS JOIN definitions ON definitions.id = slots.class_id
WHERE symbols.id = :symbol
"""

# The initargs of the direct slots of a class, as SBCL prints them, those of a slot in one text.
INITARGS = """
SELECT slots.initargs FROM definitions CROSS JOIN slots ON slots.class_id = definitions.id
WHERE definitions.symbol_id = :owner AND slots.initargs IS NOT NULL
"""
# The classes that a class inherits from, and itself.
ANCESTORS = """
WITH RECURSIVE above (number) AS (
  SELECT :owner
  UNION SELECT class_superclasses.symbol_id FROM above
  CROSS JOIN definitions ON definitions.symbol_id = above.number
  CROSS JOIN class_superclasses ON class_superclasses.class_id = definitions.id
)
SELECT number FROM above
"""

# The names of the direct slots of a class.
SLOT_NAMES = """
SELECT slots.name FROM definitions CROSS JOIN slots ON slots.class_id = definitions.id
WHERE definitions.symbol_id = :owner ORDER BY slots.position
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


SYSTEM_NAMED = "SELECT id FROM systems WHERE name = :name"
SYSTEM_FILE = "SELECT definition_path FROM systems WHERE name = :name AND definition_path IS NOT NULL"

# The packages in which a name is a local nickname.
NICKNAMED = """
SELECT packages.name FROM package_local_nicknames
CROSS JOIN packages ON packages.id = package_local_nicknames.package_id
WHERE package_local_nicknames.nickname = :nickname
"""

# The files outside of a folder that use symbols of a package.
PACKAGE_USED_OUTSIDE = """
SELECT source_files.path, min(used.line) FROM presences
CROSS JOIN symbols ON symbols.id = presences.symbol_id AND symbols.package_id = presences.package_id
CROSS JOIN used_symbols ON used_symbols.symbol_id = symbols.id
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN source_files ON source_files.id = callers.file_id
WHERE presences.package_id = :package AND source_files.path IS NOT NULL
  AND substr(source_files.path, 1, length(:below)) <> :below
GROUP BY source_files.path
"""

# The files that define packages that use one.
USERS_OF_PACKAGE = """
SELECT DISTINCT source_files.path FROM package_uses
CROSS JOIN definitions ON definitions.symbol_id IS NULL
  AND definitions.package_id = package_uses.package_id AND definitions.kind = 'package'
CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE package_uses.used_id = :package AND source_files.path IS NOT NULL
"""
