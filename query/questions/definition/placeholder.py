"""Placeholders for definitions without source text; pure.

A placeholder shows what the name is and how it is called, and cannot be mistaken for source.
"""

from __future__ import annotations

from typing import Protocol

from oblist.indexer.names import operator_name

from ...index.kinds import kind
from ...syntax.printed import items, printed_lambda_list

_CODE = "<compiled function>"
_NO_VALUE = "<value not stored>"

# The parts that follow the name: fields of the definition, or a text in angle brackets.
_PARTS: dict[str, tuple[str, ...]] = {
    "function": ("arglist", _CODE),
    "setf-function": ("arglist", _CODE),
    "macro": ("arglist", _CODE),
    "compiler-macro": ("arglist", _CODE),
    "generic-function": ("arglist",),
    "method": ("qualifiers", "specialized", _CODE),
    "special-operator": ("arglist",),
    "setf-expander": ("arglist", _CODE),
    "variable": (_NO_VALUE,),
    "constant": ("value",),
    "symbol-macro": ("value",),
    "type": ("arglist", "expansion"),
    "method-combination": ("arglist", _CODE),
    "declaration": ("qualifiers",),
    "vop": (_CODE,),
    "transform": ("specializers", _CODE),
    "optimizer": ("qualifiers", _CODE),
    "source-transform": ("arglist", _CODE),
    "ir1-convert": ("arglist", _CODE),
}


class PlaceholderFields(Protocol):
    """The fields that a placeholder shows."""

    @property
    def kind(self) -> str:
        """Kind of definition."""

    @property
    def operator(self) -> str | None:
        """SETF or CAS when the name is ``(setf symbol)`` or ``(cas symbol)``."""

    @property
    def qualifiers(self) -> str | None:
        """Method qualifiers, or the stage of an optimizer."""

    @property
    def specializers(self) -> str | None:
        """Specializers of a method, or argument types of a transform."""

    @property
    def arglist(self) -> str | None:
        """Lambda list, with symbols printed without packages."""

    @property
    def value(self) -> str | None:
        """Value of a constant, or expansion of a symbol macro or type."""


def placeholder(definition: PlaceholderFields, name: str) -> str:
    """Make the placeholder of ``definition``, such as ``(defun CAR (LIST) <compiled function>)``."""
    shown = operator_name(definition.operator, name)
    parts = [kind(definition.kind).definer, shown]
    parts += [_part(definition, part) for part in _PARTS.get(definition.kind, ())]
    return f"({' '.join(part for part in parts if part)})"


def _part(definition: PlaceholderFields, part: str) -> str:
    if part == "specialized":
        return _specialized(definition.arglist, definition.specializers)
    if part == "value":
        return _NO_VALUE if definition.value is None else definition.value
    if part == "expansion":
        return _CODE if definition.value is None else definition.value
    if part in ("arglist", "qualifiers", "specializers"):
        return str(getattr(definition, part) or "")
    return part


def _specialized(arglist: str | None, specializers: str | None) -> str:
    """Return a method's lambda list: ``(OBJECT STREAM)`` and ``(FOO T)`` give ``((OBJECT FOO) STREAM)``."""
    if arglist is None or specializers is None:
        return arglist or ""
    parameters = items(arglist)
    required = printed_lambda_list(arglist).required
    for place, (_, specializer) in enumerate(zip(required, items(specializers), strict=False)):
        if specializer != "T":
            parameters[place] = f"({parameters[place]} {specializer})"
    return f"({' '.join(parameters)})"
