"""The walk through toplevel forms and whole files."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from ..designators import designated
from ..features import Features
from ..lexemes import lexemes
from ..nodes import Atom, Form, Toplevel
from ..reader import read
from ..tokens import Tokens
from . import binding, clauses, definitions, loop, packages, places
from .forms import Made, Walk
from .meanings import Meanings
from .nodes import KEYWORD, SYMBOL, Node, Nodes
from .notes import MENTIONS
from .results import Walked

_WALKERS = {
    **binding.WALKERS,
    **places.WALKERS,
    **clauses.WALKERS,
    **definitions.WALKERS,
    **packages.WALKERS,
    **loop.WALKERS,
}
_BY_START = attrgetter("start")
_USER, _SYSTEM_USER = "COMMON-LISP-USER", "ASDF-USER"
_NOTHING_MADE: Made = {}


class WalkedForm(NamedTuple):
    """A toplevel form, the package it was walked in, and what the walk found."""

    toplevel: Toplevel
    package: str
    walked: Walked


def walk_toplevel(
    toplevel: Toplevel,
    text: str,
    package: str,
    meanings: Meanings,
    tokens: Tokens,
    made: Made = _NOTHING_MADE,
    *,
    own: bool = True,
) -> Walked:
    """Walk a toplevel form that was read in a package from ``text``, where its offsets count.

    IN-PACKAGE itself is walked in the package that it enters. A form that could not be read to its end is
    only searched for symbols. ``own`` is whether the file is one of the project's.
    """
    return _walked(toplevel, text, Nodes(package, meanings, tokens), meanings, made, own)


def _walked(toplevel: Toplevel, text: str, nodes: Nodes, meanings: Meanings, made: Made, own: bool) -> Walked:
    walk = Walk(nodes.package, meanings, _WALKERS, made, own=own)
    if toplevel.closed:
        node = nodes.node(toplevel.node)
        walk.walk(node)
        _note_unseen(walk, node)
    elif isinstance(toplevel.node, Form):
        _note_tokens(walk, text, nodes, toplevel.node)
    return Walked(
        tuple(sorted(walk.occurrences, key=_BY_START)),
        tuple(sorted(walk.bindings, key=_BY_START)),
        tuple(sorted(walk.uses, key=_BY_START)),
    )


def _note_unseen(walk: Walk, node: Node) -> None:
    """Note as mentions the symbols that no walk has met."""
    rest = [node]
    while rest:
        one = rest.pop()
        if one.kind in (SYMBOL, KEYWORD):
            walk.note(one, MENTIONS)
        elif one.items:
            rest += one.items


def _note_tokens(walk: Walk, text: str, nodes: Nodes, form: Form) -> None:
    """Note as mentions the symbols in a text that is not in standard syntax."""
    for lexeme in lexemes(text[form.start : form.end]):
        if lexeme.kind == "symbol":
            walk.note(nodes.node(Atom(form.start + lexeme.start, lexeme.text)), MENTIONS)


def package_after(toplevel: Toplevel, package: str, meanings: Meanings, tokens: Tokens) -> str:
    """Return the package that forms after this one are read in: another if it is an IN-PACKAGE.

    A package that the index does not know has the name that the form says.
    """
    node = toplevel.node
    if isinstance(node, Form) and node.kind == "(" and len(node.items) > 1:
        head = node.items[0]
        token = tokens.symbol(head.text) if isinstance(head, Atom) else None
        if token is not None and token.name == "IN-PACKAGE":
            name = designated(node.items[1], tokens)
            if name is not None:
                return meanings.package(name, package) or name
    return package


def first_package(path: str) -> str:
    """Return the package that a file is read in until it says otherwise."""
    return _SYSTEM_USER if path.endswith(".asd") else _USER


def walk_text(
    text: str,
    package: str,
    features: Features,
    meanings: Meanings,
    tokens: Tokens,
    made: Made = _NOTHING_MADE,
    *,
    own: bool = True,
) -> Iterator[WalkedForm]:
    """Walk all toplevel forms of a text, which begins in a package."""
    nodes = Nodes(package, meanings, tokens)
    for toplevel in read(text, features):
        package = package_after(toplevel, package, meanings, tokens)
        if package != nodes.package:
            nodes = Nodes(package, meanings, tokens)
        yield WalkedForm(toplevel, package, _walked(toplevel, text, nodes, meanings, made, own))
