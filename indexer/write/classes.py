"""Records about classes -> rows of their tables. The mirror of query/questions/classes/sql.py."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from sqlalchemy import Table

from ..records import Class, Specializers
from ..schema import classes as tables
from ..schema.columns import Row


def class_rows(record: Class) -> Iterator[tuple[Table, list[Row]]]:
    """The rows of a class, table by table."""
    number = record.definition
    facts = (record.metaclass, int(record.finalized), record.representation, record.prefix)
    yield tables.classes, [(number, *facts)]
    yield tables.class_superclasses, [(number, *row) for row in enumerate(record.superclasses)]
    yield tables.class_precedence, [(number, *row) for row in enumerate(record.precedence)]
    yield (
        tables.default_initargs,
        [(number, place, *pair) for place, pair in enumerate(record.default_initargs)],
    )
    yield tables.structure_functions, [(number, *row) for row in _function_rows(record.functions)]
    for place, slot in enumerate(record.slots):
        name, symbol, kind, allocation, initform, documentation, read_only, initargs, *accessors = slot
        about = (symbol, kind, allocation, initform, documentation, int(read_only), initargs)
        yield tables.slots, [(number, place, name, *about)]
        yield tables.slot_accessors, list(_accessor_rows(number, place, *accessors))


def _function_rows(functions: list[list[Any]]) -> Iterator[Row]:
    for place, (role, by_position, symbol) in enumerate(functions):
        yield place, role, int(by_position), symbol


def _accessor_rows(
    number: int, slot: int, readers: list[list[Any]], writers: list[list[Any]]
) -> Iterator[Row]:
    places = count()
    for role, functions in (("reader", readers), ("writer", writers)):
        for symbol, operator in functions:
            yield number, slot, next(places), role, symbol, operator


def specializer_rows(record: Specializers) -> list[Row]:
    """The rows of a method's specializers."""
    return [(record.definition, place, *row) for place, row in enumerate(record.rows)]
