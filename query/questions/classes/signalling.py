"""Which methods only signal: the body of their form is one call that signals, as a note to subclasses."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from ...index.reading import Reading
from ...syntax.features import Features
from ...syntax.nodes import Atom, Form, Node
from ...syntax.reader import read
from ...syntax.tokens import Tokens
from . import sql

MOST_READ = 400
"""The methods whose text is looked at; SBCL's class NULL, with the most, has 190."""
_CHARACTERS = 700  # of a form; longer ones do more than signal
_SIGNALLING = frozenset(("ERROR", "CERROR", "SIGNAL"))
_DEFINING = frozenset(("DEFMETHOD", "METHOD"))  # METHOD as the keyword of a clause of DEFGENERIC
_IMPLEMENTING = re.compile(
    r"implement|abstract|subclass|overrid|must (?:be )?(?:defin|provid|speciali)", re.IGNORECASE
)
_HEAD = re.compile(r"\(\s*(?:[^\s()\"';|:]*:{1,2})?([^\s()\"';|:]+)")


def only_signalling(index: Reading, methods: Sequence[int]) -> dict[int, bool]:
    """Return those of ``methods``, definitions, that only signal, and whether they speak of implementing.

    Only the first MOST_READ are looked at.
    """
    names = never_returning(index)
    tokens = Tokens(index.upcase)
    features = Features(index.facts.get("features", ""), tokens)
    rows = index.rows(sql.METHOD_TEXTS, methods=json.dumps(methods[:MOST_READ]), characters=_CHARACTERS)
    found = {}
    for row in map(sql.MethodTextRow._make, rows):
        text = (row.text or "")[(row.column or 1) - 1 :]
        # Few methods call what signals; only those are read.
        if not names.isdisjoint(_HEAD.findall(text.upper())):
            operator = only_call(text, features, tokens)
            if operator in names:
                found[row.method] = _IMPLEMENTING.search(text) is not None
    return found


def never_returning(index: Reading) -> frozenset[str]:
    """Return the names of ERROR, of its kin, and of all functions that by their type never return."""
    rows = index.fixed_rows(sql.NEVER_RETURN) if index.has_signatures else []
    return _SIGNALLING.union(name for (name,) in rows)


def only_call(text: str, features: Features, tokens: Tokens) -> str | None:
    """Return the operator's name of the one form in the body of a method, whose form is ``text``."""
    form = next((one.node for one in read(text, features) if one.whole), None)
    if not isinstance(form, Form) or form.kind != "(" or _name(form.items[:1], tokens) not in _DEFINING:
        return None
    # The name is left out: it may be a list, (SETF FOO).
    rest = form.items[1 if _name(form.items[:1], tokens) == "METHOD" else 2 :]
    lambda_list = next((place for place, one in enumerate(rest) if isinstance(one, Form)), None)
    body = [] if lambda_list is None else _without_preamble(rest[lambda_list + 1 :], tokens)
    if len(body) != 1 or not isinstance(body[0], Form) or body[0].kind != "(":
        return None
    return _name(body[0].items[:1], tokens)


def _without_preamble(body: Sequence[Node], tokens: Tokens) -> Sequence[Node]:
    """Leave out documentation and declarations."""
    body = [
        one
        for one in body
        if not (isinstance(one, Form) and one.kind == "(" and _name(one.items[:1], tokens) == "DECLARE")
    ]
    if len(body) > 1 and isinstance(body[0], Atom) and body[0].text.startswith('"'):
        return body[1:]
    return body


def _name(nodes: Sequence[Node], tokens: Tokens) -> str | None:
    """Return the name of the symbol that the first of ``nodes`` is; None for anything else."""
    if not nodes or not isinstance(nodes[0], Atom):
        return None
    token = tokens.symbol(nodes[0].text)
    return None if token is None else token.name
