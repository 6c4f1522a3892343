"""Which of the symbols that a search finds are wanted: by type, package, system and export."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from oblist.indexer.names import split_package

from ...index.finding.resolve import package_argument
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.shown import shown_name
from ..apropos.ask import refused
from . import sql

Keep = Callable[[str | None, str, bool], bool]
"""A filter of matches by home package, contract type, and whether a package exports it."""

_MOST_SUGGESTED = 8


@dataclass(frozen=True, slots=True)
class Choice:
    """What is wanted; what is empty or False leaves all.

    ``type`` is one of TYPES of apropos, ``package`` a home package as typed, ``system`` the name of the
    package's system; ``exported`` leaves out internal symbols, and ``own`` what is neither the project's nor
    of a system that was asked for.
    """

    type: str = ""
    package: str = ""
    system: str = ""
    exported: bool = False
    own: bool = False


EVERYTHING = Choice()


def keeping(index: Reading, choice: Choice) -> Keep | NotFound | None:
    """The filter for a choice, None if it leaves all; NotFound for a type, package or system that is none."""
    if choice == EVERYTHING:
        return None
    if (answer := refused(choice.type or None, "accessible")) is not None:
        return answer
    packages: set[str] | None = None
    for chosen in (_in_package(index, choice), _in_system(index, choice), _own(index, choice)):
        if isinstance(chosen, NotFound):
            return chosen
        if chosen is not None:
            packages = chosen if packages is None else packages & chosen
    wanted = choice.type.upper()

    def keep(package: str | None, kind: str, exported: bool) -> bool:
        return (
            (packages is None or package in packages)
            and (not wanted or kind.upper() == wanted)
            and (exported or not choice.exported)
        )

    return keep


def _in_package(index: Reading, choice: Choice) -> set[str] | NotFound | None:
    if not choice.package:
        return None
    if index.is_catalog:  # several of its releases may have a package of that name
        return set(split_package(choice.package, index.upcase).spellings)
    found = package_argument(index, choice.package)
    return found if isinstance(found, NotFound) else {found.name}


def _in_system(index: Reading, choice: Choice) -> set[str] | NotFound | None:
    """The packages of the system."""
    if not choice.system:
        return None
    if found := index.rows(sql.PACKAGES_OF_SYSTEM, system=choice.system.lower()):
        return {package for (package,) in found}
    asked = [one for (one,) in index.rows(sql.SYSTEMS_ASKED)]
    reason = "The index has no system of that name."
    message = f"System {shown_name(choice.system)} not found"
    return NotFound("system-not-found", message, reason, asked[:_MOST_SUGGESTED])


def _own(index: Reading, choice: Choice) -> set[str] | None:
    return {index.package_names[number] for number in index.own_packages} if choice.own else None
