"""The answer of search, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc
from ...index.standpoint.seen_from import SeenFrom, seen_from


@dataclass(frozen=True, slots=True)
class SearchMatch:
    """One symbol that a search found."""

    name: str = doc("exact name")
    package: str = doc("home package")
    written: str = doc("the form to type back")
    type: str = doc("macro, generic-function, function, class, variable or symbol")
    status: str = doc("external when a package exports it, else internal")
    match: str = doc("kind of match: exact, prefix, word, infix, documentation, some words or signature")
    callers: int = doc("number of distinct definitions that call or expand it")
    summary: str | None = doc("first sentence of its documentation")
    signature: str | None = doc("arglist and types of the values, in a search by signature", default=None)
    why: str | None = doc("why it fits the signature that was asked for", default=None)


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The symbols that match words or a signature, best first: the answer of search."""

    query: str = doc("the words, and the signature after ::, as given")
    understood: str = doc("how the query was interpreted")
    total: int = doc("number of matches, whatever the limit")
    offset: int = doc("number of matches skipped")
    matches: list[SearchMatch] = doc("the matches, best first")
    incomplete: str | None = doc(
        "what did not load, if the answer may lack something because of it", default=None
    )
    seen_from: SeenFrom | None = seen_from()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralSearchMatch(SearchMatch):
    """One symbol that a search of several indexes found: its best match."""

    indexes: list[str] = doc("paths of the indexes that found it, the one with the best match first")
    releases: list[str] = doc("the releases in the catalog that export it, the newest first")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralSearchAnswer(SearchAnswer):
    """The symbols of several indexes that match words or a signature, best first.

    How the query was understood is told of the index with the best kind of match.
    """

    indexes: dict[str, int] = doc(
        "the number of matches in each index, by path, in the order in which they were asked"
    )
    catalog: str | None = doc("path of the catalog, which is among `indexes` if it was asked too")
    releases: list[str] = doc(
        "releases in the catalog that are called so or are about it, best first; at most three"
    )
    note: str | None = doc("which index could not search for this, and why")


SEARCH_ANSWERS = (SearchAnswer, SearchMatch, SeveralSearchAnswer, SeveralSearchMatch)
