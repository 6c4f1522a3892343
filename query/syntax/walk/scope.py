"""Scope: the local names around a form, each with the place where it is bound.

Inside a macro that is not standard, what is bound outside is unknown: the macro may bind the same name anew.
So an entry of a scope has the level of macros at which it was made, and counts only at that level.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ..names.meanings import Symbol
from ..nodes import Node
from .events import Events
from .results import Binding, LeveledBinding

Table = dict[Any, LeveledBinding]
_SPECIAL: LeveledBinding = Binding(0, 0, "", "special", 0, 0), 0


class LocalScope(Events):
    """The local names around the current form."""

    def __init__(self) -> None:
        self.variables: Table = {}
        """Variables and symbol macros, by symbol."""
        self.functions: Table = {}
        """Functions and macros, by symbol; those named (setf symbol) by a pair."""
        self.blocks: Table = {}
        self.tags: Table = {}
        """Tags, by symbol or by the text of a number."""
        self.specials: Table = {}
        """Variables that are declared special here, by symbol."""
        self.certain = True
        """False inside macros that are not standard: what such a macro makes of its arguments is unknown."""
        self.level = 0
        """The number of such macros around."""
        self.open = False
        """Whether variables may be bound around the form whose bindings the text does not show."""
        self.template = False
        """Whether a backquoted form is walked as the code that it will be."""
        self._trail: list[tuple[Table, Hashable, LeveledBinding | None]] = []

    def mark(self) -> int:
        """Return a mark to which ``leave`` can take the scope back."""
        return len(self._trail)

    def leave(self, mark: int) -> None:
        """End all bindings since the mark."""
        trail = self._trail
        while len(trail) > mark:
            table, key, before = trail.pop()
            if before is None:
                table.pop(key, None)
            else:
                table[key] = before

    @contextmanager
    def opened(self) -> Iterator[None]:
        """A context in which any variable may be bound."""
        before, self.open = self.open, True
        try:
            yield
        finally:
            self.open = before

    def bind(self, table: Table, node: Node, key: Hashable, kind: str, form: Node) -> Binding:
        """Bind what a node names from here on."""
        binding = self.bound(node, kind, form)
        self._put(table, key, (binding, self.level))
        return binding

    def bind_implicit_block(self, node: Node, form: Node) -> None:
        """Bind the block that has the name of a global definition."""
        if node.symbol is not None:
            self._put(self.blocks, node.symbol, (self.bound_implicitly(node, form), self.level))

    def bind_block_of(self, binding: Binding, key: Hashable) -> None:
        """Bind the block that has the name of a local function."""
        self._put(self.blocks, key, (binding, self.level))

    def bind_again(self, bindings: Iterable[tuple[Binding, Hashable]]) -> None:
        """Bind functions in another part of the form that binds them."""
        for binding, key in bindings:
            self._put(self.functions, key, (binding, self.level))

    def declare_special(self, symbol: Symbol) -> None:
        """Make a variable global in this scope."""
        self._put(self.variables, symbol, None)
        self._put(self.specials, symbol, _SPECIAL)

    def _put(self, table: Table, key: Hashable, entry: LeveledBinding | None) -> None:
        self._trail.append((table, key, table.get(key)))
        if entry is None:
            table.pop(key, None)
        else:
            table[key] = entry
