"""Every SELECT about classes, each with the row that it fills. The mirror of indexer/write/classes.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...index import place, written
from ...index.place import SourcePlace
from ...index.written import SymbolRow

_PLACED = f"{place.COLUMNS}, {written.COLUMNS}"


def _place_and_symbol(values: Sequence[Any]) -> tuple[SourcePlace, SymbolRow]:
    """Split the columns ``_PLACED``."""
    end = len(SourcePlace._fields)
    return SourcePlace._make(values[:end]), SymbolRow._make(values[end:])


CLASS = f"""
SELECT definitions.id, definitions.kind, definitions.documentation, classes.finalized,
       classes.representation, classes.accessor_prefix, classes.metaclass_id, {place.COLUMNS}
FROM definitions JOIN classes ON classes.class_id = definitions.id
{place.TABLES}
WHERE definitions.symbol_id = :symbol
"""


class ClassRow(NamedTuple):
    """One row of CLASS."""

    id: int
    kind: str
    documentation: str | None
    finalized: int
    representation: str | None
    accessor_prefix: str | None
    metaclass: int | None
    place: SourcePlace

    @classmethod
    def of(cls, row: Sequence[Any]) -> ClassRow:
        """Make the row, with its place as one value."""
        return cls._make([*row[:7], SourcePlace._make(row[7:])])


CLASS_SYMBOL = f"SELECT {written.COLUMNS} FROM symbols WHERE symbols.id = :symbol"

SUPERCLASSES = f"""
SELECT {written.COLUMNS} FROM class_superclasses
JOIN symbols ON symbols.id = class_superclasses.symbol_id
WHERE class_superclasses.class_id = :class_id ORDER BY class_superclasses.position
"""

PRECEDENCE = f"""
SELECT {written.COLUMNS} FROM class_precedence
JOIN symbols ON symbols.id = class_precedence.symbol_id
WHERE class_precedence.class_id = :class_id ORDER BY class_precedence.position
"""

CLASS_ID = """
SELECT classes.class_id FROM definitions JOIN classes ON classes.class_id = definitions.id
WHERE definitions.symbol_id = :symbol
"""

SLOTS = """
SELECT position, name, type, allocation, initform, documentation, read_only, initargs, symbol_id
FROM slots WHERE class_id = :class_id ORDER BY position
"""


class SlotRow(NamedTuple):
    """One row of SLOTS."""

    position: int
    name: str
    type: str | None
    allocation: str
    initform: str | None
    documentation: str | None
    read_only: int
    initargs: str | None
    symbol: int | None


SLOT_ACCESSORS = f"""
SELECT slot_accessors.slot, slot_accessors.role, slot_accessors.operator, {written.COLUMNS}
FROM slot_accessors JOIN symbols ON symbols.id = slot_accessors.symbol_id
WHERE slot_accessors.class_id = :class_id ORDER BY slot_accessors.slot, slot_accessors.position
"""


class AccessorRow(NamedTuple):
    """One row of SLOT_ACCESSORS."""

    slot: int
    role: str
    operator: str | None
    symbol: SymbolRow

    @classmethod
    def of(cls, row: Sequence[Any]) -> AccessorRow:
        """Make the row, with its symbol as one value."""
        return cls._make([*row[:3], SymbolRow._make(row[3:])])


DEFAULT_INITARGS = """
SELECT initarg, form FROM default_initargs WHERE class_id = :class_id ORDER BY position
"""


def _page(numbers: str, limit: str, offset: str) -> str:
    """Take a page of the definitions with the selected ``numbers``, by name, with their symbols and places.

    Only these have their places looked up.
    """
    order = "ORDER BY symbols.name, definitions.id"
    return f"""FROM ({numbers} {order} LIMIT {limit} OFFSET {offset}) AS shown
CROSS JOIN definitions ON definitions.id = shown.id
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
{place.TABLES}
{order}
"""


def subclasses_of(symbol: str, limit: str, offset: str) -> str:
    """Select the direct subclasses of a class, by name; the arguments are SQL expressions."""
    numbers = f"""
SELECT definitions.id FROM class_superclasses
CROSS JOIN definitions ON definitions.id = class_superclasses.class_id
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
WHERE class_superclasses.symbol_id = {symbol}"""
    return f"""
SELECT definitions.kind, {_PLACED}
{_page(numbers, limit, offset)}"""


SUBCLASSES = subclasses_of(":symbol", ":limit", ":offset")


class SubclassRow(NamedTuple):
    """One row of SUBCLASSES."""

    kind: str
    place: SourcePlace
    symbol: SymbolRow

    @classmethod
    def of(cls, row: Sequence[Any]) -> SubclassRow:
        """Make the row, with place and symbol as one value each."""
        return cls(row[0], *_place_and_symbol(row[1:]))


SUBCLASSES_TOTAL = "SELECT count(*) FROM class_superclasses WHERE symbol_id = :symbol"


def methods_on(symbol: str, limit: str, offset: str) -> str:
    """Select the methods that specialize on a class, by name; the arguments are SQL expressions."""
    numbers = f"""
SELECT definitions.id
FROM (SELECT DISTINCT definition_id FROM method_specializers WHERE symbol_id = {symbol})
CROSS JOIN definitions ON definitions.id = definition_id
CROSS JOIN symbols ON symbols.id = definitions.symbol_id"""
    return f"""
SELECT definitions.operator, definitions.qualifiers, definitions.specializers, definitions.arglist,
       {_PLACED}
{_page(numbers, limit, offset)}"""


# All methods on a class, by name.
METHODS_IN_ORDER = """
SELECT definitions.id
FROM (SELECT DISTINCT definition_id FROM method_specializers WHERE symbol_id = :symbol)
CROSS JOIN definitions ON definitions.id = definition_id
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
ORDER BY symbols.name, definitions.id
"""

# The methods that specialize on one of ``classes``, an array of symbols, each with the first such class;
# those of the first class come first.
METHODS_ON_ANY = """
SELECT min(listed.key), definitions.id, definitions.symbol_id, definitions.operator, definitions.qualifiers
FROM json_each(:classes) AS listed
CROSS JOIN method_specializers ON method_specializers.symbol_id = listed.value
CROSS JOIN definitions ON definitions.id = method_specializers.definition_id
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
GROUP BY definitions.id
ORDER BY min(listed.key), symbols.name, definitions.id
"""


class ApplicableRow(NamedTuple):
    """One row of METHODS_ON_ANY; ``place`` is that of the class among those asked for."""

    place: int
    method: int
    symbol: int
    operator: str | None
    qualifiers: str | None


# ``methods`` is an array of definitions, in the order in which they are shown.
METHODS_LISTED = f"""
SELECT definitions.operator, definitions.qualifiers, definitions.specializers, definitions.arglist,
       {_PLACED}
FROM json_each(:methods) AS listed
CROSS JOIN definitions ON definitions.id = listed.value
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
{place.TABLES}
ORDER BY listed.key
"""


class MethodRow(NamedTuple):
    """One row of METHODS_LISTED."""

    operator: str | None
    qualifiers: str | None
    specializers: str | None
    arglist: str | None
    place: SourcePlace
    symbol: SymbolRow

    @classmethod
    def of(cls, row: Sequence[Any]) -> MethodRow:
        """Make the row, with place and symbol as one value each."""
        return cls._make([*row[:4], *_place_and_symbol(row[4:])])


STRUCTURE_FUNCTIONS = f"""
SELECT structure_functions.role, structure_functions.by_position, definitions.arglist, {_PLACED}
FROM structure_functions
CROSS JOIN symbols ON symbols.id = structure_functions.symbol_id
LEFT JOIN definitions ON definitions.symbol_id = symbols.id AND definitions.operator IS NULL
                     AND definitions.kind = 'function'
{place.TABLES}
WHERE structure_functions.class_id = :class_id ORDER BY structure_functions.position
"""


class StructureFunctionRow(NamedTuple):
    """One row of STRUCTURE_FUNCTIONS."""

    role: str
    by_position: int
    arglist: str | None
    place: SourcePlace
    symbol: SymbolRow

    @classmethod
    def of(cls, row: Sequence[Any]) -> StructureFunctionRow:
        """Make the row, with place and symbol as one value each."""
        return cls._make([*row[:3], *_place_and_symbol(row[3:])])


# The lines of the forms of ``methods``, an array of definitions, as far as these are short and written out.
METHOD_TEXTS = """
SELECT definitions.id, definitions.start_column,
       (SELECT group_concat(text, char(10)) FROM (
           SELECT text FROM source_lines WHERE source_lines.file_id = definitions.file_id
              AND line BETWEEN definitions.start_line AND definitions.end_line ORDER BY line))
FROM json_each(:methods) AS listed CROSS JOIN definitions ON definitions.id = listed.value
WHERE definitions.defined_by IN ('defmethod', 'defgeneric')
  AND definitions.end_offset - definitions.start_offset < :characters
"""


class MethodTextRow(NamedTuple):
    """One row of METHOD_TEXTS; ``text`` begins with the first line of the form."""

    method: int
    column: int | None
    text: str | None


# Whether a function has a primary method on a subclass of the class that ``above`` names, as far as
# precedence lists are known, or else direct superclasses.
IMPLEMENTED = """
SELECT 1 FROM definitions
CROSS JOIN method_specializers ON method_specializers.definition_id = definitions.id
CROSS JOIN definitions AS below ON below.symbol_id = method_specializers.symbol_id
WHERE definitions.symbol_id = :symbol AND definitions.operator IS :operator
  AND definitions.kind = 'method' AND definitions.qualifiers IS NULL AND below.symbol_id <> :above
  AND (EXISTS (SELECT 1 FROM class_precedence
               WHERE class_precedence.class_id = below.id AND class_precedence.symbol_id = :above)
       OR EXISTS (SELECT 1 FROM class_superclasses
                  WHERE class_superclasses.class_id = below.id AND class_superclasses.symbol_id = :above))
LIMIT 1
"""

# The functions that never return, by name.
NEVER_RETURN = """
SELECT DISTINCT symbols.name FROM signatures
CROSS JOIN definitions ON definitions.id = signatures.id
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
WHERE signatures.result_types = '(NIL)' AND definitions.kind = 'function'
"""

# ``functions`` is an array of pairs: a symbol, and the operator or null.
GENERIC_FUNCTIONS = f"""
SELECT definitions.arglist, {written.COLUMNS}
FROM json_each(:functions) AS listed
CROSS JOIN symbols ON symbols.id = json_extract(listed.value, '$[0]')
LEFT JOIN definitions ON definitions.symbol_id = symbols.id AND definitions.kind = 'generic-function'
                     AND definitions.operator IS json_extract(listed.value, '$[1]')
ORDER BY listed.key
"""


class GenericFunctionRow(NamedTuple):
    """One row of GENERIC_FUNCTIONS."""

    arglist: str | None
    symbol: SymbolRow

    @classmethod
    def of(cls, row: Sequence[Any]) -> GenericFunctionRow:
        """Make the row, with its symbol as one value."""
        return cls(row[0], SymbolRow._make(row[1:]))
