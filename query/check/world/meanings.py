"""Answers of the world, which knows what files and index define together, for the walk through code."""

from __future__ import annotations

from ...syntax.names.meanings import NO_FACTS, Symbol, SymbolFacts
from ...syntax.tokens import SymbolToken
from .indexed import WorldSymbol
from .operators import Operators
from .packages import World


class WorldMeanings:
    """Says which symbols tokens name, and what operators these are; the walk needs nothing else."""

    def __init__(self, world: World, operators: Operators) -> None:
        self._world = world
        self._operators = operators

    def symbol(self, token: SymbolToken, package: str) -> WorldSymbol | None:
        """The symbol that a token names in a package; None if its package is unknown."""
        return self._world.symbol(token, self._world.package(package))

    def package(self, name: str, within: str) -> None:
        """Nothing: the rules about packages judge the forms that define them."""

    def designated(self, name: str, package: str) -> None:
        """Nothing, for the same reason."""

    def facts(self, symbol: Symbol) -> SymbolFacts:
        """What a symbol names as an operator."""
        if not isinstance(symbol, WorldSymbol):
            return NO_FACTS
        return SymbolFacts(operator=self._operators.meaning(symbol).kind)
