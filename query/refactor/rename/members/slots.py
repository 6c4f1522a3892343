"""The plan of renaming a slot: where classes define it, and where code names it as a slot."""

from __future__ import annotations

from collections.abc import Collection, Set
from dataclasses import replace

from ....edit.changes import Edit
from ....index.written import own_name, typed_name
from ....syntax.names.meanings import NamedSymbol, Symbol
from ....syntax.nodes import Atom
from ....syntax.walk.files import WalkedForm
from ...errors import RefactorError
from ...gathered import GatheredEdits
from ...plan import EditPlan
from ...project.texts import ProjectText, ProjectTexts
from .. import sql
from ..free import refuse_unless_free
from ..local_names import in_parentheses
from ..sql import HeirRow, OwnedSlotRow
from ..unwritten import tell_class
from ..written import gather_symbol
from .slot_places import (
    class_defined_around,
    class_of_instance,
    has_computed_slots,
    named_slots,
    slots_as_data,
)
from .structure_slots import accessor_names, gather_structure_slot

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
            raise RefactorError(f"{own_name(new, upcase)} is already in use: {shown} has a slot of that name")
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
    # All that an instance of the family, or of a class above it, may be.
    related = {above for heir in family for (above,) in project.index.rows(sql.ANCESTORS, owner=heir)}
    is_computed = has_computed_slots(project)
    for one in project.sources():
        if not one.has(slot.slot_name):
            continue
        for form in one.forms:
            for atom in named_slots(form, slot):
                start = atom.start
                owner = class_defined_around(form, start, others | family)
                of = class_of_instance(form, atom) if others and owner is None else None
                if owner in others or (of is not None and of not in related):
                    continue
                if not project.is_inside(one.path):
                    gathered.tell(one, start, "a link to a file outside the project")
                elif others and owner not in family and (of not in family or others & related):
                    gathered.tell(one, start, _OF_ANOTHER)
                else:
                    written = _written(one, form, atom, new, homes)
                    if any(binding.start == start for binding in form.walked.bindings):
                        # The variable of WITH-SLOTS stays.
                        gathered.add(one, form, Edit(start, atom.end, in_parentheses(atom.text, written)))
                    else:
                        gathered.add(one, form, Edit(start, atom.end, written))
            for atom in slots_as_data(form, slot) if is_computed else ():
                gathered.tell(one, atom.start, "it may be the name of the slot")


def _written(one: ProjectText, form: WalkedForm, atom: Atom, new: str, homes: Collection[str]) -> str:
    """The new name, with a package where the slot's symbol is one of another package."""
    prefix, colons, _ = atom.text.rpartition(":")
    if colons:
        return f"{prefix}{colons}{one.written(new, form, atom.text)}"
    if form.package in homes or len(homes) != 1:
        return one.written(new, form, atom.text)
    return typed_name(new, next(iter(homes)), one.project.index.upcase, external=False)
