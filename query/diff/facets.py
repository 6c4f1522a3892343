"""What a symbol is in each namespace (CLHS 3.1.2.1, 4.3, 5.1): the definitions that an API has."""

from __future__ import annotations

from .api import Definition, Symbol

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
"""Kinds that a user of an exported name has to do with. Compiler macros, transforms and proclamations
change how code is compiled, not what it means."""

_OF_OPERATOR = {"SETF": "setf", "CAS": "cas"}


def facets(symbol: Symbol) -> dict[str, Definition]:
    """The definition of the symbol in each namespace that it has one in."""
    found: dict[str, Definition] = {}
    for definition in symbol.definitions:
        facet = _FACETS.get(definition.kind)
        if facet is not None:
            found.setdefault(_OF_OPERATOR.get(definition.operator or "", facet), definition)
    return found


def methods(symbol: Symbol, operator: str | None) -> list[Definition]:
    """The methods of the generic function ``symbol``, or ``(setf symbol)``."""
    return [one for one in symbol.definitions if one.kind == "method" and one.operator == operator]
