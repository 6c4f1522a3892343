"""Forms about packages, in which strings and symbols of any package designate symbols."""

from __future__ import annotations

from .forms import NAMES, Walk, Walker
from .nodes import KEYWORD, LIST, QUOTE, STRING, UNINTERNED, Node, fit

_EXPORTS, _IMPORTS = "exports", "imports"


def _designated(walk: Walk, node: Node) -> str | None:
    """The package that a node names; None if the index has none."""
    return walk.meanings.package(node.name, walk.package) if node.name is not None else None


def _package(walk: Walk, arguments: list[Node]) -> None:
    fit(arguments, 1)
    walk.datum(arguments[0])
    package = _designated(walk, arguments[0])
    for option in arguments[1:]:
        if option.kind == LIST:
            fit(option.items, 1)
            _option(walk, option.items[0].word, option.items[1:], package)


def _option(walk: Walk, key: str, values: list[Node], package: str | None) -> None:
    if key == ":EXPORT":
        _all(walk, values, package, _EXPORTS)
    elif key in (":SHADOW", ":INTERN"):
        _all(walk, values, package, NAMES)
    elif key in (":IMPORT-FROM", ":SHADOWING-IMPORT-FROM"):
        if values:
            source = _designated(walk, values[0])
            walk.datum(values[0])
            _all(walk, values[1:], source, _IMPORTS)
    else:
        for value in values:
            walk.datum(value)


def _all(walk: Walk, nodes: list[Node], package: str | None, relation: str) -> None:
    for node in nodes:
        walk.note_designated(node, package, relation)


def _quoted(node: Node) -> list[Node]:
    """The symbols in a quoted symbol or list, or another designator."""
    if node.kind == QUOTE:
        datum = node.items[0]
        return datum.items if datum.kind == LIST else [datum]
    return [node] if node.kind in (KEYWORD, STRING, UNINTERNED) else []


def _changing(relation: str) -> Walker:
    def walk_change(walk: Walk, arguments: list[Node]) -> None:
        fit(arguments, 1, 2)
        package = walk.meanings.package(walk.package, walk.package)
        if len(arguments) == 2:
            named = _quoted(arguments[1])
            package = _designated(walk, named[0] if named else arguments[1])
        symbols = _quoted(arguments[0])
        if symbols:
            _all(walk, symbols, package, relation)
        else:
            walk.walk(arguments[0])
        walk.forms(arguments[1:])

    return walk_change


WALKERS = {
    **{"DEFPACKAGE": _package, "UIOP/PACKAGE:DEFINE-PACKAGE": _package},
    **dict.fromkeys(("EXPORT", "UNEXPORT"), _changing(_EXPORTS)),
    **dict.fromkeys(("IMPORT", "SHADOWING-IMPORT"), _changing(_IMPORTS)),
    "SHADOW": _changing(NAMES),
}
