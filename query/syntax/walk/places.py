"""Places that are written to (CLHS 5.1)."""

from __future__ import annotations

from ..names.meanings import FUNCTION
from ..nodes import Form
from .declarations import type_specifier
from .forms import NAMES, Walk, is_plain_macro
from .nodes import LIST, SYMBOL, Node, UnfitArguments, part

_OF_PLACES = ("VALUES", "THE", "SB-EXT:TRULY-THE")


def place(walk: Walk, node: Node | None, *, changed: bool = False) -> None:
    """Walk a place that is written to; one that is ``changed`` is read as well."""
    if node is None:
        raise UnfitArguments
    if node.kind == SYMBOL:
        _variable(walk, node)
        return
    head = part(node.items, 0) if node.kind == LIST else None
    if isinstance(node, Form) and head is not None and head.kind == SYMBOL and head.symbol is not None:
        _form(walk, node, head, node.items[1:], changed)
    else:
        walk.walk(node)


def _variable(walk: Walk, node: Node) -> None:
    entry = walk.variables.get(node.symbol) if node.symbol is not None else None
    if entry is not None:
        walk.skip(node)
        walk.sets_local(node)
        walk.use(node, entry)
    else:
        walk.sets(node)


def _form(walk: Walk, node: Form, head: Node, arguments: list[Node], changed: bool) -> None:
    if head.word in _OF_PLACES:
        walk.note(head, NAMES)
        if head.word != "VALUES" and arguments:
            type_specifier(walk, arguments[0], "tests")
            arguments = arguments[1:]
        for argument in arguments:
            place(walk, argument, changed=changed)
        return
    if not walk.knows_places_of(head):
        walk.walk(node)
        return
    entry = walk.functions.get(("SETF", head.symbol))
    if entry is not None:
        walk.use(head, entry)
    if not walk.local_call(head, arguments):
        if entry is None:
            walk.changes(node, walk.form)
        walk.note_accessor(head, changed=changed)
        walker = walk.walkers.get(head.word)
        if is_plain_macro(head, walk.walkers):
            walk.uncertain(arguments)
        elif walker is not None and head.facts.operator == FUNCTION:
            walk.by_rule(node, arguments, walker)
        else:
            walk.forms(arguments)
