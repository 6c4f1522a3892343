"""The scope of a comparison: the packages to compare in each index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from oblist.indexer.names import split_package

from ..index.finding.resolve import package_not_found
from ..index.not_found import NotFound
from ..index.reading import Reading
from ..index.shown import shown_name
from . import sql
from .api import ApiPackage, all_packages

# Every keyword is external, and none is a promise to users.
_NEVER = {"KEYWORD"}


class DiffScope(NamedTuple):
    """The numbers of the packages to compare in the old and in the new index."""

    old: set[int]
    new: set[int]


class _Side:
    """One of the two indexes: its packages and systems."""

    def __init__(self, index: Reading) -> None:
        self.index = index
        self.packages = [one for one in all_packages(index) if one.name not in _NEVER]
        rows = [sql.ApiSystemRow(*row) for row in index.rows(sql.SYSTEMS)]
        self.systems = {row.name for row in rows}
        self.asked = {primary_name(row.name) for row in rows if row.asked}
        self.by_name = {nickname: one for one in self.packages for nickname in one.nicknames}
        self.by_name |= {one.name: one for one in self.packages}

    def of_systems(self, names: set[str]) -> set[int]:
        """The packages of the systems ``names`` and of their subsystems."""
        return {
            one.id
            for one in self.packages
            if one.system is not None and (one.system in names or primary_name(one.system) in names)
        }

    def named(self, text: str) -> ApiPackage | None:
        """The package that ``text`` names, as typed."""
        for name in split_package(text, self.index.upcase).spellings:
            if name in self.by_name:
                return self.by_name[name]
        return None


def primary_name(system: str) -> str:
    """The name of the system that a subsystem belongs to: ``foo`` for ``foo/bar`` (ASDF manual, 6.5)."""
    return system.partition("/")[0]


def scope(
    old: Reading, new: Reading, packages: Iterable[str], systems: Iterable[str]
) -> DiffScope | NotFound:
    """The packages to compare: ``packages`` and those of ``systems``; by default, of all indexed systems.

    The indexed systems are those that were requested for either index; if there are none, as in an index of
    SBCL alone, all packages are compared. A package compared on one side is compared on the other, too.
    """
    sides = _Side(old), _Side(new)
    chosen: tuple[set[int], set[int]] = (set(), set())
    for text in packages:
        found = [side.named(text) for side in sides]
        if not any(found):
            return package_not_found(new, split_package(text, new.upcase))
        for numbers, package in zip(chosen, found, strict=True):
            numbers.update({package.id} if package else ())
    for name in systems:
        if all(name not in side.systems for side in sides):
            return _no_such_system(name, sides)
        for numbers, side in zip(chosen, sides, strict=True):
            numbers.update(side.of_systems({name}))
    if not packages and not systems:
        asked = sides[0].asked | sides[1].asked
        for numbers, side in zip(chosen, sides, strict=True):
            numbers.update(side.of_systems(asked) if asked else (one.id for one in side.packages))
    _complete(chosen[0], chosen[1], *sides)
    _complete(chosen[1], chosen[0], *reversed(sides))
    return DiffScope(*chosen)


def _complete(these: set[int], those: set[int], side: _Side, other: _Side) -> None:
    """Add to ``those`` the packages of the ``other`` index that have the same names as ``these``."""
    for package in side.packages:
        if package.id in these:
            for name in (package.name, *package.nicknames):
                if name in other.by_name:
                    those.add(other.by_name[name].id)
                    break


def _no_such_system(name: str, sides: tuple[_Side, _Side]) -> NotFound:
    known = sorted(sides[0].asked | sides[1].asked)
    return NotFound(
        "system-not-found",
        f"System {shown_name(name)} not found",
        "Neither index has a system with this name.",
        known[:8],
    )
