"""The walk through toplevel forms and whole files."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from ..features import Features
from ..lexemes import lexemes
from ..nodes import Atom, Form, Toplevel
from ..reader import read
from ..state.cases import ReadForm, cases_of
from ..state.packages import package_after
from ..tokens import UPCASE, Tokens
from . import loop, operators, packages
from .forms import Made, Walk
from .meanings import Meanings
from .nodes import KEYWORD, SYMBOL, Node, Nodes
from .notes import MENTIONS
from .results import Walked

_WALKERS = {
    **operators.WALKERS,
    **packages.WALKERS,
    **loop.WALKERS,
}
_BY_START = attrgetter("start")
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
        frozenset(walk.data),
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


def walk_text(
    text: str,
    package: str,
    features: Features,
    meanings: Meanings,
    tokens: Tokens,
    made: Made = _NOTHING_MADE,
    *,
    own: bool = True,
    between: tuple[int, int] | None = None,
) -> Iterator[WalkedForm]:
    """Walk the toplevel forms of a text, which begins in a package: all, or those ``between`` two offsets."""
    forms = [ReadForm.of(one, text) for one in read(text, features)]
    nodes, last = Nodes(package, meanings, tokens), UPCASE
    for (toplevel, _), case in zip(forms, cases_of(forms, package, meanings, tokens), strict=True):
        cased = tokens.in_case(case)
        package = package_after(toplevel, package, meanings, cased)
        if (package, case) != (nodes.package, last):
            nodes, last = Nodes(package, meanings, cased), case
        if between is not None and not _overlaps(toplevel.node, *between):
            continue
        yield WalkedForm(toplevel, package, _walked(toplevel, text, nodes, meanings, made, own))


def _overlaps(node: Atom | Form, start: int, end: int) -> bool:
    """Return whether a part of a node is between two offsets."""
    last = node.start + len(node.text) if isinstance(node, Atom) else node.end
    return node.start < end and last > start
