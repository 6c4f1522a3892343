"""The library that gets another version: its systems in the index of the project and in the newer one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..diff.scope import DiffScope, primary_name, scope
from ..errors import QueryError
from ..index.reading import Reading
from ..index.shown import shown_name
from ..index.tests import is_test_system
from . import sql
from .sql import ForecastSystemRow

_SBCL = "sbcl"
_MOST_NAMED = 8


class ForecastError(QueryError):
    """The library, or a version of it, cannot be found or compared."""


@dataclass(frozen=True, slots=True)
class ForecastLibrary:
    """A library in two indexes: the names of its packages, and the numbers of its systems, in either.

    ``name`` is that of its first system, ``versions`` are the old and the new one, as far as they are known.
    """

    name: str
    old_packages: frozenset[str]
    new_packages: frozenset[str]
    old_systems: tuple[int, ...]
    new_systems: tuple[int, ...]
    versions: tuple[str | None, str | None]
    gone: tuple[str, ...]
    """The systems that the new version no longer has."""

    @property
    def is_sbcl(self) -> bool:
        """Whether it is SBCL itself."""
        return not self.new_systems

    def listed(self) -> dict[str, str]:
        """The packages and systems as JSON, by the names that statements have for them."""
        return {
            "old_packages": json.dumps(sorted(self.old_packages)),
            "new_packages": json.dumps(sorted(self.new_packages)),
            "old_systems": json.dumps(self.old_systems),
            "new_systems": json.dumps(self.new_systems),
        }


def library_of(old: Reading, new: Reading, names: tuple[str, ...] = ()) -> ForecastLibrary:
    """The library of which ``new`` has a version, and which code in ``old`` uses.

    ``names`` are those of its systems; by default it is what ``new`` was built for, without what ``old`` was
    built for; an index of nothing but SBCL is a version of SBCL. Raises ForecastError if there is none.
    """
    before = {row.name: row for row in map(ForecastSystemRow._make, old.rows(sql.SYSTEMS))}
    after = {row.name: row for row in map(ForecastSystemRow._make, new.rows(sql.SYSTEMS))}
    own = {primary_name(row.name) for row in before.values() if row.asked}
    asked = {primary_name(row.name) for row in after.values() if row.asked}
    if not names and not asked:
        versions = old.facts.get(_SBCL), new.facts.get(_SBCL)
        return ForecastLibrary("SBCL", _of_sbcl(old), _of_sbcl(new), (), (), versions, ())
    chosen = {primary_name(name) for name in names} if names else asked - own
    gone = _beside(before, chosen) - {*after} if new.rows(sql.HAS_PROJECT) else set()
    chosen |= gone
    used = sorted({primary_name(name) for name in before} & chosen)
    there = sorted({primary_name(name) for name in after} & chosen)
    if not used or not there:
        raise ForecastError(_why_none(old, new, (sorted(chosen or asked), sorted(asked)), used, own))
    first = next((one for one in used if one in there), used[0])
    packages = scope(old, new, (), sorted(chosen))
    assert isinstance(packages, DiffScope)  # one of the two has the systems
    return ForecastLibrary(
        first,
        frozenset(old.package_names[number] for number in packages.old),
        frozenset(new.package_names[number] for number in packages.new),
        tuple(row.id for row in before.values() if primary_name(row.name) in chosen),
        tuple(row.id for row in after.values() if primary_name(row.name) in chosen),
        (_version(before, first), _version(after, first)),
        tuple(sorted(gone)),
    )


def _beside(systems: dict[str, ForecastSystemRow], chosen: set[str]) -> set[str]:
    """The systems that are defined in the folders of some systems, without those that are tests."""
    folders = {_folder(row) for row in systems.values() if primary_name(row.name) in chosen}
    return {
        row.name
        for row in systems.values()
        if not row.asked and _folder(row) in folders - {None} and not is_test_system(row.name)
    }


def _folder(row: ForecastSystemRow) -> str | None:
    return str(Path(row.path).parent) if row.path is not None else None


def _of_sbcl(index: Reading) -> frozenset[str]:
    """The packages of SBCL itself."""
    return frozenset(
        name
        for name, system in index.rows(sql.PACKAGES)
        if system is None and (name == "COMMON-LISP" or name.startswith("SB-"))
    )


def _version(systems: dict[str, ForecastSystemRow], name: str) -> str | None:
    return systems[name].version if name in systems else None


def _why_none(
    old: Reading, new: Reading, wanted: tuple[list[str], list[str]], used: list[str], own: set[str]
) -> str:
    names, asked = wanted
    if used:
        return (
            f"{new.path} does not contain {_listed(names)}. It was built for "
            f"{_listed(asked) or 'SBCL alone'}: name one of its systems with --system."
        )
    if set(names) <= own:
        return (
            f"{new.path} was built for the same systems as {old.path} ({_listed(names)}): "
            "name the library with --system."
        )
    return (
        f"{old.path} does not contain {_listed(names)}, so nothing in it can break. "
        "Index the project together with what it uses: oblist index --project FOLDER."
    )


def _listed(names: list[str]) -> str:
    shown = ", ".join(map(shown_name, names[:_MOST_NAMED]))
    return shown if len(names) <= _MOST_NAMED else f"{shown} and {len(names) - _MOST_NAMED} more"


def numbers_of(index: Reading, packages: Iterable[str]) -> set[int]:
    """The numbers of packages that an index has."""
    found = index.package_numbers
    return {found[name] for name in packages if name in found}
