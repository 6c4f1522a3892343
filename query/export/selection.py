"""The part of an index to export: systems, packages, or everything."""

from __future__ import annotations

from typing import NamedTuple

from oblist.indexer.names import split_package

from ..index.finding.resolve import find_package, package_not_found
from ..index.not_found import NotFound
from ..index.reading import Reading
from ..index.shown import shown_name
from . import sql


class Selection(NamedTuple):
    """The systems and packages to export; everything if both are empty."""

    systems: frozenset[str]
    packages: frozenset[int]

    @property
    def is_everything(self) -> bool:
        """Whether the selection is the whole index."""
        return not self.systems and not self.packages

    def has_system(self, name: str | None) -> bool:
        """Whether the system is selected, or belongs to one that is (``foo/bar`` to ``foo``)."""
        return name is not None and (name in self.systems or name.partition("/")[0] in self.systems)

    def has(self, system: str | None, package: int | None) -> bool:
        """Whether to export a definition in a file of ``system`` that defines a name in ``package``."""
        return self.is_everything or self.has_system(system) or package in self.packages


def selection(
    index: Reading, systems: tuple[str, ...], packages: tuple[str, ...], everything: bool
) -> Selection | NotFound:
    """The selection that the options name; by default, the systems that the index was built for, if any."""
    if everything:
        return Selection(frozenset(), frozenset())
    known = {row.name: row.asked for row in map(sql.ExportedSystemRow._make, index.rows(sql.SYSTEMS))}
    for name in systems:
        if name not in known:
            reason = "This index has no system with this name."
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
