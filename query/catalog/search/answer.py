"""The answer of catalog search, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc


@dataclass(frozen=True, slots=True)
class CatalogMatch:
    """One exported symbol that a search of the catalog found."""

    name: str = doc("exact name")
    package: str = doc("home package")
    written: str = doc("the name as you would type it")
    type: str = doc("macro, generic-function, function, class, variable or symbol")
    release: str = doc("the release that exports it, such as alexandria@1.0.1")
    other_versions: list[str] = doc("other versions of the release that export it too")
    match: str = doc("kind of match: exact, prefix, word, infix, documentation, some words or signature")
    summary: str | None = doc("first sentence of its documentation")
    signature: str | None = doc("arglist and types of the values, in a search by signature", default=None)
    why: str | None = doc("why it fits the signature that was asked for", default=None)


@dataclass(frozen=True, slots=True)
class CatalogSearchAnswer:
    """The exported symbols of all releases that match words or a signature, best first."""

    query: str = doc("the words, and any signature after ::, as given")
    understood: str = doc("how the query was interpreted")
    total: int = doc("number of matches, whatever the limit")
    offset: int = doc("number of matches skipped")
    releases: list[str] = doc(
        "releases whose names match the query or that are about it, best first; at most three"
    )
    matches: list[CatalogMatch] = doc("the matches, best first")
