"""class: the parts of a class, its superclasses and subclasses, and the methods on it."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.finding.resolve import Resolved, resolve
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.shown import shown_name
from ...index.written import SymbolRow
from ...syntax.printed import items
from ..paging import page
from . import sql
from .answer import ClassAnswer, MethodAnswer, SlotAnswer, SubclassAnswer
from .precedence import ancestors, computed, recorded, superclasses


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
    row = sql.ClassRow.of(rows[0])
    bounds = page(limit, offset)
    above = ancestors(index, found.symbol)[1:]
    return ClassAnswer(
        name=found.name,
        package=found.home,
        written=_written(index, found.symbol),
        kind=row.kind,
        metaclass=_written(index, row.metaclass) if row.metaclass else None,
        representation=row.representation,
        accessor_prefix=row.accessor_prefix,
        documentation=row.documentation,
        **row.place.start(index),
        system=row.place.system,
        superclasses=[one.written(index) for one in superclasses(index, row.id)],
        precedence=[one.written(index) for one in recorded(index, row.id)] if row.finalized else None,
        computed_precedence=None if row.finalized else _computed(index, found.symbol),
        slots=_slots(index, found.symbol, row.id, above),
        default_initargs=dict(index.rows(sql.DEFAULT_INITARGS, class_id=row.id)),
        subclasses_total=index.rows(sql.SUBCLASSES_TOTAL, symbol=found.symbol)[0][0],
        subclasses=list(_subclasses(index, found.symbol, bounds)),
        methods_total=index.rows(sql.METHODS_ON_TOTAL, symbol=found.symbol)[0][0],
        methods=list(_methods(index, found.symbol, bounds)),
        offset=offset,
        note=found.note,
    )


def _no_class(index: Reading, found: Resolved) -> NotFound:
    name = _written(index, found.symbol)
    return NotFound(
        "class-not-found",
        f"{shown_name(name)} names no class",
        f"The symbol exists, with type {found.type.lower()}, but is not a class, structure or condition.",
        [],
    )


def _written(index: Reading, symbol: int) -> str:
    (row,) = index.rows(sql.CLASS_SYMBOL, symbol=symbol)
    return SymbolRow(*row).written(index)


def _computed(index: Reading, symbol: int) -> list[str] | None:
    order = computed(index, symbol)
    return None if order is None else [one.written(index) for one in order]


def _slots(index: Reading, symbol: int, class_id: int, above: list[SymbolRow]) -> list[SlotAnswer]:
    """Return the slots of the class, then the inherited ones from ``above`` that it does not redefine."""
    found = list(_direct_slots(index, symbol, class_id))
    for superclass in above:
        known = {slot.name for slot in found}
        for (number,) in index.rows(sql.CLASS_ID, symbol=superclass.number):
            slots = _direct_slots(index, superclass.number, number)
            found += [slot for slot in slots if slot.name not in known]
    return found


def _direct_slots(index: Reading, symbol: int, class_id: int) -> Iterator[SlotAnswer]:
    slots = [sql.SlotRow(*row) for row in index.rows(sql.SLOTS, class_id=class_id)]
    if not slots:
        return
    defined_in = _written(index, symbol)
    accessors: dict[tuple[int, str], list[str]] = {}
    for one in map(sql.AccessorRow.of, index.rows(sql.SLOT_ACCESSORS, class_id=class_id)):
        accessors.setdefault((one.slot, one.role), []).append(one.symbol.written(index, one.operator))
    for slot in slots:
        yield SlotAnswer(
            name=slot.name,
            defined_in=defined_in,
            type=slot.type,
            allocation=slot.allocation,
            initargs=items(f"({slot.initargs})") if slot.initargs else [],
            initform=slot.initform,
            readers=accessors.get((slot.position, "reader"), []),
            writers=accessors.get((slot.position, "writer"), []),
            read_only=bool(slot.read_only),
            documentation=slot.documentation,
        )


def _subclasses(index: Reading, symbol: int, bounds: dict[str, int]) -> Iterator[SubclassAnswer]:
    for row in map(sql.SubclassRow.of, index.rows(sql.SUBCLASSES, symbol=symbol, **bounds)):
        yield SubclassAnswer(written=row.symbol.written(index), kind=row.kind, **row.place.start(index))


def _methods(index: Reading, symbol: int, bounds: dict[str, int]) -> Iterator[MethodAnswer]:
    for row in map(sql.MethodRow.of, index.rows(sql.METHODS_ON, symbol=symbol, **bounds)):
        home = row.symbol.package
        yield MethodAnswer(
            written=row.symbol.written(index, row.operator),
            package=None if home is None else index.package_names[home],
            qualifiers=row.qualifiers,
            specializers=row.specializers,
            arglist=row.arglist,
            **row.place.start(index),
        )
