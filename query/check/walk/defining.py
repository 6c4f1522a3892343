"""Handlers for the standard's defining macros."""

from __future__ import annotations

from ...syntax.nodes import Atom, Form, Node
from .forms import Handler, Walker
from .handlers import atoms, body, lambda_form, listed
from .scope import Scope


def _defun(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    lambda_form(walker, arguments[1:], scope)


def _defmethod(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    method(walker, arguments[1:], scope)


def method(walker: Walker, parts: list[Node], scope: Scope) -> None:
    """Walk a method: qualifiers, a specialized lambda list, and a body that may call the next method."""
    start = next((at for at, node in enumerate(parts) if isinstance(node, Form)), len(parts))
    inner = scope.with_functions([walker.standard("CALL-NEXT-METHOD"), walker.standard("NEXT-METHOD-P")])
    lambda_form(walker, parts[start:], inner)


def _defgeneric(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    for option in arguments[2:]:
        parts = listed(option)
        if parts and isinstance(parts[0], Atom) and parts[0].text.lower() == ":method":
            method(walker, parts[1:], scope)


def _defvar(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    walker.forms(arguments[1:2], scope)


def _defclass(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    """DEFCLASS and DEFINE-CONDITION: initial value forms, default initargs, a report function."""
    for slot in listed(arguments[2]) if len(arguments) > 2 else []:
        _values(walker, listed(slot)[1:], (":initform",), scope)
    for option in arguments[3:]:
        parts = listed(option)
        keyword = parts[0].text.lower() if parts and isinstance(parts[0], Atom) else ""
        if keyword == ":default-initargs":
            walker.forms(parts[2::2], scope)
        elif keyword == ":report":
            walker.forms([node for node in parts[1:2] if isinstance(node, Form)], scope)


def _values(walker: Walker, plist: list[Node], names: tuple[str, ...], scope: Scope) -> None:
    for key, value in zip(plist[::2], plist[1::2], strict=False):
        if isinstance(key, Atom) and key.text.lower() in names:
            walker.form(value, scope)


def _defstruct(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    for slot in arguments[1:]:
        walker.forms(listed(slot)[1:2], scope)


def _defsetf(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    """The long form: two lambda lists, then a body (CLHS defsetf)."""
    if len(arguments) > 2 and isinstance(arguments[1], Form):
        inner = scope.with_variables(atoms(walker, arguments[2:3]))
        lambda_form(walker, [arguments[1], *arguments[3:]], inner)


def _macro(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    """A macro, whose lambda list may be nested; its default forms are not walked."""
    body(walker, arguments[2:], scope.with_variables(atoms(walker, arguments[1:2])))


DEFINING: dict[str, Handler] = {
    **dict.fromkeys(("DEFUN",), _defun),
    **dict.fromkeys(("DEFVAR", "DEFPARAMETER", "DEFCONSTANT"), _defvar),
    **dict.fromkeys(("DEFCLASS", "DEFINE-CONDITION"), _defclass),
    **dict.fromkeys(("DEFMACRO", "DEFTYPE", "DEFINE-COMPILER-MACRO", "DEFINE-SETF-EXPANDER"), _macro),
    "DEFMETHOD": _defmethod,
    "DEFGENERIC": _defgeneric,
    "DEFSTRUCT": _defstruct,
    "DEFSETF": _defsetf,
}
