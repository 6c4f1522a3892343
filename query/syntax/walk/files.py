"""The walk through toplevel forms and whole files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..current_package import package_after
from ..features import Features
from ..lexemes import lexemes
from ..names.meanings import Meanings
from ..nodes import Atom, Form, Toplevel
from ..texts import ReadText
from ..tokens import UPCASE, Tokens
from . import loop, operators, packages
from .forms import MENTIONS, Macros
from .nodes import AtomNames
from .notes import MadeByForms, Noting
from .results import Walked

WALKERS = {
    **operators.WALKERS,
    **packages.WALKERS,
    **loop.WALKERS,
}
"""The walkers of the standard's operators."""
_NOTHING_MADE: MadeByForms = {}


class WalkedForm(NamedTuple):
    """A toplevel form, the package it was walked in, what the walk found, and how its tokens are read."""

    toplevel: Toplevel
    package: str
    walked: Walked
    tokens: Tokens


def walk_toplevel(
    toplevel: Toplevel,
    text: str,
    package: str,
    meanings: Meanings,
    tokens: Tokens,
    made: MadeByForms = _NOTHING_MADE,
    *,
    own: bool = True,
) -> Walked:
    """Walk a toplevel form that was read in a package from ``text``, where its offsets count.

    IN-PACKAGE itself is walked in the package that it enters. A form that could not be read to its end is
    searched only for symbols. ``own`` is whether the file is one of the project's.
    """
    return _walked(toplevel, text, AtomNames(package, meanings, tokens), meanings, made, own)


def _walked(
    toplevel: Toplevel,
    text: str,
    names: AtomNames,
    meanings: Meanings,
    made: MadeByForms,
    own: bool,
    macros: Macros | None = None,
) -> Walked:
    walk = Noting(names.package, meanings, WALKERS, made, own=own)
    if macros is not None:
        walk.macros = macros
    if toplevel.closed:
        names.tell(toplevel.node)
        return walk.walked(toplevel.node)
    if isinstance(toplevel.node, Form):
        _note_tokens(walk, text, names, toplevel.node)
    return walk.taken()


def _note_tokens(walk: Noting, text: str, names: AtomNames, form: Form) -> None:
    """Note as mentions the symbols in a text that is not in standard syntax."""
    for lexeme in lexemes(text[form.start : form.end]):
        if lexeme.kind == "symbol":
            atom = Atom(form.start + lexeme.start, lexeme.text)
            names.tell(atom)
            walk.note(atom, MENTIONS)


def walk_text(
    text: str,
    package: str,
    features: Features,
    meanings: Meanings,
    tokens: Tokens,
    made: MadeByForms = _NOTHING_MADE,
    *,
    own: bool = True,
    between: tuple[int, int] | None = None,
    macros: Macros | None = None,
) -> Iterator[WalkedForm]:
    """Walk the toplevel forms of a text, which begins in a package: all, or those ``between`` two offsets.

    ``macros`` tells what is known of the arguments of a program's macros: nothing, unless it is given.
    """
    for toplevel, names in read_forms(text, package, features, meanings, tokens, between=between):
        walked = _walked(toplevel, text, names, meanings, made, own, macros)
        yield WalkedForm(toplevel, names.package, walked, names.tokens)


def read_forms(
    text: str,
    package: str,
    features: Features,
    meanings: Meanings,
    tokens: Tokens,
    *,
    between: tuple[int, int] | None = None,
) -> Iterator[tuple[Toplevel, AtomNames]]:
    """Read the same toplevel forms, each with what atoms name in the package that it is read in."""
    names, last = AtomNames(package, meanings, tokens), UPCASE
    for form, case in ReadText(text, features).with_cases(package, meanings, tokens):
        toplevel = form.toplevel
        cased = tokens.in_case(case)
        package = package_after(toplevel, package, meanings, cased)
        if (package, case) != (names.package, last):
            names, last = AtomNames(package, meanings, cased), case
        if between is None or _overlaps(toplevel.node, *between):
            yield toplevel, names


def _overlaps(node: Atom | Form, start: int, end: int) -> bool:
    """Return whether a part of a node is between two offsets."""
    last = node.start + len(node.text) if isinstance(node, Atom) else node.end
    return node.start < end and last > start
