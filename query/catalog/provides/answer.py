"""The answer of provides, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc, incomplete_field


@dataclass(frozen=True, slots=True)
class Provider:
    """One thing with the name, from a release."""

    what: str = doc("symbol, package or system")
    release: str | None = doc("the release, such as alexandria@1.0.1; null for an index")
    newest: bool | None = doc(
        "true if this is the newest version of the release in the catalog; null for an index"
    )
    name: str = doc("exact name of the symbol, package or system")
    package: str | None = doc("for a symbol: a package in which it is present")
    written: str = doc("the name as you would type it")
    type: str | None = doc("for a symbol: macro, generic-function, function, class, variable or symbol")
    status: str | None = doc("for a symbol: external or internal; for a system: loaded, failed or unloaded")


@dataclass(frozen=True, slots=True)
class ProvidesAnswer:
    """The releases that provide a name: exported symbols, then packages and systems, then the rest."""

    name: str = doc("the name, as given")
    total: int = doc("number of providers, whatever the limit")
    offset: int = doc("number of providers skipped")
    providers: list[Provider] = doc("the things with this name, and where they are")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralProvider(Provider):
    """One thing with the name, from an index or from a release in the catalog."""

    index: str = doc("path of the index, or of the catalog")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralProvidesAnswer(ProvidesAnswer):
    """The indexes and releases that provide a name: of each sort, those of the first index come first."""

    indexes: dict[str, int] = doc(
        "the number of providers in each index, by path, in the order in which the indexes were queried"
    )
    catalog: str | None = doc("path of the catalog, if there is one; it is also in `indexes`")
    incomplete: str | None = incomplete_field()
