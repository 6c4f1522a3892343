"""Handlers for the standard's special operators and macros: which subforms each evaluates (CLHS)."""

from __future__ import annotations

from collections.abc import Iterator

from ...syntax.lambda_list import default_forms, parameter_names
from ...syntax.nodes import Atom, Form, Node
from ..world.packages import WorldSymbol
from .forms import Handler, Walker
from .scope import Scope

# All arguments are evaluated.
_ALL = """
    AND OR PROGN PROG1 PROG2 MULTIPLE-VALUE-PROG1 MULTIPLE-VALUE-CALL IF WHEN UNLESS UNWIND-PROTECT CATCH
    THROW MULTIPLE-VALUE-LIST NTH-VALUE IGNORE-ERRORS RETURN WITH-STANDARD-IO-SYNTAX TIME STEP
    WITH-CONDITION-RESTARTS LOAD-TIME-VALUE LOCALLY
"""
# The first argument is a name, a type or options; the others are evaluated.
_BUT_FIRST = "BLOCK RETURN-FROM THE EVAL-WHEN WITH-COMPILATION-UNIT"
# Nothing inside these is evaluated as written, or only by special rules.
_NOTHING = """
    QUOTE GO DECLARE DECLAIM DEFPACKAGE IN-PACKAGE TRACE UNTRACE FORMATTER CALL-METHOD MAKE-METHOD
    DEFINE-MODIFY-MACRO DEFINE-METHOD-COMBINATION LOOP-FINISH PPRINT-POP PPRINT-EXIT-IF-LIST-EXHAUSTED
"""
_PLACES = "POP ROTATEF"


def atoms(walker: Walker, nodes: list[Node]) -> list[WorldSymbol]:
    """All symbols in lambda lists, patterns or variables, which include every variable bound there."""
    found = (walker.symbol(atom.text) for node in nodes for atom in parameter_names(node))
    return [symbol for symbol in found if symbol is not None]


def listed(node: Node | None) -> list[Node]:
    """The elements of a list; empty for anything else."""
    return node.items if isinstance(node, Form) and node.kind == "(" else []


def body(walker: Walker, nodes: list[Node], scope: Scope) -> None:
    """Walk a body with declarations, which may declare a variable special (CLHS 3.3)."""
    forms = []
    for node in nodes:
        if walker.operator_name(node) == "DECLARE":
            specials = [one for one in listed(node)[1:] if walker.operator_name(one) == "SPECIAL"]
            scope = scope.with_variables(atoms(walker, specials)) if specials else scope
        else:
            forms.append(node)
    walker.forms(forms, scope)


def _all(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    body(walker, arguments, scope)


def _but_first(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    body(walker, arguments[1:], scope)


def _nothing(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    """Leave the form alone."""


def _setq(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    walker.forms(arguments, scope)  # a variable that is set must exist too


def _function(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    for node in arguments[:1]:
        walker.function_name(form, node, scope)


def _places(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    """Walk places: their subforms are evaluated, but their operators are not called as written (CLHS 5.1)."""
    for node in arguments:
        place(walker, node, scope, form)


def _shiftf(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    _places(walker, form, arguments[:-1], scope)
    walker.forms(arguments[-1:], scope)


def _place_first(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    for node in arguments[:1]:
        place(walker, node, scope, form)
    walker.forms(arguments[1:], scope)


def _push(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    for at, node in enumerate(arguments):
        if at == 1:
            place(walker, node, scope, form)
        else:
            walker.form(node, scope)


def place(walker: Walker, node: Node, scope: Scope, within: Form) -> None:
    """Walk a form that may be a place, which the form ``within`` sets or reads."""
    if isinstance(node, Form) and node.kind == "(" and node.items and isinstance(node.items[0], Atom):
        walker.place(node, scope, within)
    else:
        walker.form(node, scope)


def _setf(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    for number, node in enumerate(arguments):
        if number % 2:
            walker.form(node, scope)
        else:
            place(walker, node, scope, form)


def bindings(walker: Walker, nodes: list[Node]) -> Iterator[tuple[WorldSymbol | None, Node | None]]:
    """The variables of LET with their forms: ``x``, ``(x)`` or ``(x form)``."""
    for node in nodes:
        if isinstance(node, Atom):
            yield walker.symbol(node.text), None
        elif node.items and isinstance(node.items[0], Atom) and node.kind == "(":
            yield walker.symbol(node.items[0].text), node.items[1] if len(node.items) > 1 else None


def _let(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    bound = []
    for symbol, form in bindings(walker, listed(arguments[0]) if arguments else []):
        if form is not None:
            walker.form(form, scope)
        bound += [symbol] if symbol is not None else []
    body(walker, arguments[1:], scope.with_variables(bound))


def _let_star(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    for symbol, form in bindings(walker, listed(arguments[0]) if arguments else []):
        if form is not None:
            walker.form(form, scope)
        if symbol is not None:
            scope = scope.with_variables([symbol])
    body(walker, arguments[1:], scope)


def _symbol_macrolet(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    names = [symbol for symbol, _ in bindings(walker, listed(arguments[0]) if arguments else []) if symbol]
    body(walker, arguments[1:], scope.with_variables(names))


def lambda_form(walker: Walker, nodes: list[Node], scope: Scope) -> None:
    """Walk a lambda list and the body after it; default forms are walked with all its variables bound."""
    if not nodes:
        return
    inner = scope.with_variables(atoms(walker, nodes[:1]))
    for default in default_forms(nodes[0]):
        walker.form(default, inner)
    body(walker, nodes[1:], inner)


def _local_functions(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    """FLET, LABELS and MACROLET (CLHS 3.1.2.1.2.2 to 4)."""
    definitions = [one for one in listed(arguments[0]) if listed(one)] if arguments else []
    # A local (setf name) makes a place of name.
    setf = walker.standard("SETF")
    names = [symbol for one in definitions for symbol in atoms(walker, listed(one)[:1]) if symbol is not setf]
    kind = walker.operator_name(form)
    inner = scope.with_macros(names) if kind == "MACROLET" else scope.with_functions(names)
    around = inner if kind == "LABELS" else scope
    for one in definitions:
        lambda_form(walker, listed(one)[1:], around)
    body(walker, arguments[1:], inner)


def _lambda(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    lambda_form(walker, arguments, scope)


SPECIAL: dict[str, Handler] = {
    **dict.fromkeys(_ALL.split(), _all),
    **dict.fromkeys(_BUT_FIRST.split(), _but_first),
    **dict.fromkeys(_NOTHING.split(), _nothing),
    **dict.fromkeys(_PLACES.split(), _places),
    **dict.fromkeys(("SETQ", "PSETQ"), _setq),
    **dict.fromkeys(("FLET", "LABELS", "MACROLET"), _local_functions),
    **dict.fromkeys(("INCF", "DECF", "REMF"), _place_first),
    **dict.fromkeys(("PUSH", "PUSHNEW"), _push),
    "SHIFTF": _shiftf,
    "SETF": _setf,
    "PSETF": _setf,
    "FUNCTION": _function,
    "LET": _let,
    "LET*": _let_star,
    "SYMBOL-MACROLET": _symbol_macrolet,
    "LAMBDA": _lambda,
}
