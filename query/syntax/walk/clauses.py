"""The standard operators that have clauses, and the functions that take the name of a class or a type."""

from __future__ import annotations

from collections.abc import Callable

from .declarations import declaration, type_argument, type_specifier
from .forms import Walk
from .lambda_lists import function
from .nodes import BACKQUOTE, KEYWORD, LIST, QUOTE, SYMBOL, Node, Unfit, fit, items_of, pairs, part
from .notes import NAMES

_TESTS, _HANDLES = "tests", "handles"
_Rest = Callable[[Walk, Node, list[Node]], None]


def _cond(walk: Walk, arguments: list[Node]) -> None:
    for clause in arguments:
        if clause.kind == LIST:
            walk.forms(clause.items)
        else:
            walk.walk(clause)


def _case(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    walk.walk(arguments[0])
    for clause in arguments[1:]:
        fit(clause.items, 1)
        walk.datum(clause.items[0])
        walk.forms(clause.items[1:])


def _typed(walk: Walk, clauses: list[Node], relation: str, rest: _Rest) -> None:
    """Walk clauses that begin with a type specifier, OTHERWISE or T."""
    for clause in clauses:
        fit(clause.items, 1)
        kind = clause.items[0]
        if kind.word in ("OTHERWISE", "T"):
            walk.datum(kind)
        else:
            type_specifier(walk, kind, relation)
        rest(walk, clause, clause.items[1:])


def _forms(walk: Walk, _: Node, nodes: list[Node]) -> None:
    walk.forms(nodes)


def _handler(walk: Walk, clause: Node, nodes: list[Node]) -> None:
    if nodes:
        _clause_function(walk, clause, nodes[0], nodes[1:])


def _clause_function(walk: Walk, clause: Node, lambda_list: Node, body: list[Node]) -> None:
    form, walk.form = walk.form, clause
    function(walk, lambda_list, body)
    walk.form = form


def _typecase(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    walk.walk(arguments[0])
    _typed(walk, arguments[1:], _TESTS, _forms)


def _handler_case(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    walk.walk(arguments[0])
    _typed(walk, arguments[1:], _HANDLES, _handler)


def _handler_bind(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    _typed(walk, items_of(arguments[0]), _HANDLES, _forms)
    walk.body(arguments[1:])


def _restart_case(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    walk.walk(arguments[0])
    for clause in arguments[1:]:
        fit(clause.items, 2)
        walk.note(clause.items[0], NAMES)
        body = clause.items[2:]
        while len(body) > 1 and body[0].kind == KEYWORD:
            if body[1].kind == SYMBOL:
                walk.note(body[1], NAMES)
            else:
                walk.walk(body[1])
            body = body[2:]
        _clause_function(walk, clause, clause.items[1], body)


def _restart_bind(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    for binding in items_of(arguments[0]):
        fit(binding.items, 1)
        walk.note(binding.items[0], NAMES)
        walk.forms(binding.items[1:])
    walk.body(arguments[1:])


def _with_simple_restart(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    parts = items_of(arguments[0])
    fit(parts, 1)
    walk.note(parts[0], NAMES)
    walk.forms(parts[1:])
    walk.body(arguments[1:])


# Functions that take the name of a class or a type


def initargs(walk: Walk, nodes: list[Node]) -> None:
    """Walk initargs and their values."""
    for initarg, value in pairs(nodes):
        if initarg.kind == KEYWORD:
            walk.note_initarg(initarg)
        else:
            walk.walk(initarg)
        if value is not None:
            walk.walk(value)


def _instance(walk: Walk, nodes: list[Node]) -> None:
    """Walk a class or condition type that may be quoted, and its initargs."""
    fit(nodes, 1)
    named = nodes[0]
    if named.kind == QUOTE and named.items[0].kind == SYMBOL:
        walk.note(named.items[0], "instantiates")
        initargs(walk, nodes[1:])
    else:
        walk.forms(nodes)


def _make_instance(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    if arguments[0].kind == QUOTE:
        _instance(walk, arguments)
    else:
        walk.walk(arguments[0])
        initargs(walk, arguments[1:])


def _cerror(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 2)
    walk.walk(arguments[0])
    _instance(walk, arguments[1:])


def _change_class(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    walk.walk(arguments[0])
    initargs(walk, arguments[1:])


def _typep(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    walk.walk(arguments[0])
    type_argument(walk, part(arguments, 1), _TESTS)
    walk.forms(arguments[2:])


def _subtypep(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    type_argument(walk, arguments[0], _TESTS)
    type_argument(walk, part(arguments, 1), _TESTS)
    walk.forms(arguments[2:])


def _coerce(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1, 2)
    walk.walk(arguments[0])
    type_argument(walk, part(arguments, 1), NAMES)


def _proclaim(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1, 1)
    if arguments[0].kind in (QUOTE, BACKQUOTE):
        if not arguments[0].items:
            raise Unfit
        declaration(walk, arguments[0].items[0])
    else:
        walk.walk(arguments[0])


WALKERS = {
    "COND": _cond,
    **dict.fromkeys(("CASE", "CCASE", "ECASE"), _case),
    **dict.fromkeys(("TYPECASE", "CTYPECASE", "ETYPECASE"), _typecase),
    **{"HANDLER-CASE": _handler_case, "HANDLER-BIND": _handler_bind},
    **{"RESTART-CASE": _restart_case, "RESTART-BIND": _restart_bind},
    "WITH-SIMPLE-RESTART": _with_simple_restart,
    **dict.fromkeys(("MAKE-INSTANCE", "MAKE-CONDITION"), _make_instance),
    **dict.fromkeys(("ERROR", "SIGNAL", "WARN"), _instance),
    "CERROR": _cerror,
    **dict.fromkeys(("REINITIALIZE-INSTANCE", "CHANGE-CLASS"), _change_class),
    **{"TYPEP": _typep, "SUBTYPEP": _subtypep, "COERCE": _coerce, "PROCLAIM": _proclaim},
}
