"""The forms that the outline of a document has: those that certainly define something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...index.kinds import DEFINED_BY
from ...syntax.buffer import Chunk
from ...syntax.names.defined import defined_name
from ...syntax.names.meanings import LISP, Symbol
from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import UPCASE, Tokens
from ..documents.edited import TextReader

# Operators whose last forms are at toplevel, or are treated so: the number of forms before these.
_AROUND = {
    **dict.fromkeys(("PROGN", "LOCALLY", "WITH-COMPILATION-UNIT"), 1),
    **dict.fromkeys(("EVAL-WHEN", "LET", "LET*", "FLET", "LABELS", "MACROLET", "SYMBOL-MACROLET"), 2),
}
_OF_PACKAGES = {"DEFPACKAGE": LISP, "DEFINE-PACKAGE": "UIOP/PACKAGE", "DEFSYSTEM": "ASDF/PARSE-DEFSYSTEM"}
# The macros of frameworks that define tests, which leave no definition behind; and words in the names of the
# frameworks' packages.
_OF_TESTS = frozenset(
    (
        "TEST",
        "DEFTEST",
        "DEF-TEST",
        "DEFINE-TEST",
        "ADDTEST",
        "DEFSUITE",
        "DEF-SUITE",
        "DEFTESTSUITE",
        "DEF-FIXTURE",
    )
)
_FRAMEWORKS = frozenset(
    (
        *(
            "FIVEAM",
            "PARACHUTE",
            "ROVE",
            "PROVE",
            "LISP-UNIT",
            "LISP-UNIT2",
            "RT",
            "SB-RT",
            "REGRESSION-TEST",
        ),
        *("LIFT", "CLUNIT", "CLUNIT2", "STEFIL", "TRY", "FIASCO"),
    )
)


@dataclass(frozen=True, slots=True)
class DefiningForm:
    """A list that begins with the name of a defining macro; its places count from its toplevel form."""

    operator: str
    name: Atom
    form: Form
    setf: bool
    rest: tuple[Node, ...]
    """What follows the name."""


def outlined_forms(chunk: Chunk, reader: TextReader, package: str) -> Iterator[DefiningForm]:
    """Yield the defining forms at toplevel, read in ``package``, outer ones first.

    A form defines if its operator is a macro of the standard that does, a macro that has made a definition in
    the index, or one of a test framework.
    """
    tokens = reader.tokens.in_case(chunk.case or UPCASE)
    rest: list[Node] = [chunk.toplevel.node]
    while rest:
        form = rest.pop()
        if not (isinstance(form, Form) and form.kind in ("(", "?") and form.items):
            continue
        head = form.items[0]
        if form.kind == "?" or not isinstance(head, Atom):
            rest += reversed(form.items)
            continue
        named, name = _operator(head, reader, tokens, package)
        home = named.package if named is not None else None
        if home == LISP and name in _AROUND:
            rest += reversed(form.items[_AROUND[name] :])
        elif _defines(named, name, reader) and (one := _defining(form)) is not None:
            yield one


def _operator(head: Atom, reader: TextReader, tokens: Tokens, package: str) -> tuple[Symbol | None, str]:
    """The symbol that a form begins with, None if the index does not have it, and its name."""
    token = tokens.symbol(head.text)
    named = reader.meanings.symbol(token, package) if token is not None else None
    return named, named.name if named is not None else token.name if token is not None else ""


def _defines(named: Symbol | None, name: str, reader: TextReader) -> bool:
    if named is None:  # the package is new: its names may be the standard's
        return name in DEFINED_BY or name in _OF_PACKAGES
    home = named.package or ""
    if name in DEFINED_BY and (home == LISP or home.startswith("SB-")):
        return True
    if home == LISP:  # SBCL's places are not exact enough to say that IN-PACKAGE, for one, defines nothing
        return _OF_PACKAGES.get(name) == LISP
    if name in _OF_TESTS and not _FRAMEWORKS.isdisjoint(re.split("[./]", home)):
        return True
    return home == _OF_PACKAGES.get(name) or reader.meanings.defines(named)


def _defining(form: Form) -> DefiningForm | None:
    """What a form defines whose operator is a defining macro; None if it has no name."""
    items = form.items
    if len(items) < 2 or not isinstance(items[0], Atom):
        return None
    name, setter = defined_name(items[1])
    if name is None:
        return None
    operator = items[0].text.rpartition(":")[2].lower()
    return DefiningForm(operator, name, form, bool(setter), tuple(items[2:]))
