"""The ways from a change to the forms that it can reach."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from .graph import CodeForm, CodeGraph, SymbolUse


class Step(NamedTuple):
    """How a form was reached: from which form, in how many steps, and by a use on which line."""

    before: CodeForm | None
    distance: int
    line: int | None
    sure: bool


class Ways:
    """Finds the forms that a change can reach, each with the last step to it."""

    def __init__(self, graph: CodeGraph, tests: Collection[CodeForm], bits: Mapping[CodeForm, int]) -> None:
        """``bits`` are the tests that can run each form.

        A form that tests run is reached only from what one of them runs, too.
        """
        self._graph, self._tests, self._bits = graph, tests, bits
        self.found: dict[CodeForm, Step] = {}

    def go_from_symbols(self, symbols: Collection[int]) -> None:
        """Add the forms that use some symbols, the users of those forms, and so on."""
        frontier = []
        for use in [use for symbol in sorted(symbols) for use in self._graph.uses_of(symbol)]:
            if use.form not in self.found:
                self.found[use.form] = Step(None, 1, use.line, True)
                frontier += [use.form] if use.follows else []
        self._go_on(frontier)

    def go_from_forms(self, forms: Collection[CodeForm], first: Step) -> None:
        """Add forms, the users of what they make, and so on."""
        new = sorted(form for form in forms if form not in self.found)
        self.found |= dict.fromkeys(new, first)
        self._go_on(new)

    def _go_on(self, frontier: list[CodeForm]) -> None:
        while frontier:
            following = []
            for origin in frontier:
                last = self.found[origin]
                for use in self._uses_beyond(origin):
                    if use.form not in self.found:
                        self.found[use.form] = Step(origin, last.distance + 1, use.line, last.sure)
                        # The methods of a class are reached, and what calls them without its objects is not.
                        following += [use.form] if use.follows else []
            frontier = following

    def _uses_beyond(self, origin: CodeForm) -> Iterator[SymbolUse]:
        reached_by = self._bits.get(origin, 0)
        for symbol in self._graph.made_by(origin, is_test=origin in self._tests):
            for use in self._graph.uses_of(symbol):
                bits = self._bits.get(use.form, 0)
                if not bits or bits & reached_by:
                    yield use
