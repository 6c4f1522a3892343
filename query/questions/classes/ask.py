"""class: the parts of a class, its superclasses and subclasses, and the methods on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...index.finding.resolve import Resolved, resolve
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.shown import shown_name
from ...index.written import SymbolRow
from ...syntax.printed import items
from ..paging import page
from . import sql
from .answer import ClassAnswer, MethodAnswer, SlotAnswer, SubclassAnswer
from .inherited import Accessor, inherited_methods, method_answer
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
    chain = ancestors(index, found.symbol)
    slots, accessors = _slots(index, chain)
    inherited = inherited_methods(index, chain, accessors)
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
        slots=slots,
        default_initargs=dict(index.rows(sql.DEFAULT_INITARGS, class_id=row.id)),
        subclasses_total=index.rows(sql.SUBCLASSES_TOTAL, symbol=found.symbol)[0][0],
        subclasses=list(_subclasses(index, found.symbol, bounds)),
        methods_total=index.rows(sql.METHODS_ON_TOTAL, symbol=found.symbol)[0][0],
        methods=list(_methods(index, chain[0], bounds)),
        inherited_methods_total=len(inherited.methods),
        inherited_from=inherited.by_class(index),
        inherited_methods=list(inherited.page(index, limit, offset)),
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


def _slots(index: Reading, chain: Sequence[SymbolRow]) -> tuple[list[SlotAnswer], set[Accessor]]:
    """Return the slots of the first class, those it inherits from the others, and all their accessors."""
    found: list[SlotAnswer] = []
    accessors: set[Accessor] = set()
    for owner in chain:
        known = {slot.name for slot in found}
        for (number,) in index.rows(sql.CLASS_ID, symbol=owner.number):
            slots = [sql.SlotRow(*row) for row in index.rows(sql.SLOTS, class_id=number)]
            rows = list(map(sql.AccessorRow.of, index.rows(sql.SLOT_ACCESSORS, class_id=number)))
            own = {slot.position: slot for slot in slots if slot.name not in known}
            found += [_slot(index, slot, owner, rows) for slot in own.values()]
            accessors |= {(row.symbol.number, row.operator) for row in rows if row.slot in own}
    return found, accessors


def _slot(
    index: Reading, slot: sql.SlotRow, owner: SymbolRow, accessors: Sequence[sql.AccessorRow]
) -> SlotAnswer:
    own = [one for one in accessors if one.slot == slot.position]
    functions = {
        role: [one.symbol.written(index, one.operator) for one in own if one.role == role]
        for role in ("reader", "writer")
    }
    return SlotAnswer(
        name=slot.name,
        defined_in=owner.written(index),
        type=slot.type,
        allocation=slot.allocation,
        initargs=items(f"({slot.initargs})") if slot.initargs else [],
        initform=slot.initform,
        readers=functions["reader"],
        writers=functions["writer"],
        read_only=bool(slot.read_only),
        documentation=slot.documentation,
    )


def _subclasses(index: Reading, symbol: int, bounds: dict[str, int]) -> Iterator[SubclassAnswer]:
    for row in map(sql.SubclassRow.of, index.rows(sql.SUBCLASSES, symbol=symbol, **bounds)):
        yield SubclassAnswer(written=row.symbol.written(index), kind=row.kind, **row.place.start(index))


def _methods(index: Reading, own: SymbolRow, bounds: dict[str, int]) -> Iterator[MethodAnswer]:
    for row in map(sql.MethodRow.of, index.rows(sql.METHODS_ON, symbol=own.number, **bounds)):
        yield method_answer(index, row, own.written(index))
