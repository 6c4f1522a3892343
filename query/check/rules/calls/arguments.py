"""The arguments of calls: the complaints of wrong-number-of-arguments and unknown-keyword."""

from __future__ import annotations

from dataclasses import replace

from ....syntax.lexemes import is_standard
from ....syntax.nodes import Atom, Form, Node
from ....syntax.tokens import KEYWORD, Tokens
from ...world.call_shape import CallShape
from . import unknown_keyword, wrong_number_of_arguments
from .complaint import Complaint

_ELLIPSES = ("...", "…", "..")
_UNCOUNTABLE = (",", "?")


def complaint(shape: CallShape, arguments: list[Node], tokens: Tokens) -> Complaint | None:
    """The fault in the ``arguments`` of a call of this shape; None if they fit, or cannot be counted."""
    if not countable(arguments):
        return None
    if (miscounted := wrong_number_of_arguments.complaint(shape, len(arguments))) is not None:
        return miscounted
    for at, inner in shape.inner:
        part = arguments[at]
        if isinstance(part, Form) and part.kind == "(" and (wrong := complaint(inner, part.items, tokens)):
            return replace(wrong, at=wrong.at or _first_atom(part))
    if shape.keywords is None:
        return None
    return _keyword_complaint(shape, arguments[shape.positional :], tokens)


def _first_atom(node: Node) -> Atom | None:
    while isinstance(node, Form) and node.items:
        node = node.items[0]
    return node if isinstance(node, Atom) else None


def countable(arguments: list[Node]) -> bool:
    """Whether each node is exactly one argument: none is spliced in, undecided, dotted or elided.

    An atom with a custom reader macro may read as more or less than one object.
    """
    for one in arguments:
        if isinstance(one, Form):
            if one.kind in _UNCOUNTABLE:
                return False
        elif one.text == "." or one.text in _ELLIPSES or not is_standard(one.text):
            return False
    return True


def _keyword_complaint(shape: CallShape, pairs: list[Node], tokens: Tokens) -> Complaint | None:
    """The first keyword that is not accepted, or a keyword without a value (CLHS 3.4.1.4)."""
    assert shape.keywords is not None
    names = [keyword_name(one, tokens) for one in pairs[::2]]
    if shape.other_keywords or "ALLOW-OTHER-KEYS" in names:
        return None
    for atom, name in zip(pairs[::2], names, strict=True):
        if name is not None and name not in shape.keywords:
            assert isinstance(atom, Atom)
            return unknown_keyword.complaint(atom, shape.keywords, tokens)
    if len(pairs) % 2 and not shape.rest:
        return wrong_number_of_arguments.WITHOUT_VALUE
    return None


def keyword_name(node: Node, tokens: Tokens) -> str | None:
    """The name of a keyword; None for anything else."""
    if isinstance(node, Form):
        return None
    token = tokens.symbol(node.text)
    return token.name if token is not None and token.package == KEYWORD else None
