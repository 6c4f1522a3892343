"""The answer of diff, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ..index.answer_field import doc


@dataclass(frozen=True, slots=True)
class ChangeAnswer:
    """One change of the exported API."""

    change: str = doc("what sort of change, such as `removed` or `keyword-added`; docs/diff.md lists all")
    step: str = doc("the version step that it asks for: major, minor or patch")
    breaking: bool = doc("true when code that uses the old API may not work with the new one")
    written: str = doc("what changed, as one types it: `alexandria:flatten`, `(setf foo:bar)`, a package")
    package: str = doc("the package, by its name in the index that still has it, else in the new one")
    name: str | None = doc("exact name of the exported symbol; null for a change of the package itself")
    facet: str = doc("what of it changed: symbol, function, setf, cas, variable, type, ... or package")
    part: str | None = doc("the argument, slot, initarg, superclass, method or nickname concerned")
    message: str = doc("the change in a sentence")
    old: str | None = doc("how it was: a lambda list, a type, a value")
    new: str | None = doc("how it is")
    also: list[str] = doc("other names that export the same thing and changed with it")
    system: str | None = doc("ASDF system of the package")
    root: str | None = doc("name of the root that `relative_path` is relative to")
    relative_path: str | None = doc("source file of the new definition; of the old one when it is gone")
    line: int | None = doc("line of that definition, from 1")


@dataclass(frozen=True, slots=True)
class SystemStep:
    """The version step of one system."""

    name: str = doc("name of the system")
    step: str = doc("the greatest step that its changes ask for: major, minor, patch or none")
    old_version: str | None = doc("its version in the old index")
    new_version: str | None = doc("its version in the new index")
    needed_version: str | None = doc("the lowest version that says as much; null when the old one is unknown")
    enough: bool | None = doc("whether the new version is at least that; null when one is unknown")


@dataclass(frozen=True, slots=True)
class DiffAnswer:
    """What changed in the exported API between two indexes: the answer of diff."""

    old: str = doc("the index compared with")
    new: str = doc("the index compared")
    packages: list[str] = doc("the packages compared, by their names in the new index if it has them")
    step: str = doc("the version step that all changes ask for: major, minor, patch or none")
    breaking: int = doc("number of breaking changes")
    total: int = doc("number of changes")
    note: str | None = doc("what to know about the comparison")
    systems: list[SystemStep] = doc("the step of each system that the compared packages belong to")
    changes: list[ChangeAnswer] = doc("the changes, breaking ones first, then by package and name")


DIFF_ANSWERS = (DiffAnswer, ChangeAnswer, SystemStep)
