"""The plan of renaming a slot: where classes define it, and where code names it as a slot."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from dataclasses import replace

from ...edit.changes import Edit
from ...index.written import own_name, typed_name
from ...syntax.names.meanings import NamedSymbol, Symbol
from ...syntax.nodes import Atom, forms_in
from ...syntax.walk.files import WalkedForm
from ...syntax.walk.nodes import FUNCTION, LIST, QUOTE
from ..errors import RefactorError
from ..gathered import GatheredEdits
from ..plan import EditPlan
from ..project.texts import ProjectText, ProjectTexts
from . import sql
from .free import refuse_unless_free
from .local_names import in_parentheses
from .sql import HeirRow, OwnedSlotRow
from .structure_slots import accessor_names, gather_structure_slot
from .unwritten import tell_class
from .written import gather_symbol

_ACCESSING = ("SLOT-VALUE", "SLOT-BOUNDP", "SLOT-MAKUNBOUND", "SLOT-EXISTS-P")
_OF_ANOTHER = "it may be the slot of another class: rename the symbol to change both"


def slot_of(project: ProjectTexts, owner: Symbol, slot: str) -> OwnedSlotRow:
    """The direct slot of a name of a class. Raises RefactorError if there is none."""
    index = project.index
    for row in map(OwnedSlotRow._make, index.rows(sql.CLASS_WITH_SLOT, owner=owner.number, slot=slot)):
        return row
    known = [own_name(name, index.upcase) for (name,) in index.rows(sql.SLOT_NAMES, owner=owner.number)]
    told = f"; it has {', '.join(known)}" if known else ""
    shown = own_name(owner.name, index.upcase)
    raise RefactorError(f"{shown} has no slot {own_name(slot, index.upcase)} of its own{told}")


def heirs_of(project: ProjectTexts, slot: OwnedSlotRow) -> list[HeirRow]:
    """The class of a slot, and those that inherit from it."""
    return [*map(HeirRow._make, project.index.rows(sql.HEIRS, owner=slot.number))]


def planned_slot(project: ProjectTexts, slot: OwnedSlotRow, new: str) -> EditPlan:
    """The plan of renaming a slot to an exact name. Raises RefactorError."""
    index, upcase = project.index, project.index.upcase
    heirs = heirs_of(project, slot)
    for heir in heirs:
        if (new,) in index.rows(sql.SLOT_NAMES, owner=heir.number):
            shown = own_name(heir.name, upcase)
            raise RefactorError(f"{own_name(new, upcase)} is not free: {shown} has a slot of that name")
    names = accessor_names(project, slot, heirs, new) if slot.kind == "structure" else {}
    for one, name in names.items():
        refuse_unless_free(project, one, one.package or "", name)
    gathered = GatheredEdits(project)
    _gather_names(gathered, slot, {heir.number for heir in heirs}, new)
    if slot.kind == "structure":
        gather_structure_slot(gathered, slot.slot_name, heirs, new)
    owner = NamedSymbol(slot.package, slot.name, slot.number)
    tell_class(gathered, owner, "the slot is not written here")
    for one, name in names.items():
        gather_symbol(gathered, one, name, {each.name for each in names}, is_made=True)
    renamed = {slot.slot_name: new, **{one.name: name for one, name in names.items()}}
    plan = gathered.renaming({own_name(one, upcase): own_name(name, upcase) for one, name in renamed.items()})
    # The symbol of the old name may be one of another package, such as COMMON-LISP.
    return replace(plan, rehomed=frozenset((slot.slot_name,)))


def _gather_names(gathered: GatheredEdits, slot: OwnedSlotRow, family: Set[int], new: str) -> None:
    """Where the slot is named: in the forms of the classes, and as a slot elsewhere."""
    project = gathered.project
    rows = project.index.rows(sql.CLASSES_WITH_SLOT, symbol=slot.slot)
    others = {number for number, _ in rows if number not in family}
    homes = {form.package for _, form in project.forms_defining(slot.number)}
    is_computed = _has_computed_slots(project)
    for one in project.sources():
        if not one.has(slot.slot_name):
            continue
        for form in one.forms:
            for atom, start in _named_slots(form, slot):
                owner = _owner(form, start, others | family)
                if owner in others:
                    continue
                if not project.is_inside(one.path):
                    gathered.tell(one, start, "a link to a file outside of the project")
                elif others and owner not in family:
                    gathered.tell(one, start, _OF_ANOTHER)
                else:
                    written = _written(one, form, atom, new, homes)
                    if any(binding.start == start for binding in form.walked.bindings):
                        # The variable of WITH-SLOTS stays.
                        gathered.add(one, form, Edit(start, atom.end, in_parentheses(atom.text, written)))
                    else:
                        gathered.add(one, form, Edit(start, atom.end, written))
            for atom in _as_data(form, slot) if is_computed else ():
                gathered.tell(one, atom.start, "it may be the name of the slot")


def _has_computed_slots(project: ProjectTexts) -> bool:
    """Whether the project asks for slots whose names the text does not have."""
    for one in project.sources():
        if not any(map(one.has, _ACCESSING)):
            continue
        for inner in (inner for form in one.forms for inner in forms_in(form.toplevel.node)):
            if inner.kind == LIST and inner.items and inner.items[0].word in _ACCESSING:
                if any(argument.kind != QUOTE for argument in inner.items[2:3]):
                    return True
            elif inner.kind in (FUNCTION, QUOTE) and inner.items[0].word in _ACCESSING:
                return True
    return False


def _named_slots(form: WalkedForm, slot: OwnedSlotRow) -> Iterator[tuple[Atom, int]]:
    for inner in forms_in(form.toplevel.node):
        for item in inner.items:
            if isinstance(item, Atom) and item.start in form.walked.slots and _is(item, slot):
                yield item, item.start


def _owner(form: WalkedForm, start: int, classes: Collection[int | None]) -> int | None:
    """Which of some classes the innermost form around a place defines."""
    around = [
        one
        for one in form.walked.definitions
        if one.form_start <= start < one.form_end and one.symbol.number in classes
    ]
    return max(around, key=lambda one: one.form_start).symbol.number if around else None


def _as_data(form: WalkedForm, slot: OwnedSlotRow) -> Iterator[Atom]:
    """Where the symbol is data, but for the names of functions and the like."""
    for inner in forms_in(form.toplevel.node):
        for item in inner.items:
            is_datum = isinstance(item, Atom) and item.start in form.walked.data and _is(item, slot)
            if is_datum and isinstance(item, Atom) and item.start not in form.walked.slots:
                yield item


def _is(atom: Atom, slot: OwnedSlotRow) -> bool:
    if slot.slot is None:  # that of a typed structure
        return atom.name == slot.slot_name
    return atom.value is not None and atom.value.number == slot.slot


def _written(one: ProjectText, form: WalkedForm, atom: Atom, new: str, homes: Collection[str]) -> str:
    """The new name, with a package where the slot's symbol is one of another package."""
    prefix, colons, _ = atom.text.rpartition(":")
    if colons:
        return f"{prefix}{colons}{one.written(new, form, atom.text)}"
    if form.package in homes or len(homes) != 1:
        return one.written(new, form, atom.text)
    return typed_name(new, next(iter(homes)), one.project.index.upcase, external=False)
