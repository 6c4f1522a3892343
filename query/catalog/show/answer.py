"""The answer of catalog show, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc


@dataclass(frozen=True, slots=True)
class ReleaseSystem:
    """A system that a release defines."""

    name: str = doc("its name")
    version: str | None = doc("its version")
    state: str = doc("loaded, failed, or unloaded for a test system")


@dataclass(frozen=True, slots=True)
class ReleaseDependency:
    """A dependency between two releases, in either direction."""

    system: str = doc("name of the required system")
    relation: str = doc("depends-on, weakly-depends-on or defsystem-depends-on")
    release: str | None = doc("the other release; null if the catalog has none")
    uses: int | None = doc("number of uses of the required release's symbols, if known")


@dataclass(frozen=True, slots=True)
class ReleaseProblem:
    """A part of a release that did not load."""

    subject: str = doc("a system, or a file that defines systems")
    message: str = doc("why it did not load, and where")


@dataclass(frozen=True, slots=True)
class ReleaseAnswer:
    """A release: what it is, what it provides and needs, and what needs it."""

    release: str = doc("the release, such as alexandria@1.0.1")
    name: str = doc("its name")
    version: str | None = doc("its version")
    versions: list[str] = doc("all releases of that name in the catalog, the newest first")
    state: str = doc("loaded, partly (some of its systems) or failed")
    licence: str | None = doc("its licence")
    author: str | None = doc("its author or authors")
    description: str | None = doc("its description in one line")
    place: str = doc("absolute path of the file that defines it, on the machine where the catalog was built")
    slice: str | None = doc("path of the index of what it provides; null if it has none")
    packages: list[str] = doc("the packages that it provides")
    exports: int = doc("number of symbols that it exports")
    definitions: int = doc("number of its definitions")
    systems: list[ReleaseSystem] = doc("the systems that it defines")
    dependencies: list[ReleaseDependency] = doc("what it depends on directly")
    dependents: list[ReleaseDependency] = doc("what depends on it directly")
    problems: list[ReleaseProblem] = doc("the parts of it that did not load")
