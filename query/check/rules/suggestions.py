"""Suggestions: names similar to one that does not exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches

from ...index.written import own_name, typed_name
from ...syntax.tokens import KEYWORD, SymbolToken, Tokens
from ..findings import MOST_SUGGESTIONS
from ..world.packages import EXTERNAL, World, WorldPackage

_LIKENESS = 0.75
_MOST_CANDIDATES = 20_000
_MOST_ASKED = 1_000
_FEW = 200
_FURTHER = 2
_MOST_TRIED = 12


class Suggestions:
    """Finds existing names that are similar to a wrong one, written as one types them."""

    def __init__(self, world: World, tokens: Tokens) -> None:
        self._world = world
        self._tokens = tokens
        self._asked = 0
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}

    def _near(self, name: str, candidates: Iterable[str], most: int = MOST_SUGGESTIONS) -> list[str]:
        """The candidates most like ``name``; among many, those of like length and start or end.

        Comparing is slow, so it is limited: a file with thousands of wrong names has other faults.
        """
        if self._asked >= _MOST_ASKED:
            return []
        self._asked += 1
        candidates = list(candidates)
        if len(candidates) <= _FEW:
            return get_close_matches(name, sorted(candidates), n=most, cutoff=_LIKENESS)
        length, head, tail = len(name), name[:2], name[-2:]
        fitting = [
            one
            for one in candidates
            if abs(len(one) - length) <= 2 + length // 4 and (one[:2] == head or one[-2:] == tail)
        ]
        return get_close_matches(name, sorted(fitting)[:_MOST_CANDIDATES], n=most, cutoff=_LIKENESS)

    def cased(self, text: str) -> str:
        """``text`` as it appears in a symbol's name."""
        return self._tokens.cased(text)

    def written(self, name: str) -> str:
        """A name as one types it, without its package."""
        return own_name(name, self._tokens.cased)

    def typed(self, package: str, name: str, *, external: bool = True) -> str:
        """A name as one types it, with its package."""
        return typed_name(name, package, self._tokens.cased, external=external)

    def packages(self, name: str) -> tuple[str, ...]:
        """The packages with names similar to ``name``."""
        key = ("", name)
        if key not in self._known:
            self._known[key] = tuple(map(self.written, self._near(name, self._others(name))))
        return self._known[key]

    def _others(self, name: str | None) -> set[str]:
        """The names of packages, but for that of one that is gone."""
        return {*self._world.package_names()} - {name}

    def for_package(self, token: SymbolToken) -> tuple[str, ...]:
        """The suggestions for a symbol whose package does not exist."""
        found = []
        for name in self._near(token.package or "", self._others(token.package)):
            package = self._world.package(name)
            known = self._world.find(package, token.name) if package is not None else None
            if known is not None and (token.colons == 2 or known[1] == EXTERNAL):
                found.append(self.typed(name, token.name, external=token.colons == 1))
        if not found:
            exporters = self._world.exporters(token.name, _FURTHER)
            found = [self.typed(name, token.name) for name in exporters]
        return tuple(found[:MOST_SUGGESTIONS])

    def for_symbol(self, package: WorldPackage, token: SymbolToken) -> tuple[str, ...]:
        """The suggestions for a symbol that its package does not have."""
        key = (package.name, token.name)
        if key not in self._known:
            name = token.name
            near = self._near(name, self._world.names_in(package, external=True))
            found = [self.typed(package.name, one) for one in near]
            if not found:
                near = self._near(name, package.internal)
                found = [self.typed(package.name, one, external=False) for one in near]
            found += [self.typed(one, name) for one in self._world.exporters(name, _FURTHER)]
            self._known[key] = tuple(found[:MOST_SUGGESTIONS])
        return self._known[key]

    def within(
        self,
        package: WorldPackage,
        name: str,
        kind: str = "",
        fits: Callable[[str], bool] = lambda _: True,
    ) -> tuple[str, ...]:
        """The names accessible in ``package`` that are like ``name``, and fit; ``kind`` says what fits."""
        key = (f"{kind} in {package.name}", name)
        if key not in self._known:
            near = self._near(name, self._world.names_in(package, external=False), most=_MOST_TRIED)
            fitting = [one for one in near if one != name and fits(one)]
            self._known[key] = tuple(self.written(one) for one in fitting[:MOST_SUGGESTIONS])
        return self._known[key]

    def exported(self, name: str, exporters: list[str]) -> tuple[str, ...]:
        """The name as one types it for each of the packages that export it."""
        return tuple(self.typed(one, name) for one in exporters[:MOST_SUGGESTIONS])

    def keywords(self, name: str, candidates: Iterable[str]) -> tuple[str, ...]:
        """The accepted keywords that are similar to one that is not."""
        return tuple(self.typed(KEYWORD, one) for one in self._near(name, candidates))
