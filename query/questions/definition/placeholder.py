"""Placeholders for definitions without source text; pure.

A placeholder shows what the name is and how it is called, and cannot be mistaken for source.
"""

from __future__ import annotations

from typing import Protocol

from oblist.indexer.names import operator_name

from ...syntax.lexemes import items

_CODE = "<compiled function>"
_NO_VALUE = "<value not stored>"
_NOT_REQUIRED = ("&OPTIONAL", "&REST", "&KEY", "&AUX", "&ALLOW-OTHER-KEYS", "&MORE")

# The defining operator, and the fields of the definition that follow the name.
_SHAPES: dict[str, tuple[str, tuple[str, ...]]] = {
    "function": ("defun", ("arglist", _CODE)),
    "setf-function": ("defun", ("arglist", _CODE)),
    "macro": ("defmacro", ("arglist", _CODE)),
    "compiler-macro": ("define-compiler-macro", ("arglist", _CODE)),
    "generic-function": ("defgeneric", ("arglist",)),
    "method": ("defmethod", ("qualifiers", "specialized", _CODE)),
    "special-operator": ("special-operator", ("arglist",)),
    "setf-expander": ("define-setf-expander", ("arglist", _CODE)),
    "variable": ("defvar", (_NO_VALUE,)),
    "constant": ("defconstant", ("value",)),
    "symbol-macro": ("define-symbol-macro", ("value",)),
    # Classes of which the index has only the name; rebuilt.py writes the others.
    "class": ("defclass", ()),
    "structure": ("defstruct", ()),
    "condition": ("define-condition", ()),
    "type": ("deftype", ("arglist", "expansion")),
    "method-combination": ("define-method-combination", ("arglist", _CODE)),
    "declaration": ("declaration", ("qualifiers",)),
    "alien-type": ("define-alien-type", ()),
    "vop": ("define-vop", (_CODE,)),
    "transform": ("deftransform", ("specializers", _CODE)),
    "optimizer": ("defoptimizer", ("qualifiers", _CODE)),
    "source-transform": ("define-source-transform", ("arglist", _CODE)),
    "ir1-convert": ("def-ir1-translator", ("arglist", _CODE)),
}


class Definition(Protocol):
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
        """Specializers of a method, argument types of a transform."""

    @property
    def arglist(self) -> str | None:
        """Lambda list, symbols without package."""

    @property
    def value(self) -> str | None:
        """Value of a constant, or expansion of a symbol macro or type."""


def placeholder(definition: Definition, name: str) -> str:
    """Make the placeholder of ``definition``, such as ``(defun CAR (LIST) <compiled function>)``."""
    shown = operator_name(definition.operator, name)
    operator, rest = _SHAPES.get(definition.kind, (f"define-{definition.kind}", ()))
    parts = [operator, shown, *(_part(definition, part) for part in rest)]
    return f"({' '.join(part for part in parts if part)})"


def _part(definition: Definition, part: str) -> str:
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
    for place, specializer in enumerate(items(specializers)):
        if place >= len(parameters) or parameters[place] in _NOT_REQUIRED:
            break
        if specializer != "T":
            parameters[place] = f"({parameters[place]} {specializer})"
    return f"({' '.join(parameters)})"
