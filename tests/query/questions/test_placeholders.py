"""definition: placeholders for definitions without source text."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.questions.definition.placeholder import placeholder
from support.builds.tested_version import since
from support.definition_questions import asked, places, texts
from support.shelf import line_of


@pytest.fixture(scope="module")
def placeless(shelf: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """The same index, without exact places."""
    path = tmp_path_factory.mktemp("placeless") / "oblist.db"
    path.write_bytes(shelf[0].read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE definitions SET start_column = NULL")
        connection.commit()
    with open_index(path) as opened:
        yield opened


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("open-book", "(defun OPEN-BOOK (TITLE) <compiled function>)"),
        ("(setf page)", "(defun (SETF PAGE) (VALUE BOOK NUMBER) <compiled function>)"),
        ("with-book", "(defmacro WITH-BOOK ((NAME) &BODY BODY) <compiled function>)"),
        ("read-aloud", "(defgeneric READ-ALOUD (BOOK &KEY VOICE))"),
        ("read-aloud", "(defmethod READ-ALOUD :AFTER ((BOOK BOOK) &KEY VOICE) <compiled function>)"),
        ("read-aloud", "(defmethod READ-ALOUD ((BOOK (EQL :NONE)) &KEY VOICE) <compiled function>)"),
        ("*shelf*", "(defvar *SHELF* <value not stored>)"),
        ("+pages+", "(defconstant +PAGES+ 42)"),
        ("cl:if", "(special-operator IF (TEST THEN &OPTIONAL ELSE))"),
        (":voice", "(defconstant :VOICE :VOICE)"),
        ("|odd, Name|", "(defun |odd, Name| () <compiled function>)"),
        (
            "cl:and",
            "(define-method-combination AND (&OPTIONAL (ORDER :MOST-SPECIFIC-FIRST)) <compiled function>)"
            if since("2.1.2")
            else "(define-method-combination AND <compiled function>)",
        ),
    ],
)
def test_a_definition_without_source_text_gets_a_placeholder(
    placeless: Index, name: str, expected: str
) -> None:
    answer = asked(placeless, name, max_length=0)
    assert not any(place.from_source for place in answer.definitions)
    assert expected in texts(answer)


@pytest.mark.parametrize("operator", ["defclass BOOK", "defstruct SPINE", "define-condition TORN-PAGE"])
def test_classes_without_source_text_get_a_placeholder(placeless: Index, operator: str) -> None:
    (text,) = texts(asked(placeless, operator.split()[1].lower()))
    assert text.startswith(f"({operator}")
    assert text.endswith(")")


def test_a_placeholder_still_has_the_line_that_is_known(placeless: Index) -> None:
    first = asked(placeless, "page").text.split("\n")[0]
    assert first.endswith(f"shelf.lisp:{line_of('(defun page ')}")


def test_every_kind_has_a_placeholder_that_is_one_balanced_form(placeless: Index) -> None:
    kinds = {row[0] for row in placeless.rows("SELECT kind FROM kinds")} - {"package"}
    seen = set()
    for _, row in places(placeless, exact=False):
        if row.kind in seen:
            continue
        text = placeholder(row, "NAME")
        assert re.fullmatch(r"\([a-z0-9-]+ (NAME|\((SETF|CAS) NAME\)).*\)", text, re.DOTALL), text
        seen.add(row.kind)
    # SBCL has no places of alien types nor, since 2.6, of VOPs.
    assert seen >= kinds - {"alien-type"} - ({"vop"} if since("2.6") else set())
