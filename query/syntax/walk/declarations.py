"""Declarations (CLHS 3.3) and type specifiers (CLHS 4.2)."""

from __future__ import annotations

from .forms import NAMES, Walk
from .nodes import BACKQUOTE, COMMA, FUNCTION, LIST, QUOTE, READ_TIME, SYMBOL, Node, UnfitArguments
from .scope import Table

_DECLARES = "declares"
_WITH_A_TYPE = ("TYPE", "FTYPE")
_OF_FUNCTIONS = ("FTYPE", "INLINE", "NOTINLINE", "SB-EXT:MAYBE-INLINE")
_OF_NO_NAMES = (
    *("OPTIMIZE", "DECLARATION", "SB-EXT:MUFFLE-CONDITIONS", "SB-EXT:UNMUFFLE-CONDITIONS"),
    *("SB-EXT:DISABLE-PACKAGE-LOCKS", "SB-EXT:ENABLE-PACKAGE-LOCKS"),
)


def declaration(walk: Walk, node: Node) -> None:
    """Walk one declaration specifier."""
    if node.kind == READ_TIME:
        walk.walk(node)
    elif node.kind == SYMBOL:
        walk.note(node, _DECLARES)
    elif node.kind == LIST and node.items:
        _specifier(walk, node.items[0], node.items[1:])


def _specifier(walk: Walk, identifier: Node, arguments: list[Node]) -> None:
    if identifier.kind == LIST:  # ((integer 0 9) var ..)
        type_specifier(walk, identifier, _DECLARES)
        _declared(walk, arguments, walk.variables)
        return
    walk.note(identifier, _DECLARES)
    if identifier.word in _OF_NO_NAMES:
        for argument in arguments:
            type_specifier(walk, argument, _DECLARES)
        return
    if identifier.word in _WITH_A_TYPE and arguments:
        type_specifier(walk, arguments[0], _DECLARES)
        arguments = arguments[1:]
    _declared(walk, arguments, walk.functions if identifier.word in _OF_FUNCTIONS else walk.variables)


def _declared(walk: Walk, nodes: list[Node], table: Table) -> None:
    """Walk the names of variables or functions in a declaration."""
    for node in nodes:
        if node.kind == FUNCTION:
            _declared(walk, node.items, walk.functions)
        elif node.kind == LIST:
            walk.function_name(node, _DECLARES)
        elif node.symbol is not None and (entry := table.get(node.symbol)) is not None:
            walk.skip(node)
            walk.use(node, entry)
        else:
            walk.note(node, _DECLARES)


def type_specifier(walk: Walk, node: Node | None, relation: str) -> None:
    """Walk a type specifier; all type names in it have this relation."""
    if node is None:
        raise UnfitArguments
    kind = node.kind
    if kind == SYMBOL:
        walk.note(node, relation)
    elif kind == LIST:
        if node.items:
            _compound(walk, node.items[0], node.items[1:], relation)
    elif kind in (COMMA, READ_TIME):
        walk.inserted(node)
    elif kind in (QUOTE, BACKQUOTE):
        type_specifier(walk, node.items[0], relation)
    else:
        walk.datum(node)


def _compound(walk: Walk, name: Node, arguments: list[Node], relation: str) -> None:
    type_specifier(walk, name, relation)
    for argument in arguments:
        if name.word in ("MEMBER", "EQL"):
            walk.datum(argument)
        elif name.word == "SATISFIES":
            walk.note(argument, NAMES)
        else:
            type_specifier(walk, argument, relation)


def type_argument(walk: Walk, node: Node | None, relation: str) -> None:
    """Walk the argument of a function that takes a type specifier, which is mostly quoted."""
    if node is None:
        return
    if node.kind in (QUOTE, BACKQUOTE):
        type_specifier(walk, node.items[0], relation)
    else:
        walk.walk(node)
