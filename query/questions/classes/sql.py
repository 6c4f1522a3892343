"""Every SELECT about classes, each with the row that it fills. The mirror of indexer/write/classes.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...index import place, written
from ...index.place import Place
from ...index.written import SymbolRow

_PLACED = f"{place.COLUMNS}, {written.COLUMNS}"


def _place_and_symbol(values: Sequence[Any]) -> tuple[Place, SymbolRow]:
    """Split the columns ``_PLACED``."""
    end = len(Place._fields)
    return Place._make(values[:end]), SymbolRow._make(values[end:])


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
    place: Place

    @classmethod
    def of(cls, row: Sequence[Any]) -> ClassRow:
        """Make the row, with its place as one value."""
        return cls._make([*row[:7], Place._make(row[7:])])


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
    place: Place
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


METHODS_ON = methods_on(":symbol", ":limit", ":offset")

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
    """One row of METHODS_ON or METHODS_LISTED."""

    operator: str | None
    qualifiers: str | None
    specializers: str | None
    arglist: str | None
    place: Place
    symbol: SymbolRow

    @classmethod
    def of(cls, row: Sequence[Any]) -> MethodRow:
        """Make the row, with place and symbol as one value each."""
        return cls._make([*row[:4], *_place_and_symbol(row[4:])])


METHODS_ON_TOTAL = """
SELECT count(DISTINCT definition_id) FROM method_specializers WHERE symbol_id = :symbol
"""
