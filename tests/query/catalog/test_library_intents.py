"""Words of people find libraries: the bounds are those that were set before it was measured."""

from __future__ import annotations

import pytest

from oblist.query.catalog import Catalog, open_catalog
from oblist.query.catalog.provides.answer import ProvidesAnswer
from oblist.query.catalog.search.answer import CatalogSearchAnswer
from support.catalogs.libraries import debian_catalog
from support.catalogs.library_intents import LIBRARY_INTENTS

# Of the expectations whose library is in the catalog, as many in hundred are among the first five.
AMONG_FIVE, FIVE = 90, 5


@pytest.mark.full
def test_what_a_person_looks_for_is_among_the_first_five() -> None:
    with open_catalog(debian_catalog().catalog) as catalog:
        places = {
            words: _place(catalog, words, expected)
            for words, wanted in LIBRARY_INTENTS
            if (expected := _expected(catalog, wanted))
        }
    assert len(LIBRARY_INTENTS) == 60
    assert len(places) > 30
    late = [words for words, place in places.items() if place is None or place >= FIVE]
    assert (len(places) - len(late)) * 100 >= AMONG_FIVE * len(places), late


def _expected(catalog: Catalog, wanted: str) -> set[tuple[str | None, str]]:
    """The names and releases of what would do; no name stands for any of the release."""
    found: set[tuple[str | None, str]] = set()
    for one in wanted.split():
        if one.startswith("@"):
            found |= {(None, line.release) for line in catalog.releases(one[1:]).releases if line.exports}
            continue
        answer = catalog.provides(one)
        if isinstance(answer, ProvidesAnswer):
            exported = [each for each in answer.providers if each.status == "external"]
            found |= {(each.name, each.release) for each in exported}
    return found


def _place(catalog: Catalog, words: str, expected: set[tuple[str | None, str]]) -> int | None:
    answer = catalog.search(words, limit=10)
    assert isinstance(answer, CatalogSearchAnswer)
    places = (
        place
        for place, match in enumerate(answer.matches)
        if {(match.name, match.release), (None, match.release)} & expected
    )
    return next(places, None)
