"""Handlers for the standard's macros that bind, iterate or choose (CLHS)."""

from __future__ import annotations

from ...syntax.nodes import Form, Node
from .forms import Handler, Walker
from .handlers import atoms, bindings, body, lambda_form, listed, place
from .scope import Scope

_STREAMS = """
    WITH-OPEN-FILE WITH-OPEN-STREAM WITH-INPUT-FROM-STRING WITH-OUTPUT-TO-STRING PRINT-UNREADABLE-OBJECT
    PPRINT-LOGICAL-BLOCK WITH-SIMPLE-RESTART
"""


def _progv(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    walker.forms(arguments[:2], scope)
    walker.forms(arguments[2:], scope.with_any_variable())


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


def _do(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    """DO and DO*: variables with initial and step forms, the end clause, then tags and statements."""
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
    """``((name form...) body...)``: a name for the value of the forms, which may include options."""
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


def _assert(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    walker.forms(arguments[:1], scope)
    for one in listed(arguments[1]) if len(arguments) > 1 else []:
        place(walker, one, scope, form)
    walker.forms(arguments[2:], scope)


def _check_type(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    for one in arguments[:1]:
        place(walker, one, scope, form)
    walker.forms(arguments[2:], scope)


def _define_symbol_macro(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    """Walk the expansion as if any variable were bound: it is evaluated where the symbol is used."""
    walker.forms(arguments[1:2], scope.with_any_variable())


CLAUSES: dict[str, Handler] = {
    **dict.fromkeys(_STREAMS.split(), _stream),
    **dict.fromkeys(("CASE", "ECASE", "CCASE", "TYPECASE", "ETYPECASE", "CTYPECASE"), _case),
    **dict.fromkeys(("DO", "DO*"), _do),
    **dict.fromkeys(("PROG", "PROG*"), _prog),
    **dict.fromkeys(("DOLIST", "DOTIMES", "DO-SYMBOLS", "DO-EXTERNAL-SYMBOLS", "DO-ALL-SYMBOLS"), _iteration),
    **dict.fromkeys(("HANDLER-BIND", "RESTART-BIND"), _handler_bind),
    **dict.fromkeys(("WITH-HASH-TABLE-ITERATOR", "WITH-PACKAGE-ITERATOR"), _iterator),
    **dict.fromkeys(("WITH-SLOTS", "WITH-ACCESSORS"), _with_slots),
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
