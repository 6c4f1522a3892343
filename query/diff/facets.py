"""The facets of a symbol: its definition in each namespace (CLHS 3.1.2.1, 4.3, 5.1)."""

from __future__ import annotations

from .api import ApiSymbol
from .sql import DefinitionRow

_FACETS = {
    "function": "function",
    "generic-function": "function",
    "macro": "function",
    "special-operator": "function",
    "setf-function": "setf",
    "setf-expander": "setf",
    "variable": "variable",
    "constant": "variable",
    "symbol-macro": "variable",
    "class": "type",
    "structure": "type",
    "condition": "type",
    "type": "type",
    "method-combination": "method combination",
    "alien-type": "alien type",
}
"""The facet of each kind that matters to users of a name. Compiler macros, transforms and proclamations
change how code is compiled, not what it means."""

_OF_OPERATOR = {"SETF": "setf", "CAS": "cas"}


def facets(symbol: ApiSymbol) -> dict[str, DefinitionRow]:
    """The definition of the symbol in each namespace that has one."""
    found: dict[str, DefinitionRow] = {}
    for definition in symbol.definitions:
        facet = _FACETS.get(definition.kind)
        if facet is not None:
            found.setdefault(_OF_OPERATOR.get(definition.operator or "", facet), definition)
    return found


def methods(symbol: ApiSymbol, operator: str | None) -> list[DefinitionRow]:
    """The methods of the generic function ``symbol``, or ``(setf symbol)``."""
    return [one for one in symbol.definitions if one.kind == "method" and one.operator == operator]
