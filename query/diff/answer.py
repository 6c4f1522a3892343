"""The answer of diff, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ..index.answer_field import doc


@dataclass(frozen=True, slots=True)
class ChangeAnswer:
    """One change in the exported API."""

    change: str = doc("sort of change, such as `removed` or `keyword-added`; docs/diff.md lists all")
    step: str = doc("the version step that it requires: major, minor or patch")
    breaking: bool = doc("true if code that uses the old API may not work with the new one")
    written: str = doc("the changed name as typed: `alexandria:flatten`, `(setf foo:bar)`, or a package")
    package: str = doc("name of the package: in the old index if the name is gone, else in the new one")
    name: str | None = doc("exact name of the exported symbol; null for a change to the package itself")
    facet: str = doc("the aspect that changed: symbol, function, setf, cas, variable, type, ... or package")
    part: str | None = doc("the argument, slot, initarg, superclass, method or nickname that changed")
    message: str = doc("the change in a sentence")
    old: str | None = doc("the old lambda list, type or value")
    new: str | None = doc("the new lambda list, type or value")
    also: list[str] = doc("other exported names for the same thing, with the same change")
    system: str | None = doc("ASDF system of the package")
    root: str | None = doc("name of the root that `relative_path` is relative to")
    relative_path: str | None = doc("source file of the new definition, or of the old one if it is gone")
    line: int | None = doc("line of that definition, from 1")


@dataclass(frozen=True, slots=True)
class SystemStep:
    """The version step of one system."""

    name: str = doc("name of the system")
    step: str = doc("the greatest step that its changes require: major, minor, patch or none")
    old_version: str | None = doc("its version in the old index")
    new_version: str | None = doc("its version in the new index")
    needed_version: str | None = doc(
        "the lowest version number that makes that step; null when the old version is unknown"
    )
    enough: bool | None = doc("whether the new version is high enough; null when a version is unknown")
    only_in: str | None = doc("the only index that has the system: old or new; null if both do")


@dataclass(frozen=True, slots=True)
class DiffAnswer:
    """The answer of diff: the changes in the exported API between two indexes."""

    old: str = doc("path of the old index")
    new: str = doc("path of the new index")
    packages: list[str] = doc(
        "the compared packages, by their names in the new index, or in the old one if they are gone"
    )
    step: str = doc("the version step that all changes together require: major, minor, patch or none")
    breaking: int = doc("number of breaking changes")
    total: int = doc("number of changes")
    note: str | None = doc("a caveat about the comparison")
    systems: list[SystemStep] = doc("the step of each system that the compared packages belong to")
    changes: list[ChangeAnswer] = doc("the changes, breaking ones first, then by package and name")
