"""Occurrences: the places where the text has a symbol of the index.

The symbols of the index here are those with a definition and those that a package exports. A keyword counts
only where it is an initarg, and the name of a slot only where slots are named.
"""

from __future__ import annotations

from .meanings import Meanings, Named
from .nodes import SYMBOL, Node, Unfit
from .results import Occurrence

MENTIONS, NAMES = "mentions", "names"


class Notes:
    """Takes down occurrences, each place only once: the first to meet a place knows best what it is for."""

    def __init__(self, meanings: Meanings) -> None:
        self.meanings = meanings
        self.occurrences: list[Occurrence] = []
        self.certain = True
        """False inside macros that are not standard: what such a macro makes of its arguments is unknown."""

    def note(self, node: Node | None, relation: str, operator: str | None = None) -> None:
        """Note the symbol that a node names, if it is indexed."""
        if node is not None and node.kind == SYMBOL and not node.seen:
            node.seen = True
            if node.facts.indexed and node.value is not None:
                self._add(node, node.value, relation, operator)

    def note_if_certain(self, node: Node, relation: str) -> None:
        """Note a symbol in this relation, or as a mention where the relation is not certain."""
        self.note(node, relation if self.certain else MENTIONS)

    def note_slot(self, node: Node | None) -> None:
        """Note the name of a slot, indexed or not."""
        if node is not None and not node.word.startswith(":"):
            self.note_initarg(node)

    def note_initarg(self, node: Node) -> None:
        """Note an initarg, indexed or not."""
        if node.symbol is not None and node.symbol.number is not None and not node.seen:
            node.seen = True
            self._add(node, node.symbol, NAMES, None)

    def note_designated(self, node: Node, package: str | None, relation: str) -> None:
        """Note the symbol of a package that a symbol of any kind, or a string, designates."""
        if node.name is not None and package is not None:
            symbol = self.meanings.designated(node.name, package)
            if symbol is not None and self.meanings.facts(symbol).indexed:
                if not node.seen:
                    node.seen = True
                    self._add(node, symbol, relation, None)
                return
        self.note(node, relation)

    @staticmethod
    def skip(node: Node | None) -> None:
        """Leave out a node that names nothing global."""
        if node is None:
            raise Unfit
        node.seen = True

    def _add(self, node: Node, symbol: Named, relation: str, operator: str | None) -> None:
        self.occurrences.append(Occurrence(node.start, node.end - node.start, symbol, operator, relation))
