"""Feature expressions (CLHS 24.1.2.1), decided under the features of the indexed image."""

from __future__ import annotations

from .nodes import Atom, Node
from .tokens import KEYWORD, Tokens

_MOST_NESTED = 50


class Features:
    """The features of an image: its ``*features*`` when it was indexed."""

    def __init__(self, printed: str, tokens: Tokens) -> None:
        """``printed`` is an index's ``features`` fact: the printed symbols, separated by spaces."""
        self._tokens = tokens
        self._known = set()
        for text in printed.split():
            token = self._tokens.symbol(text)
            if token is not None:
                self._known.add((token.package or KEYWORD, token.name))

    def decide(self, node: Node, depth: int = 0) -> bool | None:
        """Return whether the feature expression holds; None if it is malformed, or needs a Lisp (``#.``)."""
        if depth > _MOST_NESTED:
            return None
        if isinstance(node, Atom):
            return self._has(node.text)
        if node.kind != "(" or not node.items or not isinstance(node.items[0], Atom):
            return None
        operator = self._tokens.symbol(node.items[0].text)
        if operator is None:
            return None
        return self._combine(operator.name, [self.decide(item, depth + 1) for item in node.items[1:]])

    def _has(self, text: str) -> bool | None:
        """Return whether a symbol is a feature; no uninterned one is."""
        token = self._tokens.symbol(text)
        if token is None:
            return False if text.startswith("#:") else None
        return (token.package or KEYWORD, token.name) in self._known

    def _combine(self, operator: str, decided: list[bool | None]) -> bool | None:
        """Apply AND, OR or NOT to arguments that may be unknown."""
        if operator == "NOT":
            return None if len(decided) != 1 or decided[0] is None else not decided[0]
        if operator not in ("AND", "OR"):
            return None
        deciding = operator == "OR"
        if deciding in decided:
            return deciding
        return None if None in decided else not deciding


class OtherFeatures(Features):
    """The features by which what these features hide is read, and what they show is not."""

    def decide(self, node: Node, depth: int = 0) -> bool | None:
        """Return the contrary of what the features decide."""
        decided = super().decide(node, depth)
        return decided if decided is None or depth else not decided
