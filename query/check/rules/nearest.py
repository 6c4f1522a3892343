"""Suggestions for what the walk finds wrong: names, keywords, initargs and places that fit there."""

from __future__ import annotations

from ...syntax.nodes import Atom, Node
from ...syntax.tokens import Tokens
from ..world.operators import Operators
from ..world.packages import World, WorldPackage, WorldSymbol
from .suggestions import Suggestions

_OF_A_KIND = ("undefined-function", "undefined-variable", "unknown-class", "unknown-place")
_MOST_TRIED = 12


class Nearest:
    """Finds what the writer may have meant, among what would be right at the same place."""

    def __init__(self, world: World, operators: Operators, tokens: Tokens, suggestions: Suggestions) -> None:
        self._world = world
        self._operators = operators
        self._tokens = tokens
        self._suggestions = suggestions

    def to(self, rule: str, node: Node, symbol: WorldSymbol, package: WorldPackage | None) -> tuple[str, ...]:
        """The names to write instead of ``node``, about which ``rule`` complains.

        ``symbol`` is what it names; for keywords and initargs, the operator or class.
        """
        if rule in _OF_A_KIND and package is not None:
            return self._names(rule, symbol, package)
        if not isinstance(node, Atom) or (token := self._tokens.symbol(node.text)) is None:
            return ()
        if rule == "unknown-keyword":
            calls = self._operators.meaning(symbol).calls
            return self._suggestions.keywords(token.name, calls.all_keywords if calls is not None else ())
        if rule == "unknown-initarg":
            return self._suggestions.keywords(token.name, self._operators.initargs.of(symbol) or ())
        return ()

    def _names(self, rule: str, symbol: WorldSymbol, package: WorldPackage) -> tuple[str, ...]:
        """The accessible names of the wanted kind, else the packages that export one of this name."""

        def fits(name: str) -> bool:
            found = self._world.find(package, name)
            return found is not None and self._operators.meaning(found[0]).has_what(rule)

        near = self._suggestions.within(package, symbol.name, rule, fits)
        return near or self._suggestions.elsewhere(symbol.name, self._exports(rule, symbol.name))

    def _exports(self, rule: str, name: str) -> list[str]:
        """The packages that export a symbol of this name that is of the wanted kind."""
        found = []
        for exporter in self._world.exporters(name, _MOST_TRIED):
            package = self._world.package(exporter)
            known = self._world.find(package, name) if package is not None else None
            if known is not None and self._operators.meaning(known[0]).has_what(rule):
                found.append(exporter)
        return found
