"""The plan of renaming a symbol: all that reads as it, and what may name it without being read as it."""

from __future__ import annotations

from ...index.finding.resolve import resolve
from ...index.not_found import NotFound
from ...index.written import own_name
from ...syntax.names.meanings import NamedSymbol
from ..errors import RefactorError, not_found_error
from ..gathered import GatheredEdits
from ..plan import EditPlan
from ..project.texts import ProjectTexts
from . import sql
from .free import new_name, refuse_unless_defined_here, refuse_unless_free, refuse_unless_ours
from .made_names import derived_names
from .members.slots import heirs_of, planned_slot, slot_of
from .members.structure_options import gather_option
from .members.structure_slots import accessor_names, gather_structure_slot
from .sql import OwnedSlotRow
from .written import gather_symbol


def renamed_symbol(
    project: ProjectTexts, old: str, new: str, package: str, *, docs: bool = False
) -> EditPlan:
    """The plan of renaming the symbol that ``old`` names in a package. Raises RefactorError.

    With ``docs``, comments, documentation strings and documents are edited, too.
    """
    found = resolve(project.index, old, package)
    if isinstance(found, NotFound):
        raise not_found_error(found)
    symbol = NamedSymbol(found.home, found.name, found.symbol)
    exact = new_name(project, new)
    refuse_unless_ours(project, symbol, found.home)
    refuse_unless_defined_here(project, symbol)
    for owner, slot in project.index.rows(sql.ACCESSOR_OF, symbol=symbol.number):
        return _renamed_accessor(project, symbol, slot_of(project, NamedSymbol("", "", owner), slot), exact)
    names = {symbol: exact, **dict(derived_names(project, symbol, exact))}
    gathered = GatheredEdits(project)
    for owner, kind in project.index.rows(sql.CLASSES_WITH_SLOT, symbol=symbol.number):
        if kind == "structure":
            slot = slot_of(project, NamedSymbol("", "", owner), symbol.name)
            names |= accessor_names(project, slot, heirs_of(project, slot), exact)
            gather_structure_slot(gathered, slot.slot_name, heirs_of(project, slot), exact)
    for one, name in names.items():
        refuse_unless_free(project, one, one.package or "", name)
    is_made = gather_option(gathered, symbol, exact)
    changed = {one.name for one in names}
    for one, name in names.items():
        gather_symbol(gathered, one, name, changed, docs=docs, is_made=is_made or one != symbol)
    upcase = project.index.upcase
    return gathered.renaming(
        {own_name(one.name, upcase): own_name(name, upcase) for one, name in names.items()}
    )


def _renamed_accessor(project: ProjectTexts, accessor: NamedSymbol, slot: OwnedSlotRow, new: str) -> EditPlan:
    """The plan of renaming an accessor that a structure makes, and its slot with it."""
    prefix = accessor.name.removesuffix(slot.slot_name)
    name = new.removeprefix(prefix)
    if not new.startswith(prefix) or not name or not accessor.name.endswith(slot.slot_name):
        upcase = project.index.upcase
        raise RefactorError(
            f"the structure {own_name(slot.name, upcase)} makes {own_name(accessor.name, upcase)} from "
            f"{own_name(prefix, upcase)} and a slot name: the new name must also begin with that prefix"
        )
    return planned_slot(project, slot, name)
