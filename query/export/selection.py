"""Which part of an index is exported: systems, packages, or what the index was made of."""

from __future__ import annotations

from typing import NamedTuple

from oblist.indexer.names import split_package

from ..index.not_found import NotFound
from ..index.reading import Reading
from ..index.resolve import find_package, package_not_found
from ..index.shown import shown_name
from . import sql


class Selection(NamedTuple):
    """The systems and the packages that are exported; neither, for everything."""

    systems: frozenset[str]
    packages: frozenset[int]

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return not self.systems and not self.packages

    def has_system(self, name: str | None) -> bool:
        """Whether the system is one of those, or part of one (``foo/bar`` of ``foo``)."""
        return name is not None and (name in self.systems or name.partition("/")[0] in self.systems)

    def has(self, system: str | None, package: int | None) -> bool:
        """Whether a definition in a file of ``system``, of a name of ``package``, is exported."""
        return self.is_everything or self.has_system(system) or package in self.packages


def selection(
    index: Reading, systems: tuple[str, ...], packages: tuple[str, ...], everything: bool
) -> Selection | NotFound:
    """What to export: what is named; else the systems that the index was asked for, if any was."""
    if everything:
        return Selection(frozenset(), frozenset())
    known = {row.name: row.asked for row in map(sql.SystemRow._make, index.rows(sql.SYSTEMS))}
    for name in systems:
        if name not in known:
            reason = "There is no system of that name in this index."
            asked = sorted(name for name, was in known.items() if was)
            return NotFound("system-not-found", f"System {shown_name(name)} not found", reason, asked[:8])
    numbers = set()
    for text in packages:
        token = split_package(text, index.upcase)
        package = find_package(index, token)
        if package is None:
            return package_not_found(index, token)
        numbers.add(package.id)
    if not systems and not packages:
        systems = tuple(name.partition("/")[0] for name, was in known.items() if was)
    return Selection(frozenset(systems), frozenset(numbers))
