"""The answer of catalog releases, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc


@dataclass(frozen=True, slots=True)
class ReleaseLine:
    """One release in a list."""

    release: str = doc("the release, such as alexandria@1.0.1")
    name: str = doc("its name")
    version: str | None = doc("its version")
    newest: bool = doc("true if this is the newest version of the release in the catalog")
    state: str = doc("loaded, partly (some of its systems) or failed")
    exports: int = doc("number of symbols that it exports")
    licence: str | None = doc("its licence")
    description: str | None = doc("its description in one line")


@dataclass(frozen=True, slots=True)
class ReleasesAnswer:
    """The releases of a catalog, by name."""

    name: str = doc("the text that the releases' names had to contain")
    state: str | None = doc("the state asked for")
    total: int = doc("number of releases, whatever the limit")
    offset: int = doc("number of releases skipped")
    releases: list[ReleaseLine] = doc("the releases")
