"""Scope: the local names around a form, each with the place where it is bound.

Inside a macro that is not standard, what is bound outside is unknown: the macro may bind the same name anew.
So an entry of a scope has the level of macros that it was made at, and counts at that level only.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from .meanings import Meanings, Named
from .nodes import Node
from .notes import Notes
from .results import BLOCK, Binding, LocalUse

Entry = tuple[Binding, int]
Table = dict[Any, Entry]


class Scope(Notes):
    """The local names around the current form; notes their bindings and uses."""

    def __init__(self, meanings: Meanings, own: bool) -> None:
        super().__init__(meanings, own)
        self.bindings: list[Binding] = []
        self.uses: list[LocalUse] = []
        self.variables: Table = {}
        """Variables and symbol macros, by symbol."""
        self.functions: Table = {}
        """Functions and macros, by symbol; those named (setf symbol) by a pair."""
        self.blocks: Table = {}
        self.tags: Table = {}
        """Tags, by symbol or by the text of a number."""
        self.level = 0
        self._trail: list[tuple[Table, Hashable, Entry | None]] = []
        self._implicit: set[Binding] = set()

    def is_local(self, symbol: Named) -> bool:
        """Whether a symbol names a local variable here."""
        return symbol in self.variables

    def mark(self) -> int:
        """Return where ``leave`` takes the scope back to."""
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
    def scope(self) -> Iterator[None]:
        """A context with which all bindings end that are made in it."""
        mark = self.mark()
        try:
            yield
        finally:
            self.leave(mark)

    def bind(self, table: Table, node: Node, key: Hashable, kind: str, form: Node) -> Binding:
        """Bind what a node names from here on."""
        binding = self._made(node, kind, form)
        self.bindings.append(binding)
        self._put(table, key, (binding, self.level))
        return binding

    def bind_implicit_block(self, node: Node, form: Node) -> None:
        """Bind the block that has the name of a global definition."""
        if node.symbol is not None:
            binding = self._made(node, BLOCK, form)
            self._implicit.add(binding)
            self._put(self.blocks, node.symbol, (binding, self.level))

    def bind_block_of(self, binding: Binding, key: Hashable) -> None:
        """Bind the block that has the name of a local function."""
        self._put(self.blocks, key, (binding, self.level))

    def bind_again(self, bindings: Iterable[tuple[Binding, Hashable]]) -> None:
        """Bind functions in another part of the form that binds them."""
        for binding, key in bindings:
            self._put(self.functions, key, (binding, self.level))

    def unbind(self, key: Hashable) -> None:
        """Make a variable global in this scope: it is declared special."""
        self._put(self.variables, key, None)

    @staticmethod
    def _made(node: Node, kind: str, form: Node) -> Binding:
        name = node.symbol.name if node.symbol is not None else node.text
        return Binding(node.start, node.end - node.start, name, kind, form.start, form.end)

    def _put(self, table: Table, key: Hashable, entry: Entry | None) -> None:
        self._trail.append((table, key, table.get(key)))
        if entry is None:
            table.pop(key, None)
        else:
            table[key] = entry

    def use(self, node: Node, entry: Entry | None) -> None:
        """Note a use of a local name; without an entry, it is bound nobody knows where."""
        binding = None
        if entry is not None and self.certain and entry[1] == self.level:
            binding = entry[0]
            if binding.kind == BLOCK and binding in self._implicit:
                self._implicit.discard(binding)
                self.bindings.append(binding)
        self.uses.append(LocalUse(node.start, node.end - node.start, binding))

    def forget(self, first: int, last: int, names: set[str]) -> None:
        """Forget which bindings some of the uses mean: those of these names."""
        for at in range(first, last):
            use = self.uses[at]
            if use.binding is not None and use.binding.name in names:
                self.uses[at] = LocalUse(use.start, use.length, None)

    def found(self) -> tuple[int, int]:
        """Return what ``drop`` takes the bindings and uses back to."""
        return len(self.bindings), len(self.uses)

    def drop(self, found: tuple[int, int]) -> None:
        """Drop the bindings and uses that were found since: a form is not what it seemed to be."""
        bindings, uses = found
        self._implicit.update(one for one in self.bindings[bindings:] if one.kind == BLOCK)
        del self.bindings[bindings:]
        del self.uses[uses:]

    def doubt(self, node: Node) -> None:
        """Note a name that may be, and may not be, one that is bound outside of a macro."""
        if node.symbol in self.variables or node.symbol in self.functions:
            self.uses.append(LocalUse(node.start, node.end - node.start, None))
