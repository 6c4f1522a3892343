"""Compares the direct slots of two versions of an exported class, structure or condition.

A slot that other packages cannot reach with a single colon - its name is not exported, and it has
neither an exported accessor nor an initarg - is internal: its changes require only a patch.
Accessors are compared as functions.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..api import Api, ClassFacts, Slot
from ..comparison import Comparison
from ..findings import MAJOR, MINOR, PATCH, Finding
from .variables import compare_types


def compare_slots(
    comparison: Comparison, facet: str, kind: str, before: ClassFacts, after: ClassFacts
) -> Iterator[Finding]:
    """The lost and new slots, and the changes in type, allocation, initial value and documentation."""
    old = {slot.name: slot for slot in before.slots}
    new = {slot.name: slot for slot in after.slots}
    inherited = _inherited(comparison.new, after)
    for name, slot in old.items():
        if name in new:
            yield from _slot(comparison, facet, slot, new[name])
            if kind != "structure":  # a structure's slot without an initform is NIL anyway
                yield from _initial_value(facet, slot, new[name], after)
        elif name not in inherited:
            step = MAJOR if slot.reachable else PATCH
            yield Finding("slot-removed", step, facet, f"its slot {name} is gone", name, name)
    had = _inherited(comparison.old, before)
    for name, slot in new.items():
        if name not in old and name not in had:
            step = MINOR if slot.reachable else PATCH
            yield Finding("slot-added", step, facet, f"it has a new slot {name}", name, None, name)
    yield from _default_initargs(facet, before, after)


def _inherited(api: Api, one: ClassFacts) -> set[str]:
    above = [api.classes[symbol] for symbol in api.ancestors(one.symbol) if symbol in api.classes]
    return {slot.name for facts in above for slot in facts.slots}


def _slot(comparison: Comparison, facet: str, old: Slot, new: Slot) -> Iterator[Finding]:
    reachable = old.reachable
    for finding in compare_types(comparison, facet, f"the slot {old.name}'s", old.name, old.type, new.type):
        yield Finding(
            "slot-type",
            finding.step if reachable else PATCH,
            *(facet, finding.message, old.name, finding.old, finding.new),
        )
    if old.allocation != new.allocation:
        message = f"its slot {old.name} is now allocated in the {new.allocation}"
        step = MAJOR if reachable else PATCH
        yield Finding("slot-allocation", step, facet, message, old.name, old.allocation, new.allocation)
    if (old.documentation or None) != (new.documentation or None):
        message = f"the documentation of its slot {old.name} changed"
        texts = old.documentation, new.documentation
        yield Finding("slot-documentation", PATCH, facet, message, old.name, *texts)


def _initial_value(facet: str, old: Slot, new: Slot, after: ClassFacts) -> Iterator[Finding]:
    if old.initform == new.initform:
        return
    if old.initform is None:
        message = f"its slot {old.name} now has an initial value"
        yield Finding("initform", PATCH, facet, message, old.name, None, new.initform)
    elif new.initform is None and not any(one in after.default_initargs for one in new.initargs):
        message = f"its slot {old.name} no longer has an initial value"
        step = MAJOR if old.reachable else PATCH
        yield Finding("initform-removed", step, facet, message, old.name, old.initform)
    else:
        message = f"the initial value of its slot {old.name} changed"
        yield Finding("initform", PATCH, facet, message, old.name, old.initform, new.initform)


def _default_initargs(facet: str, before: ClassFacts, after: ClassFacts) -> Iterator[Finding]:
    old, new = before.default_initargs, after.default_initargs
    for initarg in dict.fromkeys([*old, *new]):
        was, now = old.get(initarg), new.get(initarg)
        if was != now:
            message = (
                f"the default of its initarg {initarg} is now {now}"
                if now
                else f"its initarg {initarg} no longer has a default"
            )
            yield Finding("default-initarg", PATCH, facet, message, initarg, was, now)
