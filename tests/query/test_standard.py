"""Links into the HyperSpec and SBCL's manual: clhs, describe, and the pages that the table names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import Index, open_index
from oblist.query.answers import DescribeAnswer, NotFound, StandardAnswer
from oblist.query.standard.find import find_term
from oblist.query.standard.hyperspec import page_address, pages
from oblist.query.standard.manual import anchors_in, listed_anchors
from oblist.query.standard.places import (
    DEBIAN_MANUAL,
    HYPERSPEC_VARIABLE,
    MANUAL_VARIABLE,
    PUBLIC_HYPERSPEC,
    PUBLIC_MANUAL,
)
from oblist.query.terminal import printing
from support.agents.tool_calls import called, executing
from support.checkout import ROOT
from support.command_line import run_main
from support.live import printed_values

LIST = ROOT / "tests" / "data" / "hyperspec-pages.txt"


@pytest.fixture(autouse=True)
def _public(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No copies on this machine."""
    monkeypatch.delenv(HYPERSPEC_VARIABLE, raising=False)
    monkeypatch.setenv(MANUAL_VARIABLE, str(tmp_path / "none.html"))


@pytest.fixture(scope="module")
def index(bare_index: Path) -> Iterator[Index]:
    with open_index(bare_index) as opened:
        yield opened


def listed_pages() -> set[str]:
    """The names of all pages, from a copy of the HyperSpec."""
    lines = [line for line in LIST.read_text().splitlines() if not line.startswith("#")]
    return set(" ".join(lines).split())


def links(term: str) -> list[tuple[str, str, str]]:
    answer = find_term(term)
    assert isinstance(answer, StandardAnswer), answer
    return [(one.kind, one.name, one.url.removeprefix(PUBLIC_HYPERSPEC)) for one in answer.links]


# The table


def test_every_page_that_the_table_names_exists() -> None:
    known, exists = pages(), listed_pages()
    assert len(exists) > 1400
    named = [
        *known.symbols.values(),
        *known.reader.values(),
        *(page for found in known.directives.values() for page in found),
        *known.sections.values(),
        *(page.partition("#")[0] for page in known.glossary.values()),
    ]
    assert len(named) > 2400
    assert {page for page in named if page not in exists} == set()


def test_every_section_that_has_a_page_is_in_the_table() -> None:
    sections = {page for page in listed_pages() if re.fullmatch(r"\d\d_[a-z]*", page)}
    # An appendix to a section whose number no other text gives.
    assert sections - set(pages().sections.values()) == {"01_ddtda"}


def test_the_table_has_every_external_symbol_of_the_standard(index: Index, sbcl: Sbcl) -> None:
    exported = {
        match.name
        for match in index.apropos("", "COMMON-LISP", scope="external").matches  # type: ignore[union-attr]
    }
    assert len(exported) == 978
    assert {name.upper() for name in pages().symbols} == exported
    form = "(let ((n 0)) (do-external-symbols (s :cl n) (incf n)))"
    assert printed_values(sbcl, form) == ["978"]


def test_clhs_answers_every_symbol_of_the_standard_and_describe_links_to_the_same_page(index: Index) -> None:
    exists = listed_pages()
    seen = 0
    for name in pages().symbols:
        for typed in (name, f"cl:{name}"):
            kind, shown, url = links(typed)[0]
            assert (kind, shown) == ("symbol", name.upper())
            page = url.removeprefix("Body/").removesuffix(".htm")
            assert page in exists
        answer = index.describe(f"cl:{name}")
        assert isinstance(answer, DescribeAnswer)
        assert answer.manual == PUBLIC_HYPERSPEC + url
        seen += 1
    assert seen == 978


# clhs


@pytest.mark.parametrize(
    ("term", "found"),
    [
        ("CAR", [("symbol", "CAR", "f_car_c"), ("glossary", "car", "26_glo_c#car")]),
        ("common-lisp:mapcar", [("symbol", "MAPCAR", "f_mapc_")]),
        ("(setf gethash)", [("symbol", "GETHASH", "f_gethas")]),
        ("*print-base*", [("symbol", "*PRINT-BASE*", "v_pr_bas")]),
        ("&key", [("symbol", "&KEY", "03_da")]),
        ("~A", [("directive", "~A", "22_cda")]),
        ("format ~{", [("directive", "~{", "22_cgd")]),
        ("~:@(", [("directive", "~(", "22_cha")]),
        ("~10,'0:d", [("directive", "~D", "22_cbb")]),
        ("~<", [("directive", "~<", "22_ceb"), ("directive", "~<", "22_cfb")]),
        ("~/pprint-fill/", [("directive", "~/", "22_ced")]),
        ("~newline", [("directive", "~newline", "22_cic")]),
        ("~\n", [("directive", "~newline", "22_cic")]),
        ("#'", [("reader", "#'", "02_dhb")]),
        ("#+", [("reader", "#+", "02_dhq")]),
        ("#2a", [("reader", "#A", "02_dhl")]),
        ("#\\a", [("reader", "#\\", "02_dha")]),
        ("#'car", [("symbol", "CAR", "f_car_c"), ("reader", "#'", "02_dhb")]),
        ("`", [("reader", "`", "02_df")]),
        ("'", [("reader", "'", "02_dc")]),
        ("3.1.2", [("section", "3.1.2", "03_ab")]),
        ("section 3.1.2.1.2.4", [("section", "3.1.2.1.2.4", "03_ababd")]),
        ("3.8", [("section", "3.8", "c_evalua")]),
        ("22", [("section", "22", "22_")]),
        ("association list", [("glossary", "association list", "26_glo_a#association_list")]),
        ("Lisp  Reader", [("glossary", "Lisp reader", "26_glo_l#lisp_reader")]),
        ("debug I/O", [("glossary", "debug I/O", "26_glo_d#debug_iSLo")]),
    ],
)
def test_a_term_is_found_as_people_type_it(term: str, found: list[tuple[str, str, str]]) -> None:
    assert links(term) == [(kind, name, page_address(page)) for kind, name, page in found]


@pytest.mark.parametrize(
    ("term", "meant"),
    [
        ("mapcra", "mapcar"),
        ("cl:mapcra", "mapcar"),
        ("asociation list", "association list"),
        ("3.1.2.9", "3.1.2"),
        ("sb-ext:run-progam", "sb-ext:run-program"),
    ],
)
def test_a_misspelt_term_is_answered_with_the_nearest(term: str, meant: str) -> None:
    answer = find_term(term)
    assert isinstance(answer, NotFound)
    assert answer.error == "term-not-found"
    assert answer.suggestions[0] == meant
    assert isinstance(find_term(meant), StandardAnswer)


@pytest.mark.parametrize(
    "term", ["alexandria:flatten", "~", "#", "", " ", "((", "a:b:c", "\0", "x~" * 999, "9" * 999]
)
def test_anything_has_an_answer(term: str) -> None:
    answer = find_term(term)
    assert isinstance(answer, NotFound) == (term != "#")


def test_the_command_needs_no_index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OBLIST_INDEX", str(tmp_path / "none.db"))
    run = run_main("clhs", "format", "~{")
    assert (run.code, run.output) == (0, f"~{{ [directive]  {PUBLIC_HYPERSPEC}Body/22_cgd.htm\n")
    run = run_main("clhs", "mapcra", "--json")
    assert (run.code, json.loads(run.output)["suggestions"][0]) == (1, "mapcar")


def test_the_tool_answers_as_the_command_does(bare_index: Path) -> None:
    with executing(bare_index) as executor:
        result = called(executor, "clhs", term="association list")
        assert result.success
        assert result.content + "\n" == run_main("clhs", "association", "list").output
        assert result.structured["links"][0]["kind"] == "glossary"
        assert "Did you mean: mapcar" in called(executor, "clhs", term="mapcra").content
        described = called(executor, "describe_symbol", name="car").structured
        assert described["manual"] == f"{PUBLIC_HYPERSPEC}Body/f_car_c.htm"


def test_people_see_the_links_below_a_description_and_programs_the_text_of_the_contract(
    bare_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("describe", "{}", "--no-live", "--index", str(bare_index))
    lines = {"car": f"Manual: {PUBLIC_HYPERSPEC}Body/f_car_c.htm"}
    lines["sb-ext:gc"] = f"Manual: {PUBLIC_MANUAL}#index-gc"
    for name, line in lines.items():
        asked = [part.format(name) for part in arguments]
        piped = run_main(*asked).output
        with monkeypatch.context() as patch:
            patch.setattr(printing, "on_terminal", lambda: True)
            shown = run_main(*asked).output
        assert f"\n  {line}\n" in shown
        full = run_main(*asked, "--full").output
        assert full.startswith(piped)
        assert full.endswith(f"  {line}\n")


# Copies


def test_a_copy_of_the_hyperspec_is_linked_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, bare_index: Path
) -> None:
    folder = tmp_path / "Hyper Spec"
    (folder / "Body").mkdir(parents=True)
    own = f"{folder.as_uri()}/Body/f_car_c.htm"
    for given in (folder, folder / "Body"):
        assert own in run_main("clhs", "cl:car", "--hyperspec", str(given)).output
        monkeypatch.setenv(HYPERSPEC_VARIABLE, str(given))
        shown = run_main("describe", "car", "--json", "--index", str(bare_index)).output
        assert json.loads(shown)["manual"] == own
    monkeypatch.setenv(HYPERSPEC_VARIABLE, "https://clhs.example/Root")
    assert links("cl:car")[0][2] == "https://clhs.example/Root/Body/f_car_c.htm"


def test_a_folder_without_pages_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(HYPERSPEC_VARIABLE, str(tmp_path))
    run = run_main("clhs", "cl:car")
    assert run.output.splitlines() == [
        f"CAR [symbol]  {PUBLIC_HYPERSPEC}Body/f_car_c.htm",
        f"Note: {tmp_path} has no folder Body, so the links are to the public HyperSpec.",
    ]


# SBCL's manual


def test_what_the_manual_describes_is_linked_to(index: Index) -> None:
    assert links("run-program") == [
        ("manual", "SB-EXT:RUN-PROGRAM", f"{PUBLIC_MANUAL}#index-run_002dprogram")
    ]
    answer = index.describe("sb-ext:run-program")
    assert isinstance(answer, DescribeAnswer)
    assert answer.manual == f"{PUBLIC_MANUAL}#index-run_002dprogram"
    in_both = [
        (package, name)
        for package, name in listed_anchors()
        if isinstance(found := index.describe(f"{package}:|{name.upper()}|"), DescribeAnswer) and found.manual
    ]
    assert len(listed_anchors()) > 400 and len(in_both) > 250


def test_a_copy_of_the_manual_has_an_index_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    manual = tmp_path / "sbcl.html"
    manual.write_text(
        '<dt id="index-gc-7"><span class="category">Function: </span><span><strong>gc</strong> '
        "<em>[sb-ext] &amp;key full</em></span></dt>\n"
        '<dt class="deffn" id="index-new_002dthing"><span class="category-def">Function: </span><span>'
        '<strong class="def-name">new-&gt;thing</strong> <code class="def-code-arguments">[sb-ext]</code>\n'
    )
    monkeypatch.setenv(MANUAL_VARIABLE, str(manual))
    assert links("sb-ext:gc")[0][2] == f"{manual.as_uri()}#index-gc-7"
    assert links("sb-ext:new->thing")[0][2] == f"{manual.as_uri()}#index-new_002dthing"
    assert links("sb-ext:run-program")[0][2] == f"{PUBLIC_MANUAL}#index-run_002dprogram"
    monkeypatch.setenv(MANUAL_VARIABLE, "https://manual.example/")
    assert links("sb-ext:run-program")[0][2] == "https://manual.example/#index-run_002dprogram"


@pytest.mark.skipif(not DEBIAN_MANUAL.is_file(), reason="sbcl-doc is not there, or without its files")
def test_the_listed_anchors_are_those_of_debians_manual() -> None:
    there = anchors_in(DEBIAN_MANUAL)
    assert len(there) > 400
    assert {name: there.get(name) for name in listed_anchors()} == listed_anchors()
