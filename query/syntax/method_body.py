"""The body of a method, for which its whole form is read."""

from __future__ import annotations

from collections.abc import Sequence

from .features import Features
from .nodes import Atom, Form, Node
from .reader import read
from .tokens import Tokens

_DEFINING = frozenset(("DEFMETHOD", "METHOD"))  # METHOD as the keyword of a clause of DEFGENERIC


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
