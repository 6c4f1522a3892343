"""Where forms name slots, and of which class the instance is, if a method says so."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ....syntax.nodes import Atom, Node, forms_in
from ....syntax.walk.files import WalkedForm
from ....syntax.walk.nodes import FUNCTION, LIST, QUOTE
from ...project.texts import ProjectTexts
from ..sql import OwnedSlotRow

_ACCESSING = ("SLOT-VALUE", "SLOT-BOUNDP", "SLOT-MAKUNBOUND", "SLOT-EXISTS-P")
_SPECIALIZED = 2  # the items of a parameter with its class


def has_computed_slots(project: ProjectTexts) -> bool:
    """Whether the project accesses slots whose names are not in the text."""
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


def named_slots(form: WalkedForm, slot: OwnedSlotRow) -> Iterator[Atom]:
    """Yield where a form names the slot as a slot."""
    for inner in forms_in(form.toplevel.node):
        for item in inner.items:
            if isinstance(item, Atom) and item.start in form.walked.slots and _is(item, slot):
                yield item


def class_defined_around(form: WalkedForm, start: int, classes: Collection[int | None]) -> int | None:
    """Which of some classes the innermost form around a place defines."""
    around = [
        one
        for one in form.walked.definitions
        if one.form_start <= start < one.form_end and one.symbol.number in classes
    ]
    return max(around, key=lambda one: one.form_start).symbol.number if around else None


def slots_as_data(form: WalkedForm, slot: OwnedSlotRow) -> Iterator[Atom]:
    """Yield where the symbol is data, except names of functions and the like."""
    for inner in forms_in(form.toplevel.node):
        for item in inner.items:
            is_datum = isinstance(item, Atom) and item.start in form.walked.data and _is(item, slot)
            if is_datum and isinstance(item, Atom) and item.start not in form.walked.slots:
                yield item


def _is(atom: Atom, slot: OwnedSlotRow) -> bool:
    if slot.slot is None:  # that of a typed structure
        return atom.name == slot.slot_name
    return atom.value is not None and atom.value.number == slot.slot


def class_of_instance(form: WalkedForm, slot: Atom) -> int | None:
    """The class of the instance whose slot is named, if that is a parameter that a method specializes."""
    instance = _instance(form, slot)
    use = next(
        (one for one in form.walked.uses if instance is not None and one.start == instance.start), None
    )
    if use is None or use.binding is None:
        return None
    for parameter in forms_in(form.toplevel.node):
        if len(parameter.items) == _SPECIALIZED and parameter.items[0].start == use.binding.start:
            specializer = parameter.items[1]
            return specializer.value.number if specializer.value is not None else None
    return None


def _instance(form: WalkedForm, slot: Atom) -> Node | None:
    """What stands for the instance in the form that names a slot."""
    for inner in forms_in(form.toplevel.node):
        word = inner.items[0].word if inner.kind == LIST and len(inner.items) > _SPECIALIZED else ""
        if word in _ACCESSING and inner.items[2].start <= slot.start < inner.items[2].end:
            return inner.items[1]
        if word == "WITH-SLOTS" and inner.items[1].start <= slot.start < inner.items[1].end:
            return inner.items[2]
    return None
