"""The facets of a symbol: its definition in each namespace (CLHS 3.1.2.1, 4.3, 5.1)."""

from __future__ import annotations

from .api import ApiSymbol
from .sql import ApiDefinitionRow

# By documentation type. Compiler macros, transforms and proclamations change how code is compiled, not what
# it means, so they do not concern the users of an exported name.
_FACETS = {
    "FUNCTION": "function",
    "SETF": "setf",
    "VARIABLE": "variable",
    "TYPE": "type",
    "METHOD-COMBINATION": "method combination",
}
_WITHOUT_DOCUMENTATION = {"alien-type": "alien type"}
_OF_OPERATOR = {"SETF": "setf", "CAS": "cas"}


def facets(symbol: ApiSymbol) -> dict[str, ApiDefinitionRow]:
    """The definition of the symbol in each namespace that has one."""
    found: dict[str, ApiDefinitionRow] = {}
    for definition in symbol.definitions:
        documented = _FACETS.get(definition.documentation_type or "")
        facet = documented or _WITHOUT_DOCUMENTATION.get(definition.kind)
        if facet is not None:
            found.setdefault(_OF_OPERATOR.get(definition.operator or "", facet), definition)
    return found


def methods(symbol: ApiSymbol, operator: str | None) -> list[ApiDefinitionRow]:
    """The methods of the generic function ``symbol``, or ``(setf symbol)``."""
    return [one for one in symbol.definitions if one.kind == "method" and one.operator == operator]
