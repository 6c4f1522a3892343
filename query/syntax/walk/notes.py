"""Occurrences: the places where the text has a symbol of the index.

In all files those symbols count that have a definition or that a package exports; a keyword counts only where
it is an initarg, and the name of a slot only where slots are named. In the project's own files every other
name of the index counts too that is not local.
"""

from __future__ import annotations

from .meanings import MACRO, Meanings, Named
from .nodes import KEYWORD, SYMBOL, Node, Unfit
from .results import Occurrence

MENTIONS, NAMES = "mentions", "names"
_OF_TEMPLATES = frozenset(("instantiates", "handles", "tests", "declares", "inherits"))
"""The relations that a backquoted form has as code would; what else it mentions is merely named."""


class Notes:
    """Takes down occurrences, each place only once: the first to meet a place knows best what it is for."""

    def __init__(self, meanings: Meanings, own: bool) -> None:
        """``own`` is whether the file is one of the project's."""
        self.meanings = meanings
        self._own = own
        self.occurrences: list[Occurrence] = []
        self.certain = True
        """False inside macros that are not standard: what such a macro makes of its arguments is unknown."""

        self.template = False
        """Whether a backquoted form is walked as the code that it will be."""

    def note(self, node: Node | None, relation: str, operator: str | None = None) -> None:
        """Note the symbol that a node names, if it is indexed."""
        if node is None or node.seen or node.kind not in (SYMBOL, KEYWORD):
            return
        if self.template and relation not in _OF_TEMPLATES:
            return
        if node.value is not None and self._is_indexed(node, node.value):
            node.seen = True
            self._add(node, node.value, relation, operator)
        elif not self.template:
            node.seen = True

    def _is_indexed(self, node: Node, symbol: Named) -> bool:
        """Whether a symbol is indexed everywhere, or here."""
        if node.kind == SYMBOL and node.facts.indexed:
            return True
        return self._own and symbol.number is not None and not self.is_local(symbol)

    def is_local(self, symbol: Named) -> bool:
        """Whether a symbol names a local variable here."""
        raise NotImplementedError

    def note_accessor(self, head: Node, *, changed: bool) -> None:
        """Note the accessor of a place that is written to; one that is ``changed`` is read first: a call."""
        operator = "SETF" if head.facts.setf_operator else None
        self.note(head, NAMES, operator)
        if changed and operator and not self.template and head.facts.indexed and head.value is not None:
            read = "macroexpands" if head.facts.operator == MACRO else "calls"
            self._add(head, head.value, read if self.certain else MENTIONS, None)

    def note_if_certain(self, node: Node, relation: str) -> None:
        """Note a symbol in this relation, or as a mention where the relation is not certain."""
        self.note(node, relation if self.certain else MENTIONS)

    def note_slot(self, node: Node | None) -> None:
        """Note the name of a slot, indexed or not."""
        if node is not None and not node.word.startswith(":"):
            self.note_initarg(node)

    def note_initarg(self, node: Node) -> None:
        """Note an initarg, indexed or not."""
        if node.symbol is not None and node.symbol.number is not None and not (node.seen or self.template):
            node.seen = True
            self._add(node, node.symbol, NAMES, None)

    def note_designated(self, node: Node, package: str | None, relation: str) -> None:
        """Note the symbol of a package that a symbol of any kind, or a string, designates."""
        if node.name is not None and package is not None:
            symbol = self.meanings.designated(node.name, package)
            if symbol is not None and self.meanings.facts(symbol).indexed:
                if not (node.seen or self.template):
                    node.seen = True
                    self._add(node, symbol, relation, None)
                return
        self.note(node, relation)

    def skip(self, node: Node | None) -> None:
        """Leave out a node that names nothing global."""
        if node is None:
            raise Unfit
        if not self.template:
            node.seen = True

    def _add(self, node: Node, symbol: Named, relation: str, operator: str | None) -> None:
        self.occurrences.append(Occurrence(node.start, node.end - node.start, symbol, operator, relation))
