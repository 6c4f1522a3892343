"""The questions to a catalog: search, provides, releases, show; and the slice of a release."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.catalog import Catalog, open_catalog, open_slice
from oblist.query.catalog.elsewhere import packages_elsewhere, with_elsewhere
from oblist.query.catalog.provides.answer import ProvidesAnswer
from oblist.query.catalog.search.answer import CatalogSearchAnswer
from oblist.query.catalog.show.answer import ReleaseAnswer
from oblist.query.errors import IndexDamagedError, IndexMissingError, IndexVersionError, ReleaseError
from oblist.query.index.not_found import NotFound
from oblist.query.questions.describe.answer import DescribeAnswer
from oblist.query.questions.search import meaning
from support.catalogs.libraries import libraries


@pytest.fixture(scope="module")
def catalog() -> Iterator[Catalog]:
    with open_catalog(libraries().catalog) as opened:
        yield opened


def search(catalog: Catalog, words: str) -> CatalogSearchAnswer:
    answer = catalog.search(words)
    assert isinstance(answer, CatalogSearchAnswer)
    return answer


def provides(catalog: Catalog, name: str) -> list[tuple[str, str, str, str | None]]:
    answer = catalog.provides(name)
    assert isinstance(answer, ProvidesAnswer)
    assert answer.total == len(answer.providers)
    return [(one.what, one.written, one.release, one.status) for one in answer.providers]


def show(catalog: Catalog, release: str) -> ReleaseAnswer:
    answer = catalog.show(release)
    assert isinstance(answer, ReleaseAnswer)
    return answer


# search


def test_words_find_what_releases_export(catalog: Catalog) -> None:
    first, *_ = search(catalog, "paint canvas").matches
    assert (first.written, first.type, first.release) == ("drawing:draw", "function", "drawing")
    assert first.summary == "Paint SHAPE on the canvas with the ink."


def test_a_symbol_of_several_versions_is_one_match_with_the_newest(catalog: Catalog) -> None:
    (area,) = [one for one in search(catalog, "area").matches if one.name == "AREA"]
    assert (area.release, area.other_versions) == ("shapes@2.0", ["shapes@1.0"])


def test_what_only_an_old_version_exports_is_found_there(catalog: Catalog) -> None:
    (found,) = search(catalog, "circumference").matches
    assert (found.release, found.other_versions) == ("shapes@1.0", [])


def test_what_a_release_is_for_counts(catalog: Catalog) -> None:
    names = {one.written for one in search(catalog, "plane figures").matches}
    assert {"shapes:area", "shapes:square"} <= names


def test_releases_that_are_about_the_words_are_named(catalog: Catalog) -> None:
    assert search(catalog, "plane figures").releases == ["shapes@2.0"]
    assert search(catalog, "drawing extras").releases == ["drawing-extras"], "although it did not load"
    assert search(catalog, "zyzzyva").releases == []


def test_of_common_words_those_beside_rare_ones_are_looked_at(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = [search(catalog, words) for words in ("list of sides", "paint canvas")]
    monkeypatch.setattr(meaning, "_MOST_OF_CONCEPT", 40)
    bounded = [search(catalog, words) for words in ("list of sides", "paint canvas")]
    assert [one.matches[0] for one in bounded] == [one.matches[0] for one in whole]
    assert bounded[0].total < whole[0].total
    assert search(catalog, "list").total > 0, "common words alone have matches"
    assert search(catalog, "list string").total > 0


def test_internal_symbols_are_not_found(catalog: Catalog) -> None:
    assert not [one for one in search(catalog, "helper").matches if one.release.startswith("shapes")]


def test_signatures_find_functions_of_all_releases(catalog: Catalog) -> None:
    answer = catalog.search("area :: square")
    assert isinstance(answer, CatalogSearchAnswer)
    assert [one.written for one in answer.matches[:1]] == ["shapes:area"]
    assert answer.matches[0].signature


def test_pages_of_matches_are_the_whole_in_order(catalog: Catalog) -> None:
    whole = catalog.search("shape", limit=0)
    assert isinstance(whole, CatalogSearchAnswer)
    assert whole.total == len(whole.matches) > 4
    pages = []
    for offset in range(0, whole.total, 3):
        page = catalog.search("shape", limit=3, offset=offset)
        assert isinstance(page, CatalogSearchAnswer)
        pages += page.matches
    assert pages == whole.matches


@pytest.mark.parametrize("words", ["", "   ", ":: (", "\0"])
def test_unusable_words_have_an_answer(catalog: Catalog, words: str) -> None:
    answer = catalog.search(words)
    assert isinstance(answer, NotFound) or answer.total == 0


# provides


def test_a_name_is_provided_by_each_version_that_exports_it(catalog: Catalog) -> None:
    assert provides(catalog, "area") == [
        ("symbol", "shapes:area", "shapes@2.0", "external"),
        ("symbol", "shapes:area", "shapes@1.0", "external"),
    ]


def test_a_name_with_a_prefix_is_looked_for_in_that_package(catalog: Catalog) -> None:
    assert provides(catalog, "shapes::helper") == [
        ("symbol", "shapes::helper", "shapes@2.0", "internal"),
        ("symbol", "shapes::helper", "shapes@1.0", "internal"),
    ]
    assert isinstance(catalog.provides("drawing:area"), NotFound)


def test_packages_nicknames_and_systems_have_their_releases(catalog: Catalog) -> None:
    assert provides(catalog, "drawing")[:2] == [
        ("package", "drawing", "drawing", None),
        ("system", "drawing", "drawing", "loaded"),
    ]
    assert provides(catalog, "shp")[0] == ("package", "shp", "shapes@2.0", None)
    assert provides(catalog, "on-broken/more") == [("system", "on-broken/more", "on-broken", "failed")]


def test_what_sbcl_brings_is_in_each_catalog(catalog: Catalog) -> None:
    (first, *_) = provides(catalog, "mapcar")
    assert first[:2] == ("symbol", "common-lisp:mapcar")
    assert first[2].startswith("sbcl@")


def test_a_name_that_nobody_provides_has_suggestions(catalog: Catalog) -> None:
    answer = catalog.provides("circumferenze")
    assert isinstance(answer, NotFound)
    assert answer.error == "symbol-not-found"
    assert "shapes:circumference" in answer.suggestions


@pytest.mark.parametrize("name", ["", "a:b:c", "a::", "\0", "|", "\ud800"])
def test_names_that_cannot_be_are_told(catalog: Catalog, name: str) -> None:
    assert isinstance(catalog.provides(name), NotFound)


# releases, show


def test_releases_are_listed_by_name_and_state(catalog: Catalog) -> None:
    everything = catalog.releases()
    assert everything.total == len(everything.releases) > 15
    assert [one.release for one in catalog.releases("shap").releases] == ["shapes@2.0", "shapes@1.0"]
    assert [one.release for one in catalog.releases(state="partly").releases] == ["on-broken"]
    states = [catalog.releases(state=state).total for state in ("loaded", "partly", "failed")]
    assert sum(states) == everything.total


def test_pages_of_releases_are_the_whole_in_order(catalog: Catalog) -> None:
    whole = catalog.releases().releases
    pages = [catalog.releases(limit=7, offset=offset) for offset in range(0, len(whole), 7)]
    assert len(pages) > 2
    assert [one for page in pages for one in page.releases] == whole
    assert {page.total for page in pages} == {len(whole)}


def test_pages_of_providers_are_the_whole_in_order(catalog: Catalog) -> None:
    whole = provides(catalog, "shapes")
    assert len(whole) > 3
    pages = [catalog.provides("shapes", limit=3, offset=offset) for offset in range(0, len(whole), 3)]
    found = [one for page in pages if isinstance(page, ProvidesAnswer) for one in page.providers]
    assert [(one.what, one.written, one.release, one.status) for one in found] == whole


def test_a_release_shows_what_it_needs_and_what_needs_it(catalog: Catalog) -> None:
    drawing, shapes = show(catalog, "drawing"), show(catalog, "shapes")
    (needed,) = drawing.dependencies
    assert (needed.system, needed.release) == ("shapes", "shapes@2.0")
    assert needed.uses is not None
    assert needed.uses >= 3
    assert ("drawing", needed.uses) in [(one.release, one.uses) for one in shapes.dependents]
    assert drawing.packages == ["DRAWING"]
    assert shapes.licence == "MIT"


def test_a_release_shows_its_versions_the_newest_first(catalog: Catalog) -> None:
    assert show(catalog, "shapes").versions == ["shapes@2.0", "shapes@1.0"]
    assert show(catalog, "shapes").release == "shapes@2.0"
    assert show(catalog, "Shapes@1.0").release == "shapes@1.0"


def test_a_system_stands_for_the_release_that_defines_it(catalog: Catalog) -> None:
    assert show(catalog, "one/two").release == "one"


def test_a_dependency_that_no_release_brings_is_shown_as_such(catalog: Catalog) -> None:
    found = {one.system: one.release for one in show(catalog, "drawing-extras").dependencies}
    assert found == {"drawing": "drawing", "no-such-library": None}


def test_a_release_shows_its_problems(catalog: Catalog) -> None:
    (problem,) = show(catalog, "broken").problems
    assert problem.subject == "broken"
    assert show(catalog, "broken").state == "failed"


def test_unknown_releases_and_versions_are_told_with_what_there_is(catalog: Catalog) -> None:
    answer, version = catalog.show("shaps"), catalog.show("shapes@3.0")
    assert isinstance(answer, NotFound)
    assert answer.suggestions[:1] == ["shapes"]
    assert isinstance(version, NotFound)
    assert version.suggestions == ["shapes@2.0", "shapes@1.0"]


# slices


def test_a_release_has_an_index_of_its_own() -> None:
    with open_slice("shapes@1.0", libraries().catalog) as index:
        answer = index.describe("circumference")
        assert isinstance(answer, DescribeAnswer)
        assert answer.package == "SHAPES"
    with open_slice("shapes", libraries().catalog) as index:
        assert isinstance(index.describe("shapes:circumference"), NotFound)


def test_a_symbol_from_outside_says_that_the_slice_has_only_its_name() -> None:
    with open_slice("drawing", libraries().catalog) as index:
        answer = index.describe("shapes:area")
    assert isinstance(answer, DescribeAnswer)
    assert (
        answer.note == "this index is a slice: it contains only those symbols of SHAPES that its release uses"
    )


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("shapes@9", "The catalog has other versions of shapes."),
        ("nothing-of-that-name", "The catalog has no release with this name."),
    ],
)
def test_a_release_without_an_index_says_why(release: str, said: str) -> None:
    with pytest.raises(ReleaseError, match=said):
        open_slice(release, libraries().catalog)


@pytest.mark.parametrize(
    ("slice_", "said"),
    [
        (None, "It did not load; see: oblist catalog show drawing"),
        ("/none/at-all.db", "Its slice is no longer in the store. Make it again with: oblist catalog build"),
    ],
)
def test_a_slice_that_is_not_there_is_told(tmp_path: Path, slice_: str | None, said: str) -> None:
    path = tmp_path / "catalog.db"
    path.write_bytes(libraries().catalog.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE releases SET slice = ? WHERE name = 'drawing'", [slice_])
        connection.commit()
    with pytest.raises(ReleaseError, match=said):
        open_slice("drawing", path)


# what an index does not have


@pytest.fixture(scope="module")
def index(bare_index: Path) -> Iterator[Index]:
    with open_index(bare_index) as opened:
        yield opened


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("circumference", "Not loaded, but in the catalog: shapes:circumference in shapes@1.0."),
        ("shapes:area", "Not loaded, but in the catalog: the releases shapes@2.0, shapes@1.0 define it."),
        ("drawing:no-such-name", "Not loaded, but in the catalog: the release drawing defines it."),
        ("helper", None),
        ("nobody-has-this-name", None),
    ],
)
def test_a_name_that_an_index_lacks_is_looked_for_in_the_catalog(
    index: Index, name: str, said: str | None
) -> None:
    answer = index.describe(name)
    assert isinstance(answer, NotFound)
    assert answer.elsewhere is None, "the question itself is about the index alone"
    assert with_elsewhere(answer, name, str(libraries().catalog)).elsewhere == said


def test_unknown_packages_are_looked_for_by_their_exact_names() -> None:
    catalog = str(libraries().catalog)
    assert packages_elsewhere(["DRAWING", "drawing", "a|b"], catalog) == {
        "DRAWING": "the release drawing defines it"
    }


def test_without_a_catalog_an_answer_is_as_it_was(index: Index, tmp_path: Path, bare_index: Path) -> None:
    answer = index.describe("circumference")
    assert isinstance(answer, NotFound)
    (tmp_path / "text").write_text("no catalog")
    for path in (tmp_path / "none.db", tmp_path / "text", bare_index):
        assert with_elsewhere(answer, "circumference", str(path)) == answer
        assert packages_elsewhere(["DRAWING"], str(path)) == {}


# files


def test_what_is_no_catalog_is_refused(tmp_path: Path, bare_index: Path) -> None:
    text = tmp_path / "text"
    text.write_text("This is no database, and longer than the hundred bytes of a header." * 3)
    with pytest.raises(
        IndexMissingError, match=r"there is no catalog\. Build one with: oblist catalog build"
    ):
        open_catalog(tmp_path / "none.db")
    with pytest.raises(IndexDamagedError, match="catalog"):
        open_catalog(text)
    with pytest.raises((IndexDamagedError, IndexVersionError), match="catalog"):
        open_catalog(bare_index)
    with pytest.raises((IndexDamagedError, IndexVersionError), match="index"):
        open_index(libraries().catalog)


def test_a_catalog_that_was_built_again_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    path.write_bytes(libraries().catalog.read_bytes())
    with open_catalog(path) as catalog:
        before = catalog.releases().total
        new = tmp_path / "new.db"
        new.write_bytes(path.read_bytes())
        new.replace(path)
        assert catalog.releases().total == before


def test_a_store_that_moved_with_its_catalog_is_found(tmp_path: Path) -> None:
    made = libraries()
    (tmp_path / "store" / "slices").mkdir(parents=True)
    with open_catalog(made.catalog) as catalog:
        slice_ = catalog.slice_of("drawing")
    assert isinstance(slice_, Path)
    (tmp_path / "store" / "slices" / slice_.name).write_bytes(slice_.read_bytes())
    moved = tmp_path / "catalog.db"
    moved.write_bytes(made.catalog.read_bytes())
    with closing(sqlite3.connect(moved)) as connection:
        connection.execute("UPDATE releases SET slice = '/none' || slice")
        connection.commit()
    with open_slice("drawing", moved) as index:
        assert index.path == tmp_path / "store" / "slices" / slice_.name
