"""Compares the methods of two versions of an exported generic function."""

from __future__ import annotations

from collections.abc import Iterator

from ...syntax.printed import items
from ..api import Api
from ..comparison import Comparison
from ..findings import MAJOR, MINOR, Finding
from ..sql import ApiDefinitionRow

_Key = tuple[str, ...]


def compare_methods(
    comparison: Comparison, facet: str, old: list[ApiDefinitionRow], new: list[ApiDefinitionRow]
) -> Iterator[Finding]:
    """The lost and the new primary methods.

    A method is not lost if another one, on a superclass, takes its place (CLHS 7.6.6.1.2). Methods on
    classes that are not exported, and :before, :after and :around methods, are internal to the library.
    """
    before = _primary(comparison.old, old)
    before = {tuple(map(comparison.name_now, key)): one for key, one in before.items()}
    after = _primary(comparison.new, new)
    for key, (method, public) in before.items():
        if public and not any(_covers(comparison, other, key) for other in after):
            message = f"it no longer has a method for {method.specializers}"
            yield Finding("method-removed", MAJOR, facet, message, method.specializers, method.specializers)
    for key, (method, public) in after.items():
        if public and not any(_covers(comparison, other, key) for other in before):
            message = f"it has a new method for {method.specializers}"
            yield Finding(
                "method-added", MINOR, facet, message, method.specializers, None, method.specializers
            )


def _primary(api: Api, methods: list[ApiDefinitionRow]) -> dict[_Key, tuple[ApiDefinitionRow, bool]]:
    """The unqualified methods by their specializers, each with whether all its specializers are exported."""
    return {
        _key(api, method): (method, _is_public(api, method))
        for method in methods
        if method.qualifiers is None
    }


def _key(api: Api, method: ApiDefinitionRow) -> _Key:
    names = []
    printed = items(method.specializers or "()")
    for place, (symbol, eql) in enumerate(api.specializers.get(method.id, [])):
        if symbol is None:
            names.append(f"(EQL {eql})")
        elif symbol in api.classes:
            names.append(api.classes[symbol].name)
        else:
            names.append(printed[place] if place < len(printed) else "T")
    return tuple(names)


def _is_public(api: Api, method: ApiDefinitionRow) -> bool:
    classes = [api.classes.get(symbol) for symbol, _ in api.specializers.get(method.id, []) if symbol]
    return all(one is None or one.exported for one in classes)


def _covers(comparison: Comparison, general: _Key, special: _Key) -> bool:
    """Whether a method on ``general`` applies wherever one on ``special`` does."""
    return len(general) == len(special) and all(
        _is_above(comparison, above, below) for above, below in zip(general, special, strict=True)
    )


def _is_above(comparison: Comparison, above: str, below: str) -> bool:
    if above == below or above in ("COMMON-LISP::T", "T"):
        return True
    shown = below.removeprefix("COMMON-LISP::")
    return above.removeprefix("COMMON-LISP::") in comparison.ancestors(shown)
