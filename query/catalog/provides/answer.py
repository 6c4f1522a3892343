"""The answer of provides, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc, incomplete_field


@dataclass(frozen=True, slots=True)
class Provider:
    """One thing of a name that a release brings."""

    what: str = doc("symbol, package or system")
    release: str | None = doc("the release, such as alexandria@1.0.1; null in an index")
    newest: bool | None = doc("whether the catalog has no newer version of the release; null in an index")
    name: str = doc("exact name of the symbol, package or system")
    package: str | None = doc("for a symbol: a package in which it is present")
    written: str = doc("the form to type, for a symbol; else the name as typed")
    type: str | None = doc("for a symbol: macro, generic-function, function, class, variable or symbol")
    status: str | None = doc("for a symbol: external or internal; for a system: loaded, failed or unloaded")


@dataclass(frozen=True, slots=True)
class ProvidesAnswer:
    """The releases that bring a name: exported symbols first, then packages and systems, then the rest."""

    name: str = doc("the name, as given")
    total: int = doc("number of providers, whatever the limit")
    offset: int = doc("number of providers skipped")
    providers: list[Provider] = doc("what has this name, and where")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralProvider(Provider):
    """One thing of a name that an index has, or that a release in the catalog brings."""

    index: str = doc("path of the index, or of the catalog")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralProvidesAnswer(ProvidesAnswer):
    """The indexes and releases that bring a name: of each sort, those of the first index come first."""

    indexes: dict[str, int] = doc(
        "the number of providers in each index, by path, in the order in which they were asked"
    )
    catalog: str | None = doc("path of the catalog, which is among `indexes` if there is one")
    incomplete: str | None = incomplete_field()
