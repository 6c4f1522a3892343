"""The filter of the symbols that a search finds: by type, package, system and export."""

from __future__ import annotations

from collections.abc import Callable

from oblist.indexer.names import split_package

from ...index.finding.resolve import package_argument
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.shown import shown_name
from ..apropos.ask import refused
from . import sql
from .parameters import SearchParameters

Keep = Callable[[str | None, str, bool], bool]
"""A filter of matches by home package, contract type, and whether a package exports it."""

_MOST_SUGGESTED = 8


def keeping(index: Reading, asked: SearchParameters) -> Keep | NotFound | None:
    """The requested filter, None if all are wanted; NotFound for an unknown type, package or system."""
    if not asked.is_filtered:
        return None
    if (answer := refused(asked.type or None)) is not None:
        return answer
    packages: set[str] | None = None
    for chosen in (_in_package(index, asked), _in_system(index, asked), _own(index, asked)):
        if isinstance(chosen, NotFound):
            return chosen
        if chosen is not None:
            packages = chosen if packages is None else packages & chosen
    wanted = asked.type.upper()

    def keep(package: str | None, kind: str, exported: bool) -> bool:
        return (
            (packages is None or package in packages)
            and (not wanted or kind.upper() == wanted)
            and (exported or not asked.exported)
        )

    return keep


def _in_package(index: Reading, asked: SearchParameters) -> set[str] | NotFound | None:
    if not asked.package:
        return None
    if index.is_catalog:  # several of its releases may have a package of that name
        return set(split_package(asked.package, index.upcase).spellings)
    found = package_argument(index, asked.package)
    return found if isinstance(found, NotFound) else {found.name}


def _in_system(index: Reading, asked: SearchParameters) -> set[str] | NotFound | None:
    """The packages of the system."""
    if not asked.system:
        return None
    if found := index.rows(sql.PACKAGES_OF_SYSTEM, system=asked.system.lower()):
        return {package for (package,) in found}
    systems = [one for (one,) in index.rows(sql.SYSTEMS_ASKED)]
    reason = "The index has no system with this name."
    message = f"System {shown_name(asked.system)} not found"
    return NotFound("system-not-found", message, reason, systems[:_MOST_SUGGESTED])


def _own(index: Reading, asked: SearchParameters) -> set[str] | None:
    return {index.package_names[number] for number in index.own_packages} if asked.own else None
