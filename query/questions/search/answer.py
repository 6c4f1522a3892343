"""The answer of search, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc, incomplete_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@dataclass(frozen=True, slots=True)
class SearchMatch:
    """One symbol that a search found."""

    name: str = doc("exact name")
    package: str = doc("home package")
    written: str = doc("the name as you would type it")
    type: str = doc("macro, generic-function, function, class, variable or symbol")
    status: str = doc("external when a package exports it, else internal")
    match: str = doc("kind of match: exact, prefix, word, infix, documentation, some words or signature")
    callers: int | None = doc(
        "number of distinct definitions that call or expand it; null where uses are not recorded"
    )
    summary: str | None = doc("first sentence of its documentation")
    signature: str | None = doc("arglist and types of the values, in a search by signature", default=None)
    why: str | None = doc("why it fits the signature that was asked for", default=None)


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The symbols that match words or a signature, best first: the answer of search."""

    query: str = doc("the words, and any signature after ::, as given")
    understood: str = doc("how the query was interpreted")
    total: int = doc("number of matches, whatever the limit")
    offset: int = doc("number of matches skipped")
    matches: list[SearchMatch] = doc("the matches, best first")
    incomplete: str | None = incomplete_field()
    seen_from: SeenFrom | None = seen_from()
