"""Names outside ASCII are found, and written in lower case where the reader folds that back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol.types import MarkupContent

from oblist.query import Index, open_index
from oblist.query.answers import DescribeAnswer, SearchAnswer, XrefAnswer
from oblist.query.check.run import Check
from oblist.query.check.settings import Settings
from oblist.query.export.sources import place_of_name
from oblist.query.lsp.requests.hover import hover
from oblist.query.lsp.requests.pointed import Global, pointed
from oblist.query.lsp.requests.references import references
from oblist.query.lsp.session import Session
from support.cased import SOURCE, cased_and_sources
from support.command_line import run_main
from support.shelf import line_of


@pytest.fixture(scope="module")
def folder() -> Path:
    return cased_and_sources()[1]


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with open_index(cased_and_sources()[0]) as opened:
        yield opened


def test_answers_write_names_as_one_types_them(index: Index) -> None:
    for typed in ("größe:ünï", "größe:straße", "größe::größter", "größe::wide"):
        answer = index.describe(typed)
        assert isinstance(answer, DescribeAnswer)
        assert answer.written == typed
    index.see_from("größe")
    try:
        seen = index.describe("größe:ÜNÏ")
        methods = index.xref("GRÖßE::straße")
    finally:
        index.see_from(None)
    assert isinstance(seen, DescribeAnswer)
    assert seen.written == "ünï"
    assert isinstance(methods, XrefAnswer)
    assert "(method größter (straße t))" in {one.caller for one in methods.references}


def test_a_signature_is_written_so_too(index: Index) -> None:
    found = index.search("ünï :: _ -> _")
    assert isinstance(found, SearchAnswer)
    (signature,) = [one.signature for one in found.matches if one.written == "größe:ünï"]
    assert signature == "(größe)"


def test_wide_letters_name_what_the_reader_reads(index: Index) -> None:
    answer = index.xref("größe::wide")
    assert isinstance(answer, XrefAnswer)
    line = SOURCE.split("\n")[line_of("(defun caller", SOURCE) - 1]
    columns = {one.column for one in answer.references if one.line == line_of("(defun caller", SOURCE)}
    assert columns == {line.index("(wide") + 2, line.index("(ｗｉｄｅ") + 2}


def test_tags_have_the_names_as_one_types_them(folder: Path, tmp_path: Path) -> None:
    index, _ = cased_and_sources()
    tags = tmp_path / "tags"
    assert run_main("export", "ctags", "--index", str(index), "-o", str(tags)).code == 0
    names = {line.split("\t")[0] for line in tags.read_text(encoding="utf-8").splitlines()}
    assert {"ünï", "größe:ünï", "straße", "größe:straße", "länge", "größter", "wide"} <= names
    table = tmp_path / "TAGS"
    assert run_main("export", "etags", "--index", str(index), "-o", str(table)).code == 0
    assert "(defun ünï\x7fünï\x01" in table.read_text(encoding="utf-8")


def test_a_name_is_found_in_its_line(index: Index) -> None:
    assert place_of_name(index, "İİ (DEFUN GRÖßE ()", "größe") == (10, 15)
    assert place_of_name(index, "İİ (defun (SETF ÜNÏ) ()", "(setf ünï)") == (10, 20)


def test_the_language_server_finds_names_in_a_document_that_is_not_saved(folder: Path) -> None:
    session = Session(cased_and_sources()[0])
    path = folder / "cased.lisp"
    text = f"{SOURCE}(defun neu-ß (straße) (ÜNÏ straße) (ｗｉｄｅ))\n(neu-ß 1)\n"
    session.open(path.as_uri(), text, 1)
    asked = session.asked(path.as_uri())
    line = text[: text.index("(ÜNÏ")].count("\n")
    at = pointed(asked, text.index("ÜNÏ"))
    assert isinstance(at, Global)
    assert line in {one.line for one in references(asked, at, with_definitions=False)}
    new = pointed(asked, text.rindex("neu-ß"))
    assert isinstance(new, Global)
    shown = hover(asked, new)
    session.close()
    assert shown is not None
    assert isinstance(shown.contents, MarkupContent)
    assert "`neu-ß` is defined in an open document" in shown.contents.value


def test_check_writes_names_as_one_types_them(tmp_path: Path) -> None:
    index, _ = cased_and_sources()
    text = """(in-package :größe)
(list (größe :unï 1) (make-instance 'straße :Lange 1) (wide 'ÜNÏ) (ｗｉｄｅ) (größtes 1))
"""
    (tmp_path / "new.lisp").write_text(text, encoding="utf-8")
    found = Check(index, Settings(tmp_path), 1, lambda *_: None).run([str(tmp_path)]).findings
    assert [one.message for one in found] == [
        "größe: takes no keyword :unï, only :ünï; its lambda list is (&key ünï)",
        "the class straße has no initarg :lange",
        "wide: 1 argument given, none expected; its lambda list is ()",
        "there is no function or macro größtes",
    ]
    assert found[-1].suggestions == ("größter", "größe")
