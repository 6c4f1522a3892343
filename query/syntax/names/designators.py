"""Names given literally in forms: string designators and quoted symbols (CLHS glossary)."""

from __future__ import annotations

import re

from ..nodes import Atom, Form, Node
from ..tokens import Tokens
from .literals import string_value

_MOST_NESTED = 50
_BEFORE = re.compile(r"""(#:|:|"|)([^\s()"';,`|#:]*)\Z""")


def designated(node: Node, tokens: Tokens) -> str | None:
    """Return the name that a string, symbol, keyword or uninterned symbol designates."""
    while isinstance(node, Form):
        if node.kind != "'" or not node.items:
            return None
        node = node.items[0]
    text = node.text
    if text[0] == '"':
        return string_value(text)
    if text.startswith("#:"):
        text = text[2:]
    token = tokens.symbol(text) if text else None
    return token.name if token is not None else None


def designated_names(nodes: list[Node], tokens: Tokens, depth: int = 0) -> dict[str, Atom]:
    """Return the names that nodes designate, each with its atom; other nodes are left out."""
    found: dict[str, Atom] = {}
    for node in nodes:
        if isinstance(node, Form):
            if node.items and depth < _MOST_NESTED:  # quoted, or after an undecided conditional
                found.update(designated_names(node.items, tokens, depth + 1))
        elif (name := designated(node, tokens)) is not None:
            found[name] = node
    return found


def designator_before(text: str) -> tuple[str, str]:
    """The designator that a text ends with: its mark, which is ``#:``, ``:`` or a quote, and the name."""
    found = _BEFORE.search(text)
    assert found is not None  # it may be empty
    return found[1], found[2]
