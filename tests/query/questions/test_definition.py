"""definition: the text of definitions, from the index alone."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.questions.definition.passages import source_text
from oblist.query.questions.definition.text import definition_text
from oblist.query.syntax.lexemes import lexemes
from support.definition_questions import asked, form, places, texts
from support.shelf import line_of

# The texts


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page", "(defun page (book number) (list book number))"),
        ("(setf page)", form("(defun (setf page)", "(list value book number))")),
        ("*shelf*", '(defvar *shelf* \'() "Where the books are — all of them.")'),
        ("+pages+", "(defconstant +pages+ 42)"),
        ("page-number", "(deftype page-number () '(integer 1 1000))"),
        ("book", form("(defclass book", "+pages+)))")),
        ("spine", "(defstruct spine colour)"),
        ("torn-page", "(define-condition torn-page (error) ((page :reader torn-page-page)))"),
        ("with-book", form("(defmacro with-book", ",@body))")),
        ("hammer", "(define-tool hammer)"),
        ("*hammer*", "(define-tool hammer)"),
        ("|odd, Name|", "(defun |odd, Name| () #\\( #| ( |# :key)"),
    ],
)
def test_a_definition_is_shown_as_it_stands_in_the_file(index: Index, name: str, text: str) -> None:
    assert text in texts(asked(index, name))


def test_all_definitions_of_a_name_are_shown_methods_included(index: Index) -> None:
    answer = asked(index, "read-aloud")
    kinds = Counter(place.kind for place in answer.definitions)
    assert kinds == {"generic-function": 1, "method": 3}
    assert answer.total == 4
    whole = "\n".join(texts(answer))
    for begin in ("(defmethod read-aloud ((book book)", "(defmethod read-aloud :after", "(book (eql :none))"):
        assert begin in whole
    assert form("(defmethod read-aloud ((book book)", "(title book)))") in whole  # beyond the BMP, too


def test_a_setf_name_shows_its_setf_definitions_only(index: Index) -> None:
    assert asked(index, "(setf page)").total == 1
    assert asked(index, "page").total == 2


def test_lines_that_end_as_on_windows_are_shown_without_carriage_returns(index: Index) -> None:
    assert texts(asked(index, "windows")) == ["(defun windows (x)\n  (page x 1)\n  x)"]


def test_a_comment_line_has_kind_system_version_and_place(index: Index) -> None:
    first = asked(index, "page").text.split("\n")[0]
    assert first == f";;; function, shelf 1.2.3, shelf.lisp:{line_of('(defun page ')}"


def test_a_definition_of_sbcl_has_its_version_and_its_path_below_the_sources(bare_index: Path) -> None:
    with open_index(bare_index) as index:
        first = asked(index, "mapcar", "CL").text.split("\n")[0]
        version = index.sbcl
    assert re.fullmatch(rf";;; function, sbcl {re.escape(version)}, src/code/list\.lisp:\d+", first)


def test_definitions_that_share_a_form_show_it_once(index: Index) -> None:
    answer = asked(index, "title")
    shared = [place for place in answer.definitions if place.from_source]
    kinds = ["generic-function", "generic-function", "method", "method"]
    assert sorted(place.kind for place in shared) == kinds
    assert len({place.text_offset for place in shared}) == 1
    assert answer.text.count("(title :accessor title :initarg :title)") == 1
    assert len([line for line in answer.text.split("\n") if line.startswith(";;; method")]) == 2


def test_without_its_source_a_definition_has_the_indexed_text(
    shelf: tuple[Path, Path], index: Index, tmp_path: Path
) -> None:
    text = asked(index, "page").text
    for content in (None, "(changed)"):
        if content is not None:
            (tmp_path / "shelf.lisp").write_text(content)
        with open_index(shelf[0], roots={"shelf": tmp_path}) as elsewhere:
            answer = asked(elsewhere, "page")
            assert answer.definitions[0].path == str(tmp_path / "shelf.lisp")
            # What is gone from the file has no line there.
            assert answer.text == (text if content is None else re.sub(r"(shelf\.lisp):\d+", r"\1", text))


# Packages


def test_package_details_are_the_symbols_that_the_text_names_by_home_package(index: Index) -> None:
    packages = asked(index, "binder", package_details=True).packages
    assert packages == {"COMMON-LISP": ["DEFUN", "LET", "LIST", "SETF"], "SHELF": ["*SHELF*", "BINDER"]}
    packages = asked(index, "|odd, Name|", package_details=True).packages
    assert packages == {"COMMON-LISP": ["DEFUN"], "KEYWORD": ["KEY"], "SHELF": ["odd, Name"]}


def test_package_details_are_resolved_in_the_package_the_form_was_read_in(bare_index: Path) -> None:
    with open_index(
        bare_index
    ) as index:  # read in SB-IMPL, where more symbols are accessible than in COMMON-LISP
        packages = asked(index, "mapcar", "CL", package_details=True).packages
    assert packages is not None
    assert any(package.startswith("SB-") for package in packages)
    assert "MAPCAR" in packages["COMMON-LISP"]
    assert all(names == sorted(names) for names in packages.values())


def test_package_details_have_a_section_of_their_own(index: Index) -> None:
    text = definition_text(asked(index, "page", package_details=True), "page")
    _, section = text.split("\n\n## Packages\n\n")
    shown = re.fullmatch(r"```json\n(.*)\n```", section, re.DOTALL)
    assert shown
    assert json.loads(shown[1])["SHELF"] == ["BOOK", "PAGE", "VALUE"]  # NUMBER is Lisp's
    assert "## Packages" not in definition_text(asked(index, "page"), "page")


# All definitions


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.full)])
def test_every_text_is_one_balanced_form_of_the_length_that_is_recorded(
    step: int, systems_index: Path
) -> None:
    """Each text begins with a parenthesis, perhaps quoted, or is a slot's name or a component's option."""
    seen: Counter[str] = Counter()
    with open_index(systems_index) as index:
        for name, row in places(index, step):
            text = source_text(index, row)
            assert text is not None, (name, row)
            assert row.place.offset is not None
            assert row.place.end_offset is not None
            assert len(text) == row.place.end_offset - row.place.offset  # none of these files has CRLF
            found = [lexeme.kind for lexeme in lexemes(text)]
            assert found.count("open") == found.count("close"), (name, text)
            begins = next(kind for kind in found if kind != "quote")
            short = len(found) <= 2 or text.startswith(":")
            assert begins == "open" or (begins == "symbol" and short), (name, text)
            seen[begins] += 1
    assert seen["open"] > 20_000 // step
