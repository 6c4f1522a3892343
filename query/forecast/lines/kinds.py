"""Uses that a definition of another kind does not allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..answer import BrokenLine
from ..context import ForecastContext
from ..own import OwnUse

SORT, DEPRECATED = "kind", "deprecated"
_FUNCTIONS = frozenset(("function", "generic-function"))
_OPERATORS = frozenset(("macro", "special-operator"))
_MAKING = ("inherits", "instantiates")


def uses_of_another_kind(context: ForecastContext) -> Iterator[BrokenLine]:
    """The uses of names whose definition has become one of another kind."""
    for symbol, uses in context.own.uses.items():
        for one in context.by_symbol.get(symbol, ()):
            finding = one.change.finding
            if one.sort == "deprecated" and one.is_breaking:  # SBCL signals an error for it
                yield from (use.broken(DEPRECATED, f"{one.written}: {finding.message}") for use in uses)
            elif one.sort == "kind" and one.is_breaking:
                breaks = _breaking(finding.facet, finding.old or "", finding.new or "")
                for use in uses:
                    if breaks(use):
                        yield use.broken(SORT, f"{one.written}: {finding.message}")


def _breaking(facet: str, old: str, new: str) -> Callable[[OwnUse], bool]:
    """Which uses of a name break when its definition of one kind becomes one of another."""
    if facet in ("function", "setf", "cas") and old in _FUNCTIONS and new in _OPERATORS:
        return lambda use: use.place.before.endswith("#'")
    relations: tuple[str, ...] = ()
    if facet in ("function", "setf", "cas"):
        relations = ("macroexpands",) if old in _OPERATORS and new in _FUNCTIONS else ()
    elif facet == "variable":
        relations = {"constant": ("sets", "binds"), "symbol-macro": ("binds",)}.get(new, ())
    elif "type" in (old, new):
        relations = (*_MAKING, "specializes")
    elif old == "structure":
        relations = ("inherits",)
    else:
        relations = _MAKING if new == "structure" else (*_MAKING, "handles")
    return lambda use: use.relation in relations
