"""The SELECTs of slot, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

# All classes that have a slot of this name: CLOS compares symbols, structures compare names.
SLOTS_NAMED = """
SELECT slots.class_id, definitions.symbol_id, slots.position, slots.symbol_id, slots.initargs,
       definitions.kind
FROM slots CROSS JOIN definitions ON definitions.id = slots.class_id
WHERE slots.name = :name ORDER BY slots.class_id
"""


class NamedSlotRow(NamedTuple):
    """One row of SLOTS_NAMED; the symbols are those that name the class and the slot."""

    class_id: int
    of: int
    position: int
    slot: int | None
    initargs: str | None
    kind: str


# The classes below some, and these themselves, by the symbols that name them.
BELOW = """
WITH RECURSIVE below (symbol) AS (
    SELECT value FROM json_each(:classes)
    UNION
    SELECT definitions.symbol_id FROM below
    CROSS JOIN class_superclasses ON class_superclasses.symbol_id = below.symbol
    CROSS JOIN definitions ON definitions.id = class_superclasses.class_id
)
SELECT symbol FROM below
"""

# The accessors that structures have of an included slot: functions that their own forms define.
INCLUDED_ACCESSORS = """
SELECT DISTINCT symbols.id
FROM json_each(:classes) AS listed
CROSS JOIN definitions AS structure ON structure.symbol_id = listed.value AND structure.kind = 'structure'
CROSS JOIN classes ON classes.class_id = structure.id
CROSS JOIN symbols ON symbols.name = coalesce(classes.accessor_prefix, '') || :name
CROSS JOIN definitions AS accessor ON accessor.symbol_id = symbols.id AND accessor.kind = 'function'
  AND accessor.file_id = structure.file_id AND accessor.toplevel_form = structure.toplevel_form
ORDER BY symbols.id
"""

# The constructors of structures, each after the structure that it makes, with the arguments of those that
# take slots by position (by-order-of-arguments constructors, CLHS DEFSTRUCT).
CONSTRUCTORS = """
SELECT definitions.symbol_id, structure_functions.symbol_id,
       CASE WHEN structure_functions.by_position THEN (
           SELECT made.arglist FROM definitions AS made
           WHERE made.symbol_id = structure_functions.symbol_id AND made.kind = 'function' LIMIT 1) END
FROM json_each(:classes) AS listed
CROSS JOIN definitions ON definitions.symbol_id = listed.value AND definitions.kind = 'structure'
CROSS JOIN structure_functions ON structure_functions.class_id = definitions.id
  AND structure_functions.role = 'constructor'
ORDER BY structure_functions.symbol_id
"""


class ConstructorRow(NamedTuple):
    """One row of CONSTRUCTORS."""

    structure: int
    constructor: int
    arglist: str | None


# The classes that methods of accessors specialize on.
SPECIALIZED = """
SELECT DISTINCT definitions.symbol_id, method_specializers.symbol_id
FROM json_each(:symbols) AS listed
CROSS JOIN definitions ON definitions.symbol_id = listed.value AND definitions.kind = 'method'
CROSS JOIN method_specializers ON method_specializers.definition_id = definitions.id
WHERE method_specializers.symbol_id IS NOT NULL
"""

KEYWORDS = """
SELECT symbols.id, symbols.name FROM json_each(:names) AS listed
CROSS JOIN symbols ON symbols.name = listed.value
CROSS JOIN packages ON packages.id = symbols.package_id AND packages.name = 'KEYWORD'
"""

# The names of the slots of a class, inherited ones too as far as its precedence list is known.
SLOT_NAMES = """
SELECT DISTINCT slots.name FROM definitions
CROSS JOIN classes ON classes.class_id = definitions.id
CROSS JOIN slots ON slots.class_id = classes.class_id OR slots.class_id IN (
    SELECT above.id FROM class_precedence
    CROSS JOIN definitions AS above ON above.symbol_id = class_precedence.symbol_id
    WHERE class_precedence.class_id = classes.class_id)
WHERE definitions.symbol_id = :symbol ORDER BY slots.name
"""
