"""The methods of an exported generic function: for which classes it can be called."""

from __future__ import annotations

from collections.abc import Iterator

from ..lisp_text import items
from .api import Api, Definition
from .comparison import Comparison
from .findings import MAJOR, MINOR, Finding

_Key = tuple[str, ...]


def compare_methods(
    comparison: Comparison, facet: str, old: list[Definition], new: list[Definition]
) -> Iterator[Finding]:
    """Primary methods that are gone, and those that are new.

    One that is gone is no loss where another is there for a class above (CLHS 7.6.6.1.2). Methods on
    classes that nobody else can name, and :before, :after and :around, are the library's own affair.
    """
    before = _primary(comparison, comparison.old, old, translated=True)
    after = _primary(comparison, comparison.new, new, translated=False)
    for key, method in before.items():
        if key not in after and not any(_covers(comparison, other, key) for other in after):
            message = f"it has no method for {method.specializers} any more"
            yield Finding("method-removed", MAJOR, facet, message, method.specializers, method.specializers)
    for key, method in after.items():
        if key not in before and not any(_covers(comparison, other, key) for other in before):
            message = f"it has a method for {method.specializers}"
            yield Finding(
                "method-added", MINOR, facet, message, method.specializers, None, method.specializers
            )


def _primary(
    comparison: Comparison, api: Api, methods: list[Definition], *, translated: bool
) -> dict[_Key, Definition]:
    """The unqualified methods whose specializers others can name, by these."""
    found = {}
    for method in methods:
        key = _key(api, method) if method.qualifiers is None else None
        if key is not None:
            found[tuple(map(comparison.name_now, key)) if translated else key] = method
    return found


def _key(api: Api, method: Definition) -> _Key | None:
    """The specializers by name; None when one is a class that is not exported."""
    names = []
    printed = items(method.specializers or "()")
    for place, (symbol, eql) in enumerate(api.specializers.get(method.id, [])):
        if symbol is None:
            names.append(f"(EQL {eql})")
        elif symbol in api.classes:
            if not api.classes[symbol].exported:
                return None
            names.append(api.classes[symbol].name)
        else:
            names.append(printed[place] if place < len(printed) else "T")
    return tuple(names)


def _covers(comparison: Comparison, general: _Key, special: _Key) -> bool:
    """Whether a method on ``general`` is applicable to all that one on ``special`` is."""
    return len(general) == len(special) and all(
        _is_above(comparison, above, below) for above, below in zip(general, special, strict=True)
    )


def _is_above(comparison: Comparison, above: str, below: str) -> bool:
    if above == below or above in ("COMMON-LISP::T", "T"):
        return True
    shown = below.removeprefix("COMMON-LISP::")
    return above.removeprefix("COMMON-LISP::") in comparison.ancestors(shown)
