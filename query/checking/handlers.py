"""How the standard's special operators and macros evaluate what stands in their forms (CLHS)."""

from __future__ import annotations

from collections.abc import Iterator

from .lambda_lists import parameter_names
from .nodes import Atom, Form, Node
from .scope import Scope
from .walk import Handler, Walker
from .world import Symbol

# Evaluated through and through.
_ALL = """
    AND OR PROGN PROG1 PROG2 MULTIPLE-VALUE-PROG1 MULTIPLE-VALUE-CALL IF WHEN UNLESS UNWIND-PROTECT CATCH
    THROW MULTIPLE-VALUE-LIST NTH-VALUE IGNORE-ERRORS RETURN WITH-STANDARD-IO-SYNTAX TIME STEP
    WITH-CONDITION-RESTARTS LOAD-TIME-VALUE LOCALLY
"""
# The first part is a name, a type or options, the others are evaluated.
_BUT_FIRST = "BLOCK RETURN-FROM THE EVAL-WHEN WITH-COMPILATION-UNIT"
# Nothing in them is evaluated as it stands, or by rules of their own.
_NOTHING = """
    QUOTE GO DECLARE DECLAIM DEFPACKAGE IN-PACKAGE TRACE UNTRACE FORMATTER CALL-METHOD MAKE-METHOD
    DEFINE-MODIFY-MACRO DEFINE-METHOD-COMBINATION LOOP-FINISH PPRINT-POP PPRINT-EXIT-IF-LIST-EXHAUSTED
"""
_PLACES = "POP ROTATEF SHIFTF"
_STREAMS = """
    WITH-OPEN-FILE WITH-OPEN-STREAM WITH-INPUT-FROM-STRING WITH-OUTPUT-TO-STRING PRINT-UNREADABLE-OBJECT
    PPRINT-LOGICAL-BLOCK WITH-SIMPLE-RESTART
"""
_WITH_DEFAULTS = ("&optional", "&key", "&aux")


def atoms(walker: Walker, nodes: list[Node]) -> list[Symbol]:
    """All symbols in lambda lists, patterns or variables: at least all that they bind."""
    found = (walker.symbol(atom.text) for node in nodes for atom in parameter_names(node))
    return [symbol for symbol in found if symbol is not None]


def listed(node: Node | None) -> list[Node]:
    """The elements of a list; none of anything else."""
    return node.items if isinstance(node, Form) and node.kind == "(" else []


def body(walker: Walker, nodes: list[Node], scope: Scope) -> None:
    """Walk forms among which there may be declarations; a variable may be declared special (CLHS 3.3)."""
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
    walker.forms(arguments, scope)  # a variable that is set must be one as well


def _function(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    for node in arguments[:1]:
        walker.function_name(node, scope)


def _places(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    """Places: the subforms of one are evaluated, its operator is not called as it stands (CLHS 5.1)."""
    for node in arguments:
        place(walker, node, scope)


def _place_first(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    for node in arguments[:1]:
        place(walker, node, scope)
    walker.forms(arguments[1:], scope)


def _push(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    for at, node in enumerate(arguments):
        if at == 1:
            place(walker, node, scope)
        else:
            walker.form(node, scope)


def place(walker: Walker, node: Node, scope: Scope) -> None:
    """Walk a form that may be a place."""
    if isinstance(node, Form) and node.kind == "(" and node.items and isinstance(node.items[0], Atom):
        walker.place(node, scope)
    else:
        walker.form(node, scope)


def _setf(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    for number, node in enumerate(arguments):
        if number % 2:
            walker.form(node, scope)
        else:
            place(walker, node, scope)


def bindings(walker: Walker, nodes: list[Node]) -> Iterator[tuple[Symbol | None, Node | None]]:
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
    """Walk a lambda list and the body after it; default forms see the variables before them."""
    if not nodes:
        return
    inner = scope.with_variables(atoms(walker, nodes[:1]))
    with_defaults = False
    for parameter in listed(nodes[0]):
        if isinstance(parameter, Atom):
            with_defaults = with_defaults or parameter.text.lower() in _WITH_DEFAULTS
        elif with_defaults and len(parameter.items) > 1:
            walker.form(parameter.items[1], inner)
    body(walker, nodes[1:], inner)


def _local_functions(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    """FLET, LABELS and MACROLET (CLHS 3.1.2.1.2.2 to 4)."""
    definitions = [one for one in listed(arguments[0]) if listed(one)] if arguments else []
    names = [
        symbol
        for one in definitions
        if isinstance(head := listed(one)[0], Atom) and (symbol := walker.symbol(head.text)) is not None
    ]
    kind = walker.operator_name(form)
    inner = scope.with_macros(names) if kind == "MACROLET" else scope.with_functions(names)
    around = inner if kind == "LABELS" else scope
    for one in definitions:
        lambda_form(walker, listed(one)[1:], around)
    body(walker, arguments[1:], inner)


def _lambda(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    lambda_form(walker, arguments, scope)


def _progv(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    walker.forms(arguments[:2], scope)
    walker.forms(arguments[2:], scope.within_macro([], scope.doubt))


def _multiple_value_bind(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    walker.forms(arguments[1:2], scope)
    body(walker, arguments[2:], scope.with_variables(atoms(walker, arguments[:1])))


def _multiple_value_setq(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    walker.forms([*listed(arguments[0]), *arguments[1:]] if arguments else [], scope)


def _cond(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    for clause in arguments:
        walker.forms(listed(clause), scope)


def _case(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    walker.forms(arguments[:1], scope)
    for clause in arguments[1:]:
        walker.forms(listed(clause)[1:], scope)


def _place_case(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    _case(walker, form, arguments, scope)


def _do(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    """DO and DO*: variables with initial and step forms, the end, then tags and statements."""
    if not arguments:
        return
    variables = listed(arguments[0])
    names = [symbol for symbol, _ in bindings(walker, variables) if symbol is not None]
    inner = scope.with_variables(names)
    first = inner if walker.operator_name(form) == "DO*" else scope
    for one in variables:
        walker.forms(listed(one)[1:2], first)
        walker.forms(listed(one)[2:3], inner)
    walker.forms(listed(arguments[1]) if len(arguments) > 1 else [], inner)
    statements(walker, arguments[2:], inner)


def statements(walker: Walker, nodes: list[Node], scope: Scope) -> None:
    """Walk the statements of a tagbody; atoms are tags (CLHS tagbody)."""
    body(walker, [node for node in nodes if isinstance(node, Form)], scope)


def _tagbody(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    statements(walker, arguments, scope)


def _prog(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    inner = scope
    for symbol, value in bindings(walker, listed(arguments[0]) if arguments else []):
        if value is not None:
            walker.form(value, inner if walker.operator_name(form) == "PROG*" else scope)
        inner = inner.with_variables([symbol] if symbol is not None else [])
    statements(walker, arguments[1:], inner)


def _iteration(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    """DOLIST, DOTIMES and DO-SYMBOLS: ``(variable form result)``, then statements."""
    header = listed(arguments[0]) if arguments else []
    inner = scope.with_variables(atoms(walker, header[:1]))
    walker.forms(header[1:2], scope)
    walker.forms(header[2:], inner)
    statements(walker, arguments[1:], inner)


def _stream(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    """``((name form...) body...)``: a name for what the forms give, options among them."""
    header = listed(arguments[0]) if arguments else []
    name = walker.operator_name(form) or ""
    named = [] if name in ("PRINT-UNREADABLE-OBJECT", "WITH-SIMPLE-RESTART") else atoms(walker, header[:1])
    walker.forms(header[1:] if name != "PRINT-UNREADABLE-OBJECT" else header, scope)
    body(walker, arguments[1:], scope.with_variables(named))


def _with_slots(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    names = [symbol for symbol, _ in bindings(walker, listed(arguments[0]) if arguments else []) if symbol]
    walker.forms(arguments[1:2], scope)
    body(walker, arguments[2:], scope.with_variables(names))


def _destructuring_bind(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    walker.forms(arguments[1:2], scope)
    body(walker, arguments[2:], scope.with_variables(atoms(walker, arguments[:1])))


def _handler_case(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    walker.forms(arguments[:1], scope)
    for clause in arguments[1:]:
        lambda_form(walker, listed(clause)[1:], scope)


def _restart_case(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    walker.forms(arguments[:1], scope)
    for clause in arguments[1:]:
        parts = listed(clause)[1:]
        inner = scope.with_variables(atoms(walker, parts[:1]))
        body(walker, [node for node in parts[1:] if isinstance(node, Form)], inner)


def _handler_bind(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    for clause in listed(arguments[0]) if arguments else []:
        walker.forms(listed(clause)[1:], scope)
    body(walker, arguments[1:], scope)


def _iterator(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    """WITH-HASH-TABLE-ITERATOR and WITH-PACKAGE-ITERATOR bind a local macro."""
    header = listed(arguments[0]) if arguments else []
    walker.forms(header[1:2], scope)
    body(walker, arguments[1:], scope.with_macros(atoms(walker, header[:1])))


def _assert(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    walker.forms(arguments[:1], scope)
    for one in listed(arguments[1]) if len(arguments) > 1 else []:
        place(walker, one, scope)
    walker.forms(arguments[2:], scope)


def _check_type(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    for one in arguments[:1]:
        place(walker, one, scope)
    walker.forms(arguments[2:], scope)


def _define_symbol_macro(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    """The expansion is evaluated where the symbol stands, with whatever is bound there."""
    walker.forms(arguments[1:2], scope.within_macro([], scope.doubt))


STANDARD: dict[str, Handler] = {
    **dict.fromkeys(_ALL.split(), _all),
    **dict.fromkeys(_BUT_FIRST.split(), _but_first),
    **dict.fromkeys(_NOTHING.split(), _nothing),
    **dict.fromkeys(_PLACES.split(), _places),
    **dict.fromkeys(_STREAMS.split(), _stream),
    **dict.fromkeys(("SETQ", "PSETQ"), _setq),
    **dict.fromkeys(("FLET", "LABELS", "MACROLET"), _local_functions),
    **dict.fromkeys(("CASE", "ECASE", "TYPECASE", "ETYPECASE"), _case),
    **dict.fromkeys(("CCASE", "CTYPECASE"), _place_case),
    **dict.fromkeys(("DO", "DO*"), _do),
    **dict.fromkeys(("PROG", "PROG*"), _prog),
    **dict.fromkeys(
        ("DOLIST", "DOTIMES", "DO-SYMBOLS", "DO-EXTERNAL-SYMBOLS", "DO-ALL-SYMBOLS"), _iteration
    ),
    **dict.fromkeys(("HANDLER-BIND", "RESTART-BIND"), _handler_bind),
    **dict.fromkeys(("WITH-HASH-TABLE-ITERATOR", "WITH-PACKAGE-ITERATOR"), _iterator),
    **dict.fromkeys(("WITH-SLOTS", "WITH-ACCESSORS"), _with_slots),
    **dict.fromkeys(("INCF", "DECF", "REMF"), _place_first),
    **dict.fromkeys(("PUSH", "PUSHNEW"), _push),
    "SETF": _setf,
    "PSETF": _setf,
    "FUNCTION": _function,
    "LET": _let,
    "LET*": _let_star,
    "SYMBOL-MACROLET": _symbol_macrolet,
    "LAMBDA": _lambda,
    "PROGV": _progv,
    "MULTIPLE-VALUE-BIND": _multiple_value_bind,
    "MULTIPLE-VALUE-SETQ": _multiple_value_setq,
    "COND": _cond,
    "TAGBODY": _tagbody,
    "DESTRUCTURING-BIND": _destructuring_bind,
    "HANDLER-CASE": _handler_case,
    "RESTART-CASE": _restart_case,
    "ASSERT": _assert,
    "CHECK-TYPE": _check_type,
    "DEFINE-SYMBOL-MACRO": _define_symbol_macro,
}
