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
from .answer import ClassAnswer, SlotAnswer, SubclassAnswer
from .applicable import Accessor, applicable, own_methods
from .applicable import page as methods_page
from .parameters import ClassParameters
from .precedence import ancestors, computed, is_root, is_standard, recorded, superclasses
from .structure import CONSTRUCTOR, COPIER, PREDICATE, structure_functions
from .to_implement import to_implement
from .uses import HANDLED, MADE, uses


def describe_class(index: Reading, asked: ClassParameters) -> ClassAnswer | NotFound:
    """Answer class from ``index``."""
    limit, offset = asked.limit, asked.offset
    found = resolve(index, asked.name, asked.package)
    if isinstance(found, NotFound):
        return found
    rows = index.rows(sql.CLASS, symbol=found.symbol)
    if not rows:
        return no_class(index, found)
    row = sql.ClassRow.of(rows[0])
    chain = ancestors(index, found.symbol)
    slots, accessors = _slots(index, chain)
    methods = applicable(index, chain, accessors)
    own = own_methods(index, methods)
    metaclass = _symbol(index, row.metaclass) if row.metaclass else None
    built_in = is_root(index, chain[0]) or (
        metaclass is not None and is_standard(index, metaclass, "BUILT-IN-CLASS")
    )
    open_ones = to_implement(index, methods.chain, methods.rows, built_in=built_in)
    functions = structure_functions(index, row.id)
    found_uses = uses(index, found, limit, offset, built_in=built_in)
    return ClassAnswer(
        name=found.name,
        package=found.home,
        written=_symbol(index, found.symbol).written(index),
        kind=row.kind,
        metaclass=None if metaclass is None else metaclass.written(index),
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
        constructors=functions[CONSTRUCTOR],
        predicate=next(iter(functions[PREDICATE]), None),
        copier=next(iter(functions[COPIER]), None),
        made_total=found_uses[MADE].total,
        made_in=found_uses[MADE].uses,
        handled_total=found_uses[HANDLED].total,
        handled_in=found_uses[HANDLED].uses,
        printer=methods.printer(),
        to_implement_total=len(open_ones.functions),
        to_implement=list(open_ones.page(index, limit, offset)),
        unread_methods=open_ones.unread,
        subclasses_total=index.rows(sql.SUBCLASSES_TOTAL, symbol=found.symbol)[0][0],
        subclasses=list(_subclasses(index, found.symbol, page(limit, offset))),
        methods_total=len(own),
        methods=methods_page(index, own, limit, offset),
        inherited_methods_total=len(methods.inherited),
        inherited_from=methods.inherited_by_class(),
        inherited_methods=methods_page(index, methods.inherited, limit, offset),
        offset=offset,
        note=found.note,
    )


def no_class(index: Reading, found: Resolved) -> NotFound:
    """Return the negative answer for a symbol that names no class."""
    name = _symbol(index, found.symbol).written(index)
    return NotFound(
        "class-not-found",
        f"{shown_name(name)} names no class",
        f"The symbol exists (type: {found.type.lower()}), but names no class, structure or condition.",
        [],
    )


def _symbol(index: Reading, symbol: int) -> SymbolRow:
    (row,) = index.rows(sql.CLASS_SYMBOL, symbol=symbol)
    return SymbolRow(*row)


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
            accessors |= {(owner.number, row.symbol.number, row.operator) for row in rows if row.slot in own}
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
