"""Compares two versions of an exported class, structure, condition or type."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.kinds import CLASSES
from ..api import Api, ClassFacts, Slot
from ..comparison import Comparison
from ..findings import MAJOR, MINOR, PATCH, Finding
from ..sql import ApiDefinitionRow
from .lambda_lists import compare_arglists
from .slots import compare_slots


def compare_type_definitions(
    comparison: Comparison, facet: str, old: ApiDefinitionRow, new: ApiDefinitionRow
) -> Iterator[Finding]:
    """The changes in kind, superclasses, slots and initargs; for a DEFTYPE, in the lambda list."""
    if old.kind != new.kind:
        yield _kind(facet, old, new)
        return
    if old.kind not in CLASSES:
        if old.arglist is not None and new.arglist is not None:
            yield from compare_arglists(facet, old.arglist, new.arglist)
        return
    before, after = comparison.old.classes.get(old.symbol), comparison.new.classes.get(new.symbol)
    if before is None or after is None:
        return
    if before.representation != after.representation:
        message = f"its representation is now {after.representation or 'a structure'}"
        yield Finding(
            "representation", MAJOR, facet, message, None, before.representation, after.representation
        )
    yield from _superclasses(comparison, facet, before, after)
    yield from _initargs(comparison, facet, before, after)
    yield from compare_slots(comparison, facet, old.kind, before, after)


def _kind(facet: str, old: ApiDefinitionRow, new: ApiDefinitionRow) -> Finding:
    # A type name without arguments remains one if it now names a class.
    compatible = old.kind == "type" and new.kind in CLASSES and (old.arglist or "()") == "()"
    message = f"it is now a {new.kind}, formerly a {old.kind}"
    return Finding("kind", MINOR if compatible else MAJOR, facet, message, None, old.kind, new.kind)


def _superclasses(
    comparison: Comparison, facet: str, before: ClassFacts, after: ClassFacts
) -> Iterator[Finding]:
    """The lost superclasses, whose methods and handlers no longer apply, and the new ones."""
    old, new = _above(comparison.old, before), _above(comparison.new, after)
    old = {comparison.name_now(name): exported for name, exported in old.items()}
    direct = [comparison.name_now(name) for name in _direct(comparison.old, before)]
    texts = _listed(direct), _listed(_direct(comparison.new, after))
    lost = {name: exported for name, exported in old.items() if name not in new}
    won = {name: exported for name, exported in new.items() if name not in old}
    explained = _explained(comparison, before)
    for name, exported in lost.items():
        if name not in explained and not _is_implied(comparison.old, name, lost):
            step, message = MAJOR if exported else PATCH, f"it no longer inherits from {_shown(name)}"
            yield Finding("superclass-removed", step, facet, message, _shown(name), *texts)
    for name, exported in won.items():
        if not _is_implied(comparison.new, name, won):
            step, message = MINOR if exported else PATCH, f"it now inherits from {_shown(name)}"
            yield Finding("superclass-added", step, facet, message, _shown(name), *texts)
    if not lost and not won and texts[0] != texts[1]:
        message = "its superclasses are in a different order"
        yield Finding("superclass-order", PATCH, facet, message, None, *texts)


def _above(api: Api, one: ClassFacts) -> dict[str, bool]:
    """The names of all superclasses of ``one``, and whether each is exported."""
    found = [api.classes[symbol] for symbol in api.ancestors(one.symbol) if symbol in api.classes]
    return {facts.name: facts.exported for facts in found}


def _explained(comparison: Comparison, before: ClassFacts) -> set[str]:
    """The superclasses that compared superclasses lost; each loss is reported there, once."""
    found: set[str] = set()
    for symbol in comparison.old.ancestors(before.symbol):
        if symbol in comparison.old.symbols and symbol in comparison.old.classes:
            above = comparison.old.classes[symbol]
            lost = set(map(comparison.name_now, _above(comparison.old, above)))
            now = comparison.new.class_named.get(comparison.name_now(above.name))
            if now is not None:
                found |= lost - set(_above(comparison.new, now))
    return found


def _is_implied(api: Api, name: str, changed: dict[str, bool]) -> bool:
    """Whether a superclass came or went along with another exported one, which is reported instead."""
    return any(
        name in _above(api, api.class_named[other])
        for other, exported in changed.items()
        if exported and other != name and other in api.class_named
    )


def _direct(api: Api, one: ClassFacts) -> list[str]:
    return [api.classes[symbol].name for symbol in api.superclasses(one.symbol) if symbol in api.classes]


def _listed(names: list[str]) -> str:
    return " ".join(map(_shown, names))


def _shown(name: str) -> str:
    return name.removeprefix("COMMON-LISP::")


def _initargs(comparison: Comparison, facet: str, before: ClassFacts, after: ClassFacts) -> Iterator[Finding]:
    """The lost and new initargs of make-instance, inherited ones included."""
    old, new = _all_initargs(comparison.old, before), _all_initargs(comparison.new, after)
    own = {initarg for slot in before.slots for initarg in slot.initargs}
    for initarg in old:
        if initarg not in new and (initarg in own or not _lost_above(comparison, before, initarg)):
            yield Finding("initarg-removed", MAJOR, facet, f"its initarg {initarg} is gone", initarg, initarg)
    named = {initarg for slot in after.slots for initarg in slot.initargs}
    for initarg in new:
        if initarg not in old and initarg in named:
            message = f"it has a new initarg {initarg}"
            yield Finding("initarg-added", MINOR, facet, message, initarg, None, initarg)


def _slots(api: Api, one: ClassFacts) -> list[Slot]:
    above = [api.classes[symbol] for symbol in api.ancestors(one.symbol) if symbol in api.classes]
    return [slot for facts in (one, *above) for slot in facts.slots]


def _all_initargs(api: Api, one: ClassFacts) -> list[str]:
    return list(dict.fromkeys(initarg for slot in _slots(api, one) for initarg in slot.initargs))


def _lost_above(comparison: Comparison, before: ClassFacts, initarg: str) -> bool:
    """Whether a compared superclass lost the initarg; if so, the loss is reported there."""
    for symbol in comparison.old.ancestors(before.symbol):
        above = comparison.old.classes.get(symbol)
        if symbol in comparison.old.symbols and above and initarg in _all_initargs(comparison.old, above):
            now = comparison.new.class_named.get(comparison.name_now(above.name))
            if now is not None and initarg not in _all_initargs(comparison.new, now):
                return True
    return False
