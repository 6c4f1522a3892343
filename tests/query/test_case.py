"""Names are found by the case that the reader reads them in, and written as one types them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol.types import MarkupContent

from oblist.query import Index, open_index
from oblist.query.answers import DescribeAnswer, SearchAnswer, XrefAnswer
from oblist.query.check.findings import SourceFinding
from oblist.query.check.run import Check
from oblist.query.check.settings import Settings
from oblist.query.export.sources import place_of_name
from oblist.query.lsp.requests.hover import hover
from oblist.query.lsp.requests.pointed import Global, pointed
from oblist.query.lsp.requests.references import references
from oblist.query.lsp.requests.structure import document_symbols
from oblist.query.lsp.session import Session
from support.cased import AROUND, FILES, HIDING, INVERTED, SOURCE, cased_and_sources
from support.command_line import run_main
from support.shelf import line_of


@pytest.fixture(scope="module")
def folder() -> Path:
    return cased_and_sources()[1]


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with open_index(cased_and_sources()[0]) as opened:
        yield opened


def checked(index: Path, folder: Path) -> list[SourceFinding]:
    """The faults in the files of a folder."""
    found = Check(index, Settings(folder), 1, lambda *_: None).run([str(folder)]).findings
    return [one for one in found if one.severity != "info"]


def test_answers_write_names_as_one_types_them(index: Index) -> None:
    for typed in ("größe:ünï", "größe:straße", "größe::größter", "größe::wide"):
        answer = index.describe(typed)
        assert isinstance(answer, DescribeAnswer)
        assert answer.written == typed
    there = index.seen_from("größe")
    seen = there.describe("größe:ÜNÏ")
    methods = there.xref("GRÖßE::straße")
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
    found = checked(index, tmp_path)
    assert [one.message for one in found] == [
        "größe: takes no keyword :unï, only :ünï; its lambda list is (&key ünï)",
        "the class straße has no initarg :lange",
        "wide: 1 argument given, none expected; its lambda list is ()",
        "there is no function or macro größtes",
    ]
    assert found[-1].suggestions == ("größter", "größe")


# The places in the text that name a symbol: file, and what precedes it on its line.
USES = {
    "mixed:|fooBar|": [
        ("inverted", "(defun FOO (x) (upper-before ("),
        ("inverted", "(export '("),
        ("inverted", "(DEFUN UPPER-AGAIN () (LIST ("),
        ("around", "(defun usesThem () (list ("),
        ("preserved", "(DEFUN keepCase (X) (LIST ("),
        ("downcased", "(|DEFUN| LOWERED (x) (|LIST| x (FOO x) ("),
    ],
    "mixed::|foo|": [
        ("inverted", "(defvar *someVar* ("),
        ("around", "(defun usesThem () (list (fooBar 1) ("),
        ("preserved", "(DEFUN keepCase (X) (LIST (fooBar X) ("),
        ("downcased", "(|DEFUN| LOWERED (x) (|LIST| x ("),
    ],
    "mixed::upper-before": [("inverted", "(defun FOO (x) (")],
    "mixed::|oneSlot|": [
        ("inverted", "(defclass someClass () (("),
        ("inverted", "(defmethod oneOf ((object someClass) otherArg) (list *someVar* ("),
    ],
    "mixed::|*someVar*|": [
        ("inverted", "(defmethod oneOf ((object someClass) otherArg) (list "),
        ("around", AROUND.split("\n")[2].partition("*someVar*")[0]),
    ],
}


@pytest.mark.parametrize("name", USES)
def test_uses_in_files_that_are_read_in_another_case_are_found(index: Index, name: str) -> None:
    answer = index.xref(name)
    assert isinstance(answer, XrefAnswer)
    found = {(Path(one.path or "").stem, one.line, one.column) for one in answer.references}
    expected = {(file, line_of(before, FILES[file]), len(before) + 1) for file, before in USES[name]}
    assert found == expected


def test_a_macro_of_the_name_in_package_changes_nothing(index: Index, folder: Path) -> None:
    answer = index.xref("hiding::hidden")
    assert isinstance(answer, XrefAnswer)
    assert [(one.caller, one.line) for one in answer.references] == [
        ("mixed::shown", line_of("(defun shown", HIDING))
    ]
    session = Session(cased_and_sources()[0])
    path = folder / "hiding.lisp"
    session.open(path.as_uri(), HIDING, 1)
    asked = session.asked(path.as_uri())
    packages = [
        asked.document.package_of(asked.reader, chunk) for chunk in asked.document.chunks(asked.reader)
    ]
    session.close()
    assert packages == ["COMMON-LISP-USER", "COMMON-LISP-USER", *["HIDING"] * 4, "MIXED"]


def test_definitions_in_files_that_are_read_in_another_case_have_their_places(index: Index) -> None:
    for name, file, text in [
        ("mixed::|foo|", "inverted", "(defun FOO"),
        ("mixed::|oneOf|", "inverted", "(defmethod oneOf"),
        ("mixed::|usesThem|", "around", "(defun usesThem"),
        ("mixed::|keepCase|", "preserved", "(DEFUN keepCase"),
        ("mixed::|lowered|", "downcased", "(|DEFUN| LOWERED"),
        ("mixed::upper-again", "inverted", "(DEFUN UPPER-AGAIN"),
    ]:
        answer = index.describe(name)
        assert isinstance(answer, DescribeAnswer)
        line = line_of(text, FILES[file])
        assert (file, line) in {(Path(one.path or "").stem, one.line) for one in answer.definitions}


def test_check_reports_nothing_false_in_files_that_are_read_in_another_case(
    folder: Path, tmp_path: Path
) -> None:
    index, _ = cased_and_sources()
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    # Upcased, it would define FOO a second time.
    text = INVERTED.replace("(defvar *someVar*", "(defun foo (a b) (list a b))\n(defvar *someVar*")
    assert text != INVERTED
    (tmp_path / "inverted.lisp").write_text(text, encoding="utf-8")
    assert checked(index, tmp_path) == []


def test_check_reads_on_in_the_standard_case(tmp_path: Path) -> None:
    index, _ = cased_and_sources()
    text = INVERTED.replace("(PLAIN 2)", "(PLAIN 2 3)").replace("(plain fooArg)", "(plain fooArg 3)")
    new = """
(setf (readtable-case *readtable*) :invert)
(defun newOne (&key newKey) newKey)
(defun FOO2 () (newOne :newKey 1))
"""
    (tmp_path / "inverted.lisp").write_text(text, encoding="utf-8")
    (tmp_path / "new.lisp").write_text("(in-package :mixed)\n" + new, encoding="utf-8")
    caller = "(in-package :mixed)\n(list (|newOne| :|newKey| 1) (|newOne| :new-key 2))\n"
    (tmp_path / "caller.lisp").write_text(caller, encoding="utf-8")
    found = checked(index, tmp_path)
    assert [(Path(one.path).name, one.message) for one in found] == [
        (
            "caller.lisp",
            "|newOne|: takes no keyword :new-key, only :|newKey|; its lambda list is (&key |newKey|)",
        ),
        ("inverted.lisp", "plain: 2 arguments given, 1 expected; its lambda list is (x)"),
    ]


def test_the_language_server_reads_a_document_in_its_case(folder: Path) -> None:
    session = Session(cased_and_sources()[0])
    path = folder / "inverted.lisp"
    text = INVERTED.replace("(defvar *someVar*", "(defun newOne () (FOO (fooBar 1)))\n(defvar *someVar*")
    session.open(path.as_uri(), INVERTED, 1)
    asked = session.asked(path.as_uri())
    asked.document.set_text(text)
    at = pointed(asked, text.index("(fooBar 1)))") + 1)
    assert isinstance(at, Global)
    assert at.symbol.name == "fooBar"
    lines = [one.line for one in references(asked, at, with_definitions=False) if one.uri == path.as_uri()]
    assert line_of("(defun newOne", text) - 1 in lines
    new = pointed(asked, text.index("newOne"))
    assert isinstance(new, Global)
    assert new.symbol.name == "newOne"
    outline = {one.name for one in document_symbols(asked.document, asked.reader)}
    session.close()
    assert {"fooBar", "FOO", "newOne", "someClass", "UPPER-AGAIN"} <= outline
