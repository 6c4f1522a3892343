"""The pages of the catalog."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query.catalog import open_catalog
from support.catalogs.libraries import libraries
from support.pages.browsing import BASE, Pages, Seen
from support.pages.html_validity import not_valid


@pytest.fixture
def pages(bare_index: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    monkeypatch.setenv("OBLIST_CATALOG", str(libraries().catalog))
    with Pages(bare_index) as opened:
        yield opened


def linked(page: Seen, url: str) -> bool:
    return f"{BASE}/{url}" in page.links


def test_all_releases_are_listed_with_their_states(pages: Pages) -> None:
    page = pages.page("libraries")
    with open_catalog(libraries().catalog) as catalog:
        listed = catalog.releases()
    assert f"Libraries {listed.total}" in " ".join(page.text.split())
    assert linked(page, "release/shapes~402~2E0") and linked(page, "release/shapes~401~2E0")
    assert linked(page, "library-graph")
    assert "did not load" in page.text and "in part" in page.text
    assert len(pages.json("libraries.json")["releases"]) == listed.total


def test_words_find_symbols_of_all_releases(pages: Pages) -> None:
    page = pages.page("libraries?q=paint+canvas")
    assert "drawing:draw" in page.text and "Paint SHAPE on the canvas" in page.text
    assert linked(page, "release/drawing")
    assert pages.json("libraries.json?q=paint+canvas")["matches"][0]["written"] == "drawing:draw"


def test_a_match_that_the_index_has_leads_to_its_page(pages: Pages) -> None:
    assert linked(pages.page("libraries?q=mapcar"), "symbol/common-lisp/mapcar")


def test_a_search_goes_on_on_the_next_page(pages: Pages) -> None:
    first = pages.page("libraries?q=string")
    (more,) = [link for link in first.links if "offset=50" in link]
    following = pages.page(more.removeprefix(f"{BASE}/"))
    assert following.text != first.text


def test_a_release_shows_what_it_is_needs_and_exports(pages: Pages) -> None:
    page = pages.page("release/shapes")
    text = " ".join(page.text.split())
    assert "Plane figures and their sizes" in text and "MIT" in text
    assert linked(page, "release/shapes~401~2E0") and linked(page, "release/drawing")
    assert "shapes:around" in text and "(shape &key exact)" in text and "The length around SHAPE." in text
    assert "oblist browse --release shapes@2.0" in text
    assert pages.json("release/shapes.json")["release"] == "shapes@2.0"


def test_a_release_that_did_not_load_shows_why(pages: Pages) -> None:
    page = pages.page("release/broken")
    assert "It did not load when the catalog was built." in page.text
    assert "The function CAR is called with two arguments" in page.text


def test_an_unknown_release_is_told_with_what_there_is(pages: Pages) -> None:
    page = pages.page("release/shaps", 404)
    assert "Release shaps not found" in page.text
    assert linked(page, "release/shapes")


def test_the_picture_links_the_releases(pages: Pages) -> None:
    page = pages.page("library-graph")
    assert linked(page, "release/shapes~402~2E0") and linked(page, "release/drawing")
    found = {(one["release"], one["needs"]) for one in pages.json("library-graph.json")["dependencies"]}
    assert ("drawing", "shapes@2.0") in found


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("symbol/shapes/area", "the releases shapes@2.0, shapes@1.0 define it"),
        ("symbol/common-lisp-user/circumference", "shapes:circumference in shapes@1.0"),
        ("class/drawing/circle", "the release drawing defines it"),
        ("package/drawing", "the release drawing defines it"),
    ],
)
def test_the_page_of_what_is_missing_says_who_has_it(pages: Pages, url: str, said: str) -> None:
    page = pages.page(url, 404)
    assert f"Not loaded, but in the catalog: {said}." in page.text
    assert any(link.startswith(f"{BASE}/libraries?q=") for link in page.links)


def test_without_a_catalog_the_pages_say_how_to_make_one(
    pages: Pages, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OBLIST_CATALOG", str(tmp_path / "none.db"))
    for url, status in (("libraries", 200), ("library-graph", 404), ("release/shapes", 404)):
        assert "oblist catalog build --all" in pages.page(url, status).text
    assert "catalog" not in pages.page("package/drawing", 404).text


def test_the_pages_are_valid(pages: Pages, tmp_path: Path) -> None:
    urls = [
        "libraries",
        "libraries?q=area",
        "library-graph",
        "release/shapes",
        "release/broken",
        "release/on-broken",
    ]
    found = pages.responses([f"{BASE}/{url}" for url in urls])
    assert not_valid([one.text for one in found], tmp_path) == set()
