"""What changed in the names of a library that a project uses."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ..diff.api import Api
from ..diff.changes.whole import ApiChange, changes_between, written_facet
from ..diff.findings import MAJOR
from ..index.reading import Reading
from ..index.written import own_name
from . import sql
from .library import ForecastLibrary, numbers_of


@dataclass(frozen=True, slots=True)
class NameChange:
    """A change of an exported name: the number of the symbol in the old index, and the change."""

    symbol: int
    change: ApiChange

    @property
    def sort(self) -> str:
        """The sort of change, as diff has it."""
        return self.change.finding.change

    @property
    def is_breaking(self) -> bool:
        """Whether it may break callers."""
        return self.change.finding.step == MAJOR

    @property
    def written(self) -> str:
        """The name as one types it."""
        one = self.change
        if one.name is None:
            return own_name(one.package.name, one.api.index.upcase)
        return written_facet(one.api, one.package.name, one.name, one.finding.facet)


class LibraryChanges:
    """The changes of a library's API between two indexes."""

    def __init__(self, old: Reading, new: Reading, library: ForecastLibrary, used: Collection[int]) -> None:
        """``used`` are the numbers of symbols that are used in ``old``.

        Others are compared if they name classes, whose superclasses may be used.
        """
        packages = numbers_of(old, library.old_packages), numbers_of(new, library.new_packages)
        self.old, self.new = Api(old, packages[0]), Api(new, packages[1])
        _leave_methods_of_others(self.old, library.old_systems)
        _leave_methods_of_others(self.new, library.new_systems)
        wanted = {*used, *self.old.classes}
        self.all = [*changes_between(self.old, self.new, wanted.__contains__)]

    def of_names(self) -> Iterator[NameChange]:
        """The changes of names, each with the symbol that the old index has of it."""
        for change in self.all:
            if change.name is None:
                continue
            for package in self.old.packages.values():
                names = {package.name, *package.nicknames}
                is_same = change.package.name in names or package.name in change.package.nicknames
                if is_same and change.name in package.exports:
                    yield NameChange(package.exports[change.name], change)
                    break


def _leave_methods_of_others(api: Api, systems: Collection[int]) -> None:
    """Leave out the methods that other systems have on the library's generic functions."""
    packages = json.dumps([one.id for one in api.packages.values()])
    rows = api.index.rows(sql.METHODS_OF_OTHERS, packages=packages, systems=json.dumps([*systems]))
    others = {number for (number,) in rows}
    for symbol in api.symbols.values() if others else ():
        symbol.definitions[:] = [one for one in symbol.definitions if one.id not in others]
