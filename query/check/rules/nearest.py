"""Suggestions for what the walk finds wrong: names and keywords that fit there."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...syntax.nodes import Atom, Node
from ...syntax.printed import lower_symbols
from ...syntax.tokens import Tokens
from ..world.operators import Operators, SymbolMeaning
from ..world.packages import World, WorldPackage, WorldSymbol
from .suggestions import Suggestions

_MOST_TRIED = 12


class Nearest:
    """Finds what the writer may have meant, among what would be right at the same place."""

    def __init__(self, world: World, operators: Operators, tokens: Tokens, suggestions: Suggestions) -> None:
        self._world = world
        self._operators = operators
        self._tokens = tokens
        self._suggestions = suggestions

    def written(self, name: str) -> str:
        """A name as one types it, without its package."""
        return self._suggestions.written(name)

    def lambda_list(self, text: str) -> str:
        """A lambda list as one types it, on one line."""
        return " ".join(lower_symbols(text, self._tokens.cased).split())

    def names(
        self, rule: str, symbol: WorldSymbol, package: WorldPackage, fits: Callable[[SymbolMeaning], bool]
    ) -> tuple[str, ...]:
        """The accessible names like that of ``symbol`` whose meaning fits, else its name in other packages.

        ``rule`` stands for what fits.
        """

        def fitting(name: str) -> bool:
            found = self._world.find(package, name)
            return found is not None and fits(self._operators.meaning(found[0]))

        near = self._suggestions.within(package, symbol.name, rule, fitting)
        return near or self._suggestions.exported(symbol.name, self._exporters(symbol.name, fits))

    def _exporters(self, name: str, fits: Callable[[SymbolMeaning], bool]) -> list[str]:
        """The packages that export a symbol of this name whose meaning fits."""
        found = []
        for exporter in self._world.exporters(name, _MOST_TRIED):
            package = self._world.package(exporter)
            known = self._world.find(package, name) if package is not None else None
            if known is not None and fits(self._operators.meaning(known[0])):
                found.append(exporter)
        return found

    def keywords(self, node: Node, accepted: Iterable[str]) -> tuple[str, ...]:
        """The accepted keywords that are similar to the keyword ``node``."""
        token = self._tokens.symbol(node.text) if isinstance(node, Atom) else None
        return self._suggestions.keywords(token.name, accepted) if token is not None else ()
