"""Every kind of page: its content, its links, and that it is valid."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urldefrag

import pytest

from oblist.query.standard.places import PUBLIC_HYPERSPEC, PUBLIC_MANUAL
from support.pages.browsing import BASE, Pages, Seen


@pytest.fixture(scope="module")
def pages(shelf: tuple[Path, Path]) -> Iterator[Pages]:
    with Pages(shelf[0]) as opened:
        yield opened


def linked(page: Seen, url: str) -> bool:
    return any(urldefrag(link).url.partition("?")[0] == f"{BASE}/{url}" for link in page.links)


def test_the_root_leads_to_the_first_page_which_says_what_is_indexed(pages: Pages) -> None:
    assert pages.response("/").headers["location"] == f"{BASE}/home"
    page = pages.page("home")
    assert linked(page, "system/shelf") and linked(page, "search")
    assert "symbols with SBCL" in page.text and "Undocumented exports" in page.text
    parts = [page.text.index(part) for part in ("Systems 1", "Newest changes", "Undocumented exports")]
    assert parts == sorted(parts)
    assert linked(page, "source/shelf/shelf~2Elisp") and linked(page, "sbcl-problems")
    assert not [link for link in page.links if "://" in link]


def test_the_page_of_a_symbol_has_every_definition_with_anchor_source_and_methods(pages: Pages) -> None:
    page = pages.page("symbol/shelf/read-aloud")
    assert {"generic-function", "method-book", "method-after-book", "method-eql-none"} <= set(page.ids)
    assert "Read BOOK aloud." in page.text and "(push book *shelf*)" in page.text
    assert "(book &key voice)" in page.text and "Methods 3" in " ".join(page.text.split())
    assert linked(page, "symbol/shelf/~2Ashelf~2A") and linked(page, "symbol/common-lisp/defmethod")
    assert linked(page, "source/shelf/shelf~2Elisp") and linked(page, "package/shelf")


def test_the_page_of_a_symbol_links_to_the_hyperspec_or_to_sbcls_manual(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OBLIST_HYPERSPEC", raising=False)
    monkeypatch.setenv("OBLIST_SBCL_MANUAL", PUBLIC_MANUAL)
    page = pages.page("symbol/common-lisp/car")
    assert f"{PUBLIC_HYPERSPEC}Body/f_car_c.htm" in page.links and "HyperSpec" in page.text
    assert f"{PUBLIC_MANUAL}#index-run_002dprogram" in pages.page("symbol/sb-ext/run-program").links
    assert "Manual" not in pages.page("symbol/shelf/read-aloud").text


def test_callers_and_callees_are_grouped_by_system_each_with_its_page_and_line(pages: Pages) -> None:
    page = pages.page("symbol/shelf/page")
    assert linked(page, "symbol/common-lisp/list")
    used = pages.page("symbol/shelf/title")
    assert linked(used, "symbol/shelf/read-aloud") and "(method shelf:read-aloud (book))" in used.text


def test_a_symbol_is_shown_in_use(pages: Pages) -> None:
    page = pages.page("symbol/shelf/open-book")
    assert "Examples" in page.text
    assert '(open-book "a")' in page.text and '(open-book "b")' in page.text
    assert "Examples" not in pages.page("symbol/shelf/hammer").text


def test_only_the_first_callers_of_a_popular_name_are_shown(pages: Pages) -> None:
    page = pages.page("symbol/common-lisp/car")
    assert "Showing the first 200." in page.text
    assert any(link.startswith("/oblist/callers_of?package=COMMON-LISP&name=CAR") for link in page.links)


def test_setf_functions_have_pages_of_their_own(pages: Pages) -> None:
    page = pages.page("symbol/shelf/~28setf+page~29")
    assert "(value book number)" in page.text and "(book number)" not in page.text


def test_the_page_of_a_package_has_exports_by_kind_and_internals_on_demand(pages: Pages) -> None:
    page = pages.page("package/shelf")
    assert linked(page, "symbol/shelf/with-book") and not linked(page, "symbol/shelf/fenced")
    assert "Macros" in page.text and "Generic functions" in page.text
    assert linked(pages.page("package/shelf?internal=1"), "symbol/shelf/fenced")


def test_a_class_is_shown_with_slots_methods_and_its_place_as_a_picture(pages: Pages) -> None:
    page = pages.page("class/shelf/book")
    assert "svg" in page.tags and linked(page, "class/common-lisp/standard-object")
    assert linked(page, "symbol/shelf/title") and ":title" in page.text
    assert linked(page, "symbol/shelf/read-aloud")
    assert "names no class" in pages.page("class/shelf/page", status=404).text


def test_a_class_is_shown_with_what_one_needs_to_use_and_to_extend_it(pages: Pages) -> None:
    stream = pages.page("class/sb-gray/fundamental-character-output-stream")
    assert "To implement" in stream.text and "left to subclasses" in stream.text
    assert linked(stream, "symbol/sb-gray/stream-write-char")
    book = pages.page("class/shelf/book")
    assert "Made in" in book.text and linked(book, "symbol/shelf/with-book")
    structure = pages.page("class/shelf/spine")
    assert "constructor" in structure.text and linked(structure, "symbol/shelf/make-spine")
    assert "Printed by" in structure.text


def test_a_system_is_shown_with_its_packages_and_files(pages: Pages) -> None:
    page = pages.page("system/shelf")
    assert linked(page, "package/shelf") and linked(page, "source/shelf/shelf~2Elisp")
    assert "not found" in pages.page("system/none", status=404).text


@pytest.mark.parametrize("url", ["bogus", "", "symbol", "symbol/a/b/c", "home/<b>", "home.xml"])
def test_a_url_without_a_page_says_so_and_leads_home(pages: Pages, url: str) -> None:
    page = pages.page(url, status=404)
    assert "is not a page of this index" in page.text and linked(page, "home")
    assert "b" not in page.tags


def test_a_source_file_leads_from_uses_to_definitions_and_marks_the_line(pages: Pages) -> None:
    line = next(row["line"] for row in pages.json("source/shelf/shelf~2Elisp.json")["definitions"])
    page = pages.page(f"source/shelf/shelf~2Elisp?line={line}")
    assert f"L{line}" in page.ids and "L1" in page.ids
    assert linked(page, "symbol/shelf/book") and linked(page, "symbol/common-lisp/make-instance")
    assert "äöü 日本語 𝄞" in page.text
    assert "not found" in pages.page("source/shelf/none~2Elisp", status=404).text


def test_long_files_are_shown_in_parts_around_the_line_asked_for(bare_index: Path) -> None:
    with Pages(bare_index) as pages:
        page = pages.page("source/sbcl/src~2Fcompiler~2Fsrctran~2Elisp?line=4500")
    assert "L4500" in page.ids and "L1" not in page.ids
    assert "from line 2001" in page.text


@pytest.mark.parametrize(
    ("length", "count", "parts", "links"),
    [
        (9_000, 60, 3, True),
        (9_000, 120, 6, False),  # more than a million characters
        (10_000, 20, 2, True),
        (10_001, 20, 2, False),
        (1_300_000, 2, 0, False),
    ],
)
def test_long_lines_are_cut_and_parts_are_bounded_in_characters(
    shelf: tuple[Path, Path], tmp_path: Path, length: int, count: int, parts: int, links: bool
) -> None:
    index = Path(shutil.copyfile(shelf[0], tmp_path / "oblist.db"))
    database = sqlite3.connect(index)
    ((file, last),) = database.execute(
        "SELECT file_id, max(line) FROM source_lines JOIN source_files ON source_files.id = file_id "
        "WHERE relative_path = 'shelf.lisp'"
    )
    database.executemany(
        "INSERT INTO source_lines (file_id, line, text) VALUES (?, ?, ?)",
        [(file, last + number, ";" * length) for number in range(1, count + 1)],
    )
    database.commit()
    database.close()
    with Pages(index) as pages:
        response = pages.response(f"{BASE}/source/shelf/shelf~2Elisp")
        first = pages.page("source/shelf/shelf~2Elisp")
        last_part = pages.page(f"source/shelf/shelf~2Elisp?line={last + count}")
    assert len(response.text) < 500_000
    assert f"L{last + count}" in last_part.ids
    assert (f"... ({length:,} characters)" in last_part.text) == (length > 10_000)
    assert linked(first, "symbol/common-lisp/make-instance") == links
    assert ("are not links" in first.text) != links
    assert first.text.count("from line") == parts


def test_a_search_is_ranked_and_narrowed_as_its_url_says(pages: Pages) -> None:
    found = pages.json("search.json?q=hash+table")["matches"]
    assert found[0]["written"] == "common-lisp:hash-table"
    kinds = {row["type"] for row in pages.json("search.json?q=hash+table&type=macro")["matches"]}
    assert kinds == {"macro"}
    own = pages.json("search.json?q=book&system=shelf&exported=1")["matches"]
    assert (
        own
        and {row["package"] for row in own} == {"SHELF"}
        and {row["status"] for row in own} == {"external"}
    )
    assert pages.json("search.json?q=page&package=shelf")["matches"]
    of_project = pages.json("search.json?q=read&own=1")["matches"]
    assert of_project and all(row["package"].startswith("SHELF") for row in of_project)
    assert "System none not found" in pages.page("search?q=page&system=none").text
    assert "Package NONE not found" in pages.page("search?q=page&package=none").text


@pytest.mark.parametrize(("typed", "name"), [("1+", "1+"), ("*", "*"), ("<=", "<=")])
def test_what_is_not_a_word_is_searched_in_names(pages: Pages, typed: str, name: str) -> None:
    found = pages.json(f"search.json?q={quote(typed)}")["matches"]
    assert name in [row["name"] for row in found[:3]]


def test_results_while_typing_are_part_of_the_page(pages: Pages) -> None:
    part = pages.page("search?q=mapcar&part=1")
    assert part.tags[0] == "p" and linked(part, "symbol/common-lisp/mapcar")


def test_answers_are_there_as_json(pages: Pages) -> None:
    assert pages.json("symbol/common-lisp/mapcar.json")["arglist"] == "(FUNCTION LIST &REST MORE-LISTS)"
    assert pages.json("package/shelf.json")["name"] == "SHELF"
    assert pages.json("class/shelf/book.json")["kind"] == "class"
    assert pages.json("home.json")["symbols"] > 20_000


def test_a_wrong_name_is_a_page_that_says_what_to_try(pages: Pages) -> None:
    page = pages.page("symbol/common-lisp/mapcra", status=404)
    assert "not found in package COMMON-LISP" in page.text and linked(page, "symbol/common-lisp/mapcar")
    assert linked(pages.page("package/shelff", status=404), "package/shelf")


def test_lists_of_everything(pages: Pages) -> None:
    assert linked(pages.page("packages"), "package/sb-ext")
    assert linked(pages.page("systems"), "system/shelf")
    assert linked(pages.page("problems"), "sbcl-problems")


def test_sbcls_own_problems_have_a_page_of_their_own(pages: Pages) -> None:
    own, sbcls = pages.json("problems.json"), pages.json("sbcl-problems.json")
    assert (
        {one["owner"] for one in sbcls["problems"]} == {"sbcl"} != {one["owner"] for one in own["problems"]}
    )
    assert len(own["problems"]) == own["project"] + own["dependencies"]
    assert "SBCL's own sources" in pages.page("sbcl-problems").text


def test_the_types_of_a_function_are_shown_and_lead_to_functions_like_it(pages: Pages) -> None:
    page = pages.page("symbol/common-lisp/symbol-package")
    assert "(symbol) → (or package null)" in " ".join(page.text.split())
    assert f"{BASE}/search?q=%3A%3A+%28symbol%29+-%3E+%28or+package+null%29" in page.links
    assert "Types" not in pages.page("symbol/common-lisp/~2Aprint-base~2A").text


def test_functions_are_searched_by_their_types(pages: Pages) -> None:
    page = pages.page("search?q=%3A%3A+symbol+-%3E+package")
    assert linked(page, "symbol/common-lisp/symbol-package")
    assert "symbol is a symbol; returns (or package null)" in page.text
    assert "No type is called strng" in pages.page("search?q=%3A%3A+strng").text


def test_forms_are_shown_as_one_writes_them(pages: Pages) -> None:
    assert "(test #'eql testp)" in pages.page("symbol/common-lisp/adjoin").text
    assert "(if-exists" in pages.page("symbol/common-lisp/open").text


def test_a_table_of_slots_has_only_columns_that_say_something(pages: Pages) -> None:
    shown = pages.page("class/common-lisp/simple-condition").text
    assert "Initargs" in shown and ":format-control" in shown and "Initform" in shown
    assert "From" not in shown and "Type" not in shown
    assert "From" in pages.page("class/common-lisp/simple-type-error").text


def test_a_class_page_leads_to_its_source_and_to_those_of_its_methods(pages: Pages) -> None:
    page = pages.page("class/shelf/book")
    places = [link for link in page.links if link.startswith(f"{BASE}/source/shelf/shelf~2Elisp?line=")]
    lines = {int(link.rpartition("#L")[2]) for link in places}
    source = pages.page("source/shelf/shelf~2Elisp")
    text = source.text.split("\n")
    start = next(number for number, line in enumerate(text) if "(defpackage :shelf" in line)
    wanted = {
        number - start + 2
        for number, line in enumerate(text)
        if line.startswith(
            ("(defclass book", "(defmethod read-aloud ((book book)", "(defmethod read-aloud :after")
        )
    }
    assert len(wanted) == 3 and wanted <= lines


def test_a_package_page_has_lambda_lists(pages: Pages) -> None:
    text = " ".join(pages.page("package/shelf").text.split())
    assert "read-aloud (book &key voice) Read BOOK aloud." in text and "open-book (title)" in text
    assert "with-book ((name) &body body)" in text
    assert "odd-even (n)" in " ".join(pages.page("package/shelf?internal=1").text.split())


def test_the_project_comes_first_and_sbcl_last(pages: Pages) -> None:
    page = pages.page("packages")
    groups = [page.text.index(title) for title in ("The project 2", "SBCL ")]
    assert groups == sorted(groups)
    names = [one["name"] for one in pages.json("packages.json")["packages"]]
    assert names[:2] == ["SHELF", "SHELF-2"] and "COMMON-LISP" in names
    systems = [one["name"] for one in pages.json("systems.json")["systems"]]
    assert systems[0] == "shelf" and systems.index("uiop") > 0
    links = pages.page("home").links
    undocumented = [link for link in links if link.startswith(f"{BASE}/package/")]
    of_sbcl = [place for place, link in enumerate(undocumented) if link.startswith(f"{BASE}/package/sb-")]
    assert undocumented.index(f"{BASE}/package/shelf") < min(of_sbcl)


def test_the_heads_of_pages_name_the_project(pages: Pages) -> None:
    titles = {
        "home": "<title>shelf - oblist</title>",
        "packages": "<title>Packages - shelf - oblist</title>",
        "symbol/common-lisp/car": "<title>common-lisp:car - shelf - oblist</title>",
        "search?q=car": "<title>car - search - shelf - oblist</title>",
    }
    for url, title in titles.items():
        text = pages.response(f"{BASE}/{url}").text
        assert title in text and "shelf</a>" in text.partition("</header>")[0]
    assert "<h1>shelf</h1>" in pages.response(f"{BASE}/home").text
    assert 'project <a href="/oblist/-/home">shelf</a>' in pages.response(f"{BASE}/systems").text


def test_long_pages_list_their_sections(pages: Pages) -> None:
    page = pages.page("symbol/shelf/read-aloud")
    assert "On this page" in page.text
    fragments = [link[1:] for link in page.links if link.startswith("#")]
    assert (
        {"methods", "definitions", "method-after-book", "callers"} <= set(fragments) <= {*page.ids, "content"}
    )
    assert "On this page" not in pages.page("system/shelf").text


def test_results_for_a_list_are_options_with_a_link_to_all_of_them(pages: Pages) -> None:
    part = pages.page("search?q=book&part=choices")
    assert set(part.tags) <= {"a", "code", "span"} and 3 <= part.tags.count("a") <= 9
    assert linked(part, "symbol/shelf/book") and part.links[-1] == f"{BASE}/search?q=book"
    assert "Nothing found" in pages.page("search?q=xyzzyx&part=choices").text
