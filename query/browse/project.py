"""The project that an index is about: its name, and what is its own, a dependency, or SBCL's."""

from __future__ import annotations

from pathlib import PurePath

from . import sql
from .page_index import PageIndex
from .sql import ListedSystemRow

_SBCL = "sbcl"
_ROOT = "project"
_MOST_NAMED = 3
OWN, NEEDED, OF_SBCL = range(3)
"""What a package or system is to the project; lists show them in this order."""


def project_name(index: PageIndex) -> str:
    """The name of the project: that of its folder, or else of the systems that were asked for."""
    return index.once("project name", lambda: _named(index))


def _named(index: PageIndex) -> str:
    for (path,) in index.rows(sql.ROOT_PATH, root=_ROOT):
        if path and (name := PurePath(path).name):
            return name
    asked = [row.name for row in systems(index).values() if row.asked]
    first = min(asked, key=len, default="")
    if not first:
        return index.implementation
    if len(asked) <= _MOST_NAMED:
        return ", ".join(asked)
    if all(name.startswith(first) for name in asked):
        return first
    return f"{', '.join(asked[:_MOST_NAMED])} and {len(asked) - _MOST_NAMED} more"


def systems(index: PageIndex) -> dict[str, ListedSystemRow]:
    """All systems, by name."""
    return index.once("systems", lambda: {row[1]: ListedSystemRow(*row) for row in index.rows(sql.SYSTEMS)})


def standing_of_system(index: PageIndex, name: str | None) -> int:
    """What a system is to the project; None, the system of SBCL's own packages, is SBCL's."""
    system = systems(index).get(name) if name is not None else None
    if system is None:
        return OF_SBCL
    if system.asked:
        return OWN
    of_sbcl = index.once(
        "systems of SBCL", lambda: {file.system for file in index.files.values() if file.root == _SBCL}
    )
    return OF_SBCL if system.definition_path is None or name in of_sbcl else NEEDED


def standing_of_package(index: PageIndex, name: str) -> int:
    """What a package is to the project."""
    if index.package_numbers.get(name) in index.own_packages:
        return OWN
    return standing_of_system(index, index.package_systems.get(name))
