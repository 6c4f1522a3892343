"""What a structure makes from the name of a slot: accessors, keywords, and what its constructors bind.

An accessor's name is that of the slot after a prefix, also in structures that include this one; constructors
take a keyword of the name, or bind a variable of it, in a lambda list of their own (CLHS DEFSTRUCT).
"""

from __future__ import annotations

from collections.abc import Sequence

from ....edit.changes import Edit
from ....syntax.names.meanings import NamedSymbol
from ....syntax.nodes import Atom, Form, forms_in
from ....syntax.walk.files import WalkedForm
from ...errors import RefactorError
from ...gathered import GatheredEdits
from ...project.texts import ProjectText, ProjectTexts
from .. import sql
from ..local_names import local_edits
from ..sql import HeirRow, MadeRow, OwnedSlotRow
from .keyword_places import keyword_places
from .keywords import gather_keyword

_LITERAL = "#s"


def accessor_names(
    project: ProjectTexts, slot: OwnedSlotRow, heirs: Sequence[HeirRow], new: str
) -> dict[NamedSymbol, str]:
    """The accessors of a slot, with their new names. Raises RefactorError for one that has another name."""
    index, names = project.index, {}
    rows = index.rows(sql.SLOT_ACCESSORS, owner=slot.class_id, slot=slot.position)
    for row in map(MadeRow._make, rows):
        if not row.name.endswith(slot.slot_name):
            raise RefactorError(f"the accessor {row.name} is not named after the slot {slot.slot_name}")
        names[row.named] = f"{row.name.removesuffix(slot.slot_name)}{new}"
    for heir in heirs:
        name = f"{heir.prefix or ''}{slot.slot_name}"
        for row in map(MadeRow._make, index.rows(sql.MADE_WITH, owner=heir.class_id, name=name)):
            names[row.named] = f"{heir.prefix or ''}{new}"
    return names


def gather_structure_slot(gathered: GatheredEdits, slot: str, heirs: Sequence[HeirRow], new: str) -> None:
    """Gather what the constructors of a structure, and of those that include it, take for a slot."""
    project = gathered.project
    for heir in heirs:
        rows = project.index.rows(sql.CONSTRUCTORS, owner=heir.class_id)
        for row in map(MadeRow._make, rows):
            gather_keyword(gathered, row.named, slot, new, 0)
        for one, form in project.forms_defining(heir.number):
            _gather_own_constructors(gathered, one, form, slot, new)
        _gather_literals(gathered, heir, slot, new)


def _gather_own_constructors(
    gathered: GatheredEdits, one: ProjectText, form: WalkedForm, slot: str, new: str
) -> None:
    """The lambda lists of constructors: ``(:constructor name (slot &key (other 1)))``."""
    for option in forms_in(form.toplevel.node):
        is_constructor = option.kind == "(" and option.items and option.items[0].word == ":CONSTRUCTOR"
        for parameters in option.items[2:3] if is_constructor else ():
            if not isinstance(parameters, Form):
                continue
            for binding in form.walked.bindings:
                inside = parameters.start < binding.start < parameters.end
                if inside and binding.name == slot:
                    for edit in local_edits(gathered.project, one, form, binding, new):
                        gathered.add(one, form, edit)


def _gather_literals(gathered: GatheredEdits, heir: HeirRow, slot: str, new: str) -> None:
    """Structures that are read: ``#S(name :slot 1)`` (CLHS 2.4.8.13)."""
    for one in gathered.project.sources():
        if not (one.has(heir.name) and one.has(slot)):
            continue
        for form in one.forms:
            for literal in forms_in(form.toplevel.node):
                items = _items(literal) if literal.kind == _LITERAL else []
                if not items or items[0].value is None or items[0].value.number != heir.number:
                    continue
                for keyword in keyword_places(one.text, items[1:], 0, slot).keywords:
                    written = f":{one.written(new, form, keyword.text)}"
                    gathered.add(one, form, Edit(keyword.start, keyword.end, written))


def _items(literal: Form) -> list[Atom | Form]:
    inner = literal.items[0] if literal.items else None
    return inner.items if isinstance(inner, Form) else literal.items
