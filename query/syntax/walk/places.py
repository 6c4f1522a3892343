"""Places that are written to (CLHS 5.1), and the standard operators that write to them."""

from __future__ import annotations

from .declarations import type_specifier
from .forms import Walk, is_plain_macro, is_symbol_macro
from .nodes import LIST, SYMBOL, Node, Unfit, fit, items_of, pairs, part
from .notes import MENTIONS, NAMES

_OF_PLACES = ("VALUES", "THE", "SB-EXT:TRULY-THE")


def place(walk: Walk, node: Node | None, *, changed: bool = False) -> None:
    """Walk a place that is written to; one that is ``changed`` is read as well."""
    if node is None:
        raise Unfit
    if node.kind == SYMBOL:
        _variable(walk, node)
    elif node.kind == LIST:
        head = part(node.items, 0)
        if head is not None and head.kind == SYMBOL and head.symbol is not None:
            _form(walk, node, head, node.items[1:], changed)
        else:
            walk.walk(node)
    else:
        walk.walk(node)


def _variable(walk: Walk, node: Node) -> None:
    entry = walk.variables.get(node.symbol) if node.symbol is not None else None
    if entry is not None:
        walk.skip(node)
        walk.use(node, entry)
    elif node.symbol is not None and node.facts.always_global:
        walk.note_if_certain(node, "sets")
    else:
        walk.note(node, "sets" if is_symbol_macro(node) else MENTIONS)


def _form(walk: Walk, node: Node, head: Node, arguments: list[Node], changed: bool) -> None:
    if head.word in _OF_PLACES:
        walk.note(head, NAMES)
        if head.word != "VALUES" and arguments:
            type_specifier(walk, arguments[0], "tests")
            arguments = arguments[1:]
        for argument in arguments:
            place(walk, argument, changed=changed)
        return
    if head.symbol is not None and head.symbol.number is None and head.symbol not in walk.functions:
        walk.walk(node)
        return
    entry = walk.functions.get(("SETF", head.symbol))
    if entry is not None:
        walk.use(head, entry)
    if not walk.local_call(head, arguments):
        walk.note_accessor(head, changed=changed)
        if is_plain_macro(head, walk.walkers):
            walk.uncertain(arguments)
        else:
            walk.forms(arguments)


def _set(walk: Walk, arguments: list[Node]) -> None:
    for target, value in pairs(arguments):
        place(walk, target)
        if value is not None:
            walk.walk(value)


def _changed(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    place(walk, arguments[0], changed=True)
    walk.forms(arguments[1:])


def _pushed(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 2)
    walk.walk(arguments[0])
    place(walk, arguments[1], changed=True)
    walk.forms(arguments[2:])


def _shifted(walk: Walk, arguments: list[Node]) -> None:
    _rotated(walk, arguments[:-1])
    walk.forms(arguments[-1:])


def _rotated(walk: Walk, arguments: list[Node]) -> None:
    for argument in arguments:
        place(walk, argument, changed=True)


def _values_set(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    for variable in items_of(arguments[0]):
        place(walk, variable)
    walk.forms(arguments[1:])


def _check_type(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 2)
    place(walk, arguments[0])
    type_specifier(walk, arguments[1], "tests")
    walk.forms(arguments[2:])


def _assert(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    walk.walk(arguments[0])
    if len(arguments) > 1:
        for one in items_of(arguments[1]):
            place(walk, one)
        walk.forms(arguments[2:])


WALKERS = {
    **dict.fromkeys(("SETQ", "PSETQ", "SETF", "PSETF"), _set),
    **dict.fromkeys(("INCF", "DECF", "POP", "REMF"), _changed),
    **dict.fromkeys(("PUSH", "PUSHNEW"), _pushed),
    **{"SHIFTF": _shifted, "ROTATEF": _rotated},
    **{"MULTIPLE-VALUE-SETQ": _values_set, "CHECK-TYPE": _check_type, "ASSERT": _assert},
}
