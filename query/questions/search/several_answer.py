"""The answer of search from several indexes, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc
from .answer import SearchAnswer, SearchMatch


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralSearchMatch(SearchMatch):
    """One symbol that a search of several indexes found: its best match."""

    indexes: list[str] = doc("paths of the indexes that found it, the one with the best match first")
    releases: list[str] = doc("the releases in the catalog that export it, the newest first")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralSearchAnswer(SearchAnswer):
    """The symbols of several indexes that match words or a signature, best first.

    ``understood`` is that of the index with the best kind of match.
    """

    indexes: dict[str, int] = doc(
        "the number of matches in each index, by path, in the order in which the indexes were queried"
    )
    catalog: str | None = doc("path of the catalog, if one was queried too; it is also in `indexes`")
    releases: list[str] = doc(
        "releases in the catalog whose names match the query or that are about it, best first; at most three"
    )
    note: str | None = doc("which index could not search for this, and why")
