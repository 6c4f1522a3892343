"""class: what a class is made of, its place among the others, and the methods on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.resolve import Resolved, resolve
from ...index.shown import shown_name
from ...index.written import written
from ...syntax.lexemes import items
from ..paging import page
from . import sql
from .answer import ClassAnswer, MethodAnswer, SlotAnswer, SubclassAnswer


def describe_class(
    index: Reading, name: str, package: str, limit: int, offset: int
) -> ClassAnswer | NotFound:
    """Answer class from ``index``; the arguments are those of Index.class_."""
    found = resolve(index, name, package)
    if isinstance(found, NotFound):
        return found
    rows = index.rows(sql.CLASS, symbol=found.symbol)
    if not rows:
        return _no_class(index, found)
    class_id, kind, documentation, finalized, representation, prefix, metaclass, system, *place = rows[0]
    superclasses = index.rows(sql.SUPERCLASSES, class_id=class_id)
    precedence = index.rows(sql.PRECEDENCE, class_id=class_id)
    bounds = page(limit, offset)
    above = [row[0] for row in precedence[1:]] or list(_all_above(index, class_id))
    return ClassAnswer(
        name=found.name,
        package=found.home,
        written=_symbol(index, found.symbol),
        kind=kind,
        metaclass=_symbol(index, metaclass) if metaclass else None,
        representation=representation,
        accessor_prefix=prefix,
        documentation=documentation,
        **_place(index, *place),
        system=system,
        superclasses=[_written(index, row[1:]) for row in superclasses],
        precedence=[_written(index, row[1:]) for row in precedence] if finalized else None,
        slots=_slots(index, found.symbol, class_id, above),
        default_initargs=dict(index.rows(sql.DEFAULT_INITARGS, class_id=class_id)),
        subclasses_total=index.rows(sql.SUBCLASSES_TOTAL, symbol=found.symbol)[0][0],
        subclasses=list(_subclasses(index, found.symbol, bounds)),
        methods_total=index.rows(sql.METHODS_ON_TOTAL, symbol=found.symbol)[0][0],
        methods=list(_methods(index, found.symbol, bounds)),
        offset=offset,
        note=found.note,
    )


def _no_class(index: Reading, found: Resolved) -> NotFound:
    name = _symbol(index, found.symbol)
    return NotFound(
        "class-not-found",
        f"{shown_name(name)} names no class",
        f"The symbol is there; it is of type {found.type.lower()}, but no class, structure or condition.",
        [],
    )


def _written(index: Reading, row: Sequence[Any], operator: str | None = None) -> str:
    name, package, status = row
    return written(index, name, None if package is None else index.package_names[package], status, operator)


def _symbol(index: Reading, symbol: int) -> str:
    return _written(index, index.rows(sql.CLASS_SYMBOL, symbol=symbol)[0])


def _place(
    index: Reading,
    path: str | None,
    root: str | None,
    relative_path: str | None,
    line: int | None,
    column: int | None,
) -> dict[str, Any]:
    return {
        "path": index.local_path(path),
        "root": root,
        "relative_path": relative_path,
        "line": line,
        "column": column,
    }


def _all_above(index: Reading, class_id: int) -> Iterator[int]:
    """The symbols of all superclasses, the nearest first, when there is no precedence list yet."""
    seen: set[int] = set()
    waiting = [class_id]
    while waiting:
        for symbol, *_ in index.rows(sql.SUPERCLASSES, class_id=waiting.pop(0)):
            if symbol not in seen:
                seen.add(symbol)
                yield symbol
                waiting += [row[0] for row in index.rows(sql.CLASS_ID, symbol=symbol)]


def _slots(index: Reading, symbol: int, class_id: int, above: list[int]) -> list[SlotAnswer]:
    """The slots of the class, then those of the classes ``above`` it that it does not define anew."""
    found = list(_direct_slots(index, symbol, class_id))
    for superclass in above:
        known = {slot.name for slot in found}
        for (number,) in index.rows(sql.CLASS_ID, symbol=superclass):
            found += [slot for slot in _direct_slots(index, superclass, number) if slot.name not in known]
    return found


def _direct_slots(index: Reading, symbol: int, class_id: int) -> Iterator[SlotAnswer]:
    rows = index.rows(sql.SLOTS, class_id=class_id)
    if not rows:
        return
    defined_in = _symbol(index, symbol)
    accessors: dict[tuple[int, str], list[str]] = {}
    for slot, role, operator, *name in index.rows(sql.SLOT_ACCESSORS, class_id=class_id):
        accessors.setdefault((slot, role), []).append(_written(index, (*name,), operator))
    for place, name, kind, allocation, initform, documentation, read_only, initargs, _ in rows:
        yield SlotAnswer(
            name=name,
            defined_in=defined_in,
            type=kind,
            allocation=allocation,
            initargs=items(f"({initargs})") if initargs else [],
            initform=initform,
            readers=accessors.get((place, "reader"), []),
            writers=accessors.get((place, "writer"), []),
            read_only=bool(read_only),
            documentation=documentation,
        )


def _subclasses(index: Reading, symbol: int, bounds: dict[str, int]) -> Iterator[SubclassAnswer]:
    for kind, *rest in index.rows(sql.SUBCLASSES, symbol=symbol, **bounds):
        yield SubclassAnswer(written=_written(index, rest[5:]), kind=kind, **_place(index, *rest[:5]))


def _methods(index: Reading, symbol: int, bounds: dict[str, int]) -> Iterator[MethodAnswer]:
    rows = index.rows(sql.METHODS_ON, symbol=symbol, **bounds)
    for operator, qualifiers, specializers, arglist, *rest in rows:
        yield MethodAnswer(
            written=_written(index, rest[5:], operator),
            package=index.package_names.get(rest[6]),
            qualifiers=qualifiers,
            specializers=specializers,
            arglist=arglist,
            **_place(index, *rest[:5]),
        )
