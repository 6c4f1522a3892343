"""The packages and symbols of an index, each read once a build and shared by all checks of it."""

from __future__ import annotations

from ...index.reading import Reading
from .. import sql
from .call_shape import CallShape
from .evaluated import Evaluated

_MOST_SYMBOLS = 150_000
_KEPT = "packages"


class WorldSymbol:
    """A symbol: its home package, its name, and its number in the index, if any; one object for each."""

    __slots__ = ("home", "name", "number")

    def __init__(self, home: str, name: str, number: int | None) -> None:
        self.home = home
        self.name = name
        self.number = number

    def __repr__(self) -> str:
        return f"{self.home}::{self.name}"

    @property
    def package(self) -> str:
        """The same as ``home``: what the walk through code calls it."""
        return self.home


class PresentSymbols:
    """The symbols that are present in a package, by name. Nobody changes them."""

    __slots__ = ("external", "internal")

    def __init__(self) -> None:
        self.external: dict[str, WorldSymbol] = {}
        self.internal: dict[str, WorldSymbol] = {}


class IndexedPackages:
    """The packages of an index, the symbols in them, and the shapes of the lambda lists met so far."""

    def __init__(self, index: Reading) -> None:
        self._index = index
        self.names: dict[int, str] = dict(index.rows(sql.PACKAGES))
        self.numbers = {name: number for number, name in self.names.items()}
        self.nicknames = {nickname: self.names[number] for nickname, number in index.rows(sql.NICKNAMES)}
        self.uses: dict[int, list[str]] = {}
        for number, used in index.rows(sql.USES):
            self.uses.setdefault(number, []).append(self.names[used])
        self.local_nicknames: dict[int, dict[str, str]] = {}
        for row in map(sql.LocalNicknameRow._make, index.rows(sql.LOCAL_NICKNAMES)):
            self.local_nicknames.setdefault(row.package, {})[row.nickname] = self.names[row.target]
        self.symbols: dict[tuple[str, str], WorldSymbol] = {}
        self._present: dict[int, PresentSymbols] = {}
        self.shapes: dict[str, CallShape | None] = {}
        self.evaluated: dict[int, Evaluated | None] = {}
        """The arguments that macros evaluate, by the numbers of their symbols."""
        if (standard := self.numbers.get("COMMON-LISP")) is not None:
            self.present(standard)  # which checks refer to by name

    def present(self, number: int) -> PresentSymbols:
        """The symbols that are present in the package of that number."""
        found = self._present.get(number)
        if found is None:
            found = self._present[number] = PresentSymbols()
            package = self.names[number]
            for row in map(sql.PresentRow._make, self._index.rows(sql.PRESENT, package=number)):
                home = package if row.home is None else self.names[row.home]
                symbol = self.symbols.get((home, row.name))
                if symbol is None:
                    symbol = self.symbols[home, row.name] = WorldSymbol(home, row.name, row.symbol)
                (found.external if row.external else found.internal)[row.name] = symbol
        return found

    @property
    def is_full(self) -> bool:
        """Whether there are so many symbols that a server should start afresh, to bound its memory."""
        return len(self.symbols) > _MOST_SYMBOLS


def indexed_packages(index: Reading) -> IndexedPackages:
    """The packages of the present build of an index."""
    found = index.kept.get(_KEPT)
    if not isinstance(found, IndexedPackages) or found.is_full:
        found = index.kept[_KEPT] = IndexedPackages(index)
    return found
