"""The parts of a grown index: the centre, which all share, and worlds, which are copies of all the rest.

The centre has KEYWORD and the packages that most others use, COMMON-LISP above all. So CAR gets callers in
every world, a method of PRINT-OBJECT is in the world of its class, and what a library keeps for itself has
as many users as it really has. The last world is a part of one, so that the size is as asked.
"""

from __future__ import annotations

import random
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from .material import DEFINITION_FIELDS, Material

CENTRAL_PACKAGES = 5
SORTS = ("packages", "symbols", "files", "definitions", "callers")
_METHOD = "method"
_KEYWORD = "KEYWORD"
_SYMBOL, _PACKAGE, _FILE, _KIND = (
    DEFINITION_FIELDS.index(name) for name in ("symbol", "package", "file", "kind")
)


class TooSmallError(ValueError):
    """The size that was asked for is smaller than the centre."""

    def __init__(self, symbols: int, least: int) -> None:
        super().__init__(f"{symbols:,} symbols are too few: the packages that all others use have {least:,}.")


@dataclass(frozen=True, slots=True)
class Shape:
    """The rows of the material that a part has, by sort, and their places among these; 0 for all others."""

    rows: dict[str, list[int]]
    ranks: dict[str, array[int]]

    @classmethod
    def of(cls, rows: dict[str, list[int]], most: dict[str, int]) -> Shape:
        """The shape of a part with these ``rows``; ``most`` has the highest number of each sort."""
        ranks = {sort: array("i", bytes(4 * (most[sort] + 1))) for sort in SORTS}
        for sort, numbers in rows.items():
            for rank, number in enumerate(numbers, 1):
                ranks[sort][number] = rank
        return cls(rows, ranks)

    def without_files_of(self, other: Shape) -> Shape:
        """This shape without the files that ``other`` has."""
        theirs = other.ranks["files"]
        rows = {**self.rows, "files": [file for file in self.rows["files"] if not theirs[file]]}
        return Shape.of(rows, {sort: len(ranks) - 1 for sort, ranks in self.ranks.items()})


@dataclass(slots=True)
class Part:
    """A part: its shape, the numbers of all rows before its own, and the name that its own begin with.

    ``layout`` is the place of the layout of its uses among those of the centre, a world and the last world.
    """

    number: int
    shape: Shape
    before: dict[str, int]
    layout: int
    prefix: str = ""
    renamed: dict[str, str] = field(default_factory=dict)
    """The new names of classes, types and slots, by the old."""

    def own(self, sort: str, number: int) -> int | None:
        """The number in the grown index of a row of the material, if this part has it."""
        rank = self.shape.ranks[sort][number]
        return self.before[sort] + rank if rank else None

    def prefixed(self, name: str) -> str:
        """The name of a package, system or nickname of this part."""
        return f"{self.prefix}.{name}" if self.prefix else name

    def placed(self, path: str) -> str:
        """The path of a file of this part."""
        return f"/growth/{self.prefix}{path}" if self.prefix else path


class Parts:
    """The centre and the worlds of an index with a number of ``symbols``."""

    def __init__(self, material: Material, symbols: int, chance: random.Random) -> None:
        self.material = material
        division = Division(material)
        self.center_shape = division.shape(division.central, set())
        central = len(self.center_shape.rows["symbols"])
        if symbols <= central:
            raise TooSmallError(symbols, central)
        self.world_shape = division.shape(set(), division.local)
        full, rest = divmod(symbols - central, len(division.local))
        self.last_shape = division.shape(set(), division.some(rest, chance)) if rest else None
        self._before = dict.fromkeys(SORTS, 0)
        self.center = self._next(0, self.center_shape, 0)
        shapes = [(self.world_shape, 1)] * full + ([(self.last_shape, 2)] if self.last_shape else [])
        first, layout = shapes[0]
        # The first world has its real names, and shares with the centre the files that both are in.
        shapes[0] = first.without_files_of(self.center_shape), layout
        self.worlds = [self._next(number, *shape) for number, shape in enumerate(shapes, 1)]
        self.division = division

    def _next(self, number: int, shape: Shape, layout: int) -> Part:
        part = Part(number, shape, dict(self._before), layout)
        for sort in SORTS:
            self._before[sort] += len(shape.rows[sort])
        return part

    @property
    def all(self) -> list[Part]:
        """The centre and the worlds."""
        return [self.center, *self.worlds]

    def totals(self, sort: str) -> int:
        """The number of rows of a sort."""
        return self._before[sort]

    def number(self, part: Part, sort: str, number: int) -> int | None:
        """The number of a row as a part sees it: its own, else the centre's; which sees the first world."""
        seen = part.own(sort, number)
        if seen is None and part is not self.center:
            return self.center.own(sort, number)
        return self.worlds[0].own(sort, number) if seen is None else seen

    def seen(self, part: Part, sort: str, numbers: Iterable[int]) -> list[int]:
        """The numbers of rows as ``part`` sees them, without those that it does not."""
        found = (self.number(part, sort, number) for number in numbers)
        return [number for number in found if number is not None]


class Division:
    """Which symbols of the material are central, and which are local, and the rows that belong to some."""

    def __init__(self, material: Material) -> None:
        self.material = material
        self.central_packages = _central_packages(material)
        hosts = defaultdict(list)
        for package, rows in material.presences.items():
            for symbol, _ in rows:
                hosts[symbol].append(package)
        self.host = {
            symbol: home if home in hosts[symbol] else hosts[symbol][0]
            for symbol, _, home, _ in material.symbols
        }
        keyword = {number for number, name, *_ in material.packages if name == _KEYWORD}
        # Every second keyword is a world's own, though in the one package of keywords.
        self.central = {
            symbol
            for symbol, package in self.host.items()
            if package in self.central_packages and (package not in keyword or symbol % 2)
        }
        self.local = set(self.host) - self.central

    def some(self, number: int, chance: random.Random) -> set[int]:
        """That many local symbols, whole packages as far as possible."""
        by_host = defaultdict(list)
        for symbol in sorted(self.local):
            by_host[self.host[symbol]].append(symbol)
        hosts = sorted(by_host)
        chance.shuffle(hosts)
        chosen = [symbol for host in hosts for symbol in by_host[host]]
        return set(chosen[:number])

    def shape(self, central: set[int], local: set[int]) -> Shape:
        """The shape of the centre, with ``central`` symbols, or of a world, with ``local`` ones."""
        material, symbols = self.material, central or local
        own = self._central_row if central else _having(local)
        definitions = [row for row in material.definitions if own(self._symbols_of(row), row[_SYMBOL])]
        used = {self.host[symbol] for symbol in symbols}
        packages = [
            number
            for number, *_ in material.packages
            if (number in self.central_packages) == bool(central)
            and (central or number in used or local == self.local)
        ]
        in_it = set(packages)
        definitions += [row for row in material.definitions if row[_PACKAGE] in in_it]
        numbers = {row[0] for row in definitions}
        files = {row[_FILE] for row in definitions} - {None}
        callers = [
            number
            for number, definition, _, file, _ in material.callers
            if (
                definition in numbers
                if definition
                else (file in self.central_files) == bool(central) and (central or file in files)
            )
        ]
        in_it = set(callers)
        callers_files = {file for number, _, _, file, _ in material.callers if number in in_it}
        rows = {
            "packages": packages,
            "symbols": sorted(symbols),
            "files": sorted((files | callers_files) - {None}),
            "definitions": sorted(numbers),
            "callers": callers,
        }
        return Shape.of(rows, self.most)

    @cached_property
    def most(self) -> dict[str, int]:
        """The highest number of each sort of row."""
        material = self.material
        tables = (material.packages, material.symbols, material.files, material.definitions, material.callers)
        return {sort: max(row[0] for row in rows) for sort, rows in zip(SORTS, tables, strict=True)}

    @cached_property
    def central_files(self) -> set[int | None]:
        """The files most of whose definitions are central; code of no file is central too."""
        votes: Counter[int] = Counter()
        for row in self.material.definitions:
            if row[_SYMBOL] and row[_FILE]:
                votes[row[_FILE]] += 1 if self._central_row(self._symbols_of(row), row[_SYMBOL]) else -1
        return {file for file, number in votes.items() if number > 0} | {None}

    def _symbols_of(self, row: tuple[object, ...]) -> set[int]:
        """The local symbols by which a definition belongs to a world: a method's specializers, too."""
        found = {row[_SYMBOL]}
        if row[_KIND] == _METHOD:
            found |= {symbol for symbol, *_ in self.material.specializers.get(row[0], ())}  # type: ignore[call-overload]
        return {symbol for symbol in found if symbol in self.local}  # type: ignore[misc]

    def _central_row(self, local: set[int], symbol: int | None) -> bool:
        return symbol is not None and not local


def _having(symbols: set[int]) -> Callable[[set[int], int | None], bool]:
    """Whether a definition with these local symbols is of a world that has ``symbols``."""
    return lambda local, symbol: bool(local) and local <= symbols


def _central_packages(material: Material) -> set[int]:
    """KEYWORD, and the packages that most others use."""
    used = Counter(package for packages in material.package_uses.values() for package in packages)
    most = sorted(used, key=lambda package: (-used[package], package))[:CENTRAL_PACKAGES]
    return {*most, *(number for number, name, *_ in material.packages if name == _KEYWORD)}
