"""The comments with which Lisp files say what the server must answer, and how faults in them are told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.markers.notation import Finding, MarkedFile, MarkerError
from support.markers.requests import ABOUT_PLACES
from support.markers.situations import marked_files, situations

LINE = "(defun area (shape) (* shape shape))"


def marked(folder: Path, *lines: str) -> MarkedFile:
    path = folder / "some.lisp"
    path.write_text("\n".join([LINE, *lines, ""]), encoding="utf-8")
    return MarkedFile(path, ABOUT_PLACES)


@pytest.mark.parametrize("situation", situations(), ids=lambda one: one.name)
def test_every_situation_expects_something(situation: Path) -> None:
    """Of its files, those that expect nothing are there for the others."""
    assert sum(file.expectations for file in marked_files(situation)) > 0


def test_every_request_is_made_somewhere() -> None:
    files = [file for situation in situations() for file in marked_files(situation)]
    assert {question.request for file in files for question in file.questions} == set(ABOUT_PLACES)


@pytest.mark.parametrize(
    ("marker", "why"),
    [
        (";@     ^ hoover: x", "there is no request 'hoover', only callees, callers,"),
        (";@     ^ hover", "not a marker: ;@     ^ hover"),
        (";@     ^^ hover: x", "not a marker"),
        (";@ was (defun area ())", "not a marker"),
        (";@" + " " * 40 + "^ hover: x", "the caret is below nothing"),
        (';@ "width" hover: x', "'width' must be in the line above once, and is there 0 times"),
        (';@ "shape" hover: x', "'shape' must be in the line above once, and is there 3 times"),
        (";@ hover: x", "hover is about a place: put a caret or quoted text before it"),
        (";@     ^ outline: x", "outline is about the file, not a place"),
        ("(list)\n;= (list)", "an answer (;=) without a question (;@)"),
    ],
)
def test_a_marker_that_is_not_understood_is_refused(tmp_path: Path, marker: str, why: str) -> None:
    number = 2 + marker.count("\n")
    with pytest.raises(MarkerError, match=re.escape(f"{tmp_path / 'some.lisp'}:{number}: {why}")):
        marked(tmp_path, *marker.split("\n"))


def test_a_question_is_about_the_line_above_it(tmp_path: Path) -> None:
    file = marked(tmp_path, ";@     ^ hover:", ';@ "(* " uses: one', ";=   two", "(area 1)", ";@ outline:")
    assert [(one.request, one.line, one.column) for one in file.questions] == [
        ("hover", 0, 7),
        ("uses", 0, LINE.index("(* ")),
        ("outline", 1, None),
    ]
    assert file.present == file.indexed == f"{LINE}\n(area 1)\n"


def test_what_was_otherwise_is_indexed_and_not_open(tmp_path: Path) -> None:
    lines = ("new", ";@ was:", "now", ";@ was: then", "both", ";@ was:", ";=     two", ";=   lines")
    file = marked(tmp_path, *lines)
    assert file.present == f"{LINE}\nnew\nnow\nboth\n"
    assert file.indexed == f"{LINE}\nthen\n  two\nlines\n"
    assert file.told({}, []) == file.marked


def test_lines_end_as_the_file_says(tmp_path: Path) -> None:
    assert marked(tmp_path, ";@ CRLF", "(area 1)").present == f"{LINE}\r\n(area 1)\r\n"


def test_a_long_answer_stands_below_its_question(tmp_path: Path) -> None:
    file = marked(tmp_path, ";@     ^ hover: before", ";=   and more")
    asked = ";@     ^ hover:"
    for answer, told in (
        (["short"], [f"{asked} short"]),
        (["one", "two"], [asked, ";=   one", ";=   two"]),
        (["a" * 60 + " | " + "b" * 60], [asked, f";=   {'a' * 60}", f";=   {'b' * 60}"]),
    ):
        assert file.told({2: answer}, []).split("\n") == [LINE, *told, ""]


def test_what_the_server_finds_is_shown_below_its_place(tmp_path: Path) -> None:
    file = marked(tmp_path, ";@ ^ error[old]: this goes", "(area)", ";@ outline:")
    findings = [Finding(0, 7, 4, "error[one]: x"), Finding(1, 1, 4, "warning[two]: y")]
    lines = [LINE, ";@     ^^^^ error[one]: x", "(area)", ';@ "area" warning[two]: y', ";@ outline:", ""]
    assert file.told({}, findings).split("\n") == lines
