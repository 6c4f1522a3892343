"""Names that forms give as they are: string designators and quoted symbols (CLHS glossary)."""

from __future__ import annotations

from .nodes import Atom, Form, Node
from .tokens import Tokens

_MOST_NESTED = 50


def designated(node: Node, tokens: Tokens) -> str | None:
    """The name that a string, symbol, keyword or uninterned symbol designates."""
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


def string_value(text: str) -> str:
    """What a string as it stands in a text says."""
    inner = text[1:-1]
    if "\\" not in inner:
        return inner
    pieces, at = [], 0
    while at < len(inner):
        at += inner[at] == "\\"
        pieces.append(inner[at : at + 1])
        at += 1
    return "".join(pieces)


def designated_names(nodes: list[Node], tokens: Tokens, depth: int = 0) -> dict[str, Atom]:
    """The names that nodes designate, with the atom that does; what designates none is left out."""
    found: dict[str, Atom] = {}
    for node in nodes:
        if isinstance(node, Form):
            if node.items and depth < _MOST_NESTED:  # quoted, or behind a conditional that nobody can decide
                found.update(designated_names(node.items, tokens, depth + 1))
        elif (name := designated(node, tokens)) is not None:
            found[name] = node
    return found
