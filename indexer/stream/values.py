"""The values in a record, compared with the declarations of its fields."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, NamedTuple, cast

from ..record_fields import LARGEST, Cell, DeclaredField, declared
from ..records import Record
from .rules import VALUES, BreachError

_SHOWN = 60
_NAMES = {str: "a text", bool: "true or false", list: "a list"}

Refer = Callable[[str, Any, str, bool], None]
"""Called with what a value stands for, the value, where it is, and whether that may come later."""


class FieldType(NamedTuple):
    """A field of a record: its name, its declaration, and its Python type; ``element`` is that of a list."""

    name: str
    facts: DeclaredField
    type: type
    optional: bool
    element: Cell | None


def field_types(cls: type[Record]) -> tuple[FieldType, ...]:
    """The fields of a type of record."""
    return _field_types(cast(Any, cls))


@cache
def _field_types(cls: Any) -> tuple[FieldType, ...]:
    hints = typing.get_type_hints(cls)
    return tuple(_field_type(one.name, declared(one), hints[one.name]) for one in fields(cls))


def _field_type(name: str, facts: DeclaredField, hint: Any) -> FieldType:
    bare, optional = _bare(hint)
    if typing.get_origin(bare) is not list:
        return FieldType(name, facts, bare, optional, None)
    element = None
    if not facts.rows:
        inner, inner_optional = _bare(*typing.get_args(bare))
        element = Cell(name, inner, "", facts.of, facts.words, inner_optional, path=facts.path)
    return FieldType(name, facts, list, optional, element)


def _bare(hint: Any) -> tuple[Any, bool]:
    """A type without None, and whether None was part of it."""
    if isinstance(hint, types.UnionType):
        (bare,) = (part for part in typing.get_args(hint) if part is not type(None))
        return bare, True
    return hint, False


def check_values(record: Record, refer: Refer) -> None:
    """Raise BreachError unless all values in ``record`` are what its fields declare.

    ``refer`` is called for each that stands for something else, and may raise it, too.
    """
    for one in field_types(type(record)):
        _check_field(one, getattr(record, one.name), refer)


def _check_field(one: FieldType, value: Any, refer: Refer) -> None:
    facts = one.facts
    if one.type is not list:
        cell = Cell(one.name, one.type, "", facts.of, facts.words, one.optional, path=facts.path)
        _check(cell, value, one.name, facts.least, refer)
        return
    if not isinstance(value, list):
        raise _not(one.name, value, "a list")
    if facts.flat:
        size = len(facts.rows)
        if len(value) % size:
            raise _not(f"the number of values in {one.name}", len(value), f"a multiple of {size}")
        value = [value[start : start + size] for start in range(0, len(value), size)]
    if facts.rows:
        _check_rows(facts.rows, value, one.name, refer, later=facts.later)
    elif one.element:
        for place, element in enumerate(value):
            _check(one.element, element, f"{one.name}[{place}]", 0, refer, later=facts.later)


def _check_rows(cells: Sequence[Cell], rows: list[Any], where: str, refer: Refer, *, later: bool) -> None:
    for place, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != len(cells):
            raise _not(f"{where}[{place}]", row, f"a list of {len(cells)} values")
        for cell, value in zip(cells, row, strict=True):
            _check(cell, value, f"{where}[{place}].{cell.name}", 0, refer, later=later)


def _check(cell: Cell, value: Any, where: str, least: int, refer: Refer, *, later: bool = False) -> None:
    if value is None:
        if not cell.optional:
            raise BreachError(VALUES, f"{where} is null")
        return
    if cell.type is int:
        if type(value) is not int or not least <= value <= LARGEST:
            raise _not(where, value, f"a whole number from {least} to {LARGEST}")
    elif type(value) is not cell.type:
        raise _not(where, value, _NAMES[cell.type])
    if cell.words and value not in cell.words:
        raise _not(where, value, f"one of {', '.join(cell.words)}")
    if cell.path and ("\0" in value or not value.startswith("/")):
        raise _not(where, value, "an absolute path")
    if cell.of:
        refer(cell.of, value, where, later)
    if cell.type is list:
        _check_list(cell, value, where, refer)


def _check_list(cell: Cell, value: list[Any], where: str, refer: Refer) -> None:
    if len(cell.cells) > 1:
        _check_rows(cell.cells, value, where, refer, later=False)
    else:
        for place, one in enumerate(value):
            _check(cell.cells[0], one, f"{where}[{place}]", 0, refer)


def _not(where: str, value: Any, what: str) -> BreachError:
    text = ascii(value)
    text = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
    return BreachError(VALUES, f"{where} is {text}, not {what}")
