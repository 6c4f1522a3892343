"""definition: the text of definitions, from the index alone."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest
from command_line import Run, run_main
from shelf import SHELF, SOURCE, build_shelf, line_of

from lisp.sbcl import Sbcl
from query import Index, open_index
from query.answers import DefinitionTextAnswer, NotFound
from query.definition import PlaceRow, source_text
from query.definition_command import split_at_commas
from query.lisp_text import lexemes
from query.placeholder import placeholder
from query.render_definition import definition_text

PLACES = """
SELECT definitions.kind, operator, NULL, qualifiers, specializers, arglist, value, defined_by, file_id,
       recorded, path, start_line, start_column, start_offset, end_offset, end_line, NULL, NULL, NULL, NULL,
       symbols.name
FROM definitions JOIN symbols ON symbols.id = symbol_id JOIN source_files ON source_files.id = file_id
WHERE start_column IS NOT NULL ORDER BY definitions.id
"""


@pytest.fixture(scope="module")
def shelf(sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The index of the system in shelf.py, and the folder of its sources."""
    return build_shelf(sbcl, tmp_path_factory.mktemp("shelf"))


@pytest.fixture(scope="module")
def index(shelf: tuple[Path, Path]) -> Iterator[Index]:
    with open_index(shelf[0]) as opened:
        yield opened


@pytest.fixture(scope="module")
def placeless(shelf: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """The same index, but no place is known exactly."""
    path = tmp_path_factory.mktemp("placeless") / "oblist.db"
    path.write_bytes(shelf[0].read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE definitions SET start_column = NULL")
        connection.commit()
    with open_index(path) as opened:
        yield opened


def asked(index: Index, name: str, package: str = SHELF, **options: object) -> DefinitionTextAnswer:
    answer = index.definition(name, package, **options)  # type: ignore[arg-type]
    assert isinstance(answer, DefinitionTextAnswer), answer
    return answer


def form(begin: str, end: str) -> str:
    """The stretch of the sample from the text ``begin`` to ``end``."""
    start = SOURCE.index(begin)
    return SOURCE[start : SOURCE.index(end, start) + len(end)]


def texts(answer: DefinitionTextAnswer) -> list[str]:
    """The text of each definition, by its place in the whole."""
    return [
        answer.text[place.text_offset : place.text_offset + place.text_length] for place in answer.definitions
    ]


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


def test_a_comment_line_tells_kind_system_version_and_place(index: Index) -> None:
    first = asked(index, "page").text.split("\n")[0]
    assert first == f";;; function, shelf 1.2.3, shelf.lisp:{line_of('(defun page ')}"


def test_a_definition_of_sbcl_has_its_version_and_its_path_below_the_sources(bare_index: Path) -> None:
    with open_index(bare_index) as index:
        first = asked(index, "mapcar", "CL").text.split("\n")[0]
        version = index.facts["sbcl"]
    assert re.fullmatch(rf";;; function, sbcl {re.escape(version)}, src/code/list\.lisp:\d+", first)


def test_definitions_that_share_a_form_show_it_once(index: Index) -> None:
    answer = asked(index, "title")
    shared = [place for place in answer.definitions if place.from_source]
    assert len(shared) == 2
    assert len({place.text_offset for place in shared}) == 1
    assert answer.text.count("(title :accessor title :initarg :title)") == 1
    assert len([line for line in answer.text.split("\n") if line.startswith(";;; method")]) == 2


def test_a_changed_or_missing_source_changes_no_text(shelf: tuple[Path, Path], index: Index) -> None:
    source = shelf[1] / "shelf.lisp"
    before = asked(index, "page")
    away = source.rename(source.with_suffix(".away"))
    try:
        assert asked(index, "page") == before
    finally:
        away.rename(source)


# Placeholders


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
            "(define-method-combination AND (&OPTIONAL (ORDER :MOST-SPECIFIC-FIRST)) <compiled function>)",
        ),
    ],
)
def test_what_has_no_source_text_gets_a_placeholder(placeless: Index, name: str, expected: str) -> None:
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
    rows = placeless.rows(PLACES.replace("WHERE start_column IS NOT NULL", "GROUP BY definitions.kind"))
    kinds = {row[0] for row in placeless.rows("SELECT kind FROM kinds")} - {"package"}
    seen = set()
    for row in rows:
        place = PlaceRow(*row[:-1])
        text = placeholder(place, "NAME")
        assert re.fullmatch(r"\([a-z0-9-]+ (NAME|\((SETF|CAS) NAME\)).*\)", text, re.DOTALL), text
        seen.add(place.kind)
    assert seen >= kinds - {"alien-type"}


# Markdown


def test_the_markdown_has_heading_section_and_fence(index: Index) -> None:
    lines = definition_text(asked(index, "open-book"), "open-book").split("\n")
    assert lines[:4] == ["# SHELF:OPEN-BOOK", "", "## Definition", ""]
    assert lines[4] == "```lisp"
    assert lines[5].startswith(";;; function, ")
    assert lines[6] == "(defun open-book (title)"
    assert lines[-1] == "```"


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("page", "SHELF::PAGE"),
        ("(setf page)", "(SETF SHELF::PAGE)"),
        ("|odd, Name|", "SHELF::|odd, Name|"),
        ("car", "COMMON-LISP:CAR"),
        (":voice", ":VOICE"),
        ("book", "SHELF:BOOK"),
    ],
)
def test_the_heading_is_the_written_form_in_upper_case(index: Index, name: str, heading: str) -> None:
    answer = asked(index, name)
    assert definition_text(answer, name).startswith(f"# {heading}\n")


def test_the_fence_is_longer_than_any_run_of_backticks_in_the_text(index: Index) -> None:
    text = definition_text(asked(index, "fenced"), "fenced")
    assert "`````lisp\n" in text
    assert text.endswith("\n`````")
    assert text.count("`````") == 2


@pytest.mark.parametrize("length", [1, 30, 100])
def test_text_is_cut_at_the_length_and_the_fence_is_closed(index: Index, length: int) -> None:
    whole = asked(index, "open-book")
    answer = asked(index, "open-book", max_length=length)
    assert answer.truncated
    assert answer.text == whole.text[:length]
    assert answer.characters == whole.characters == len(whole.text)
    lines = definition_text(answer, "open-book").split("\n")
    assert lines[-2] == f"... [truncated, showing {length}/{len(whole.text)} characters]"
    assert lines[-1] == "```"


@pytest.mark.parametrize("surplus", [0, 1])
def test_text_that_just_fits_is_not_cut(index: Index, surplus: int) -> None:
    whole = asked(index, "open-book")
    assert asked(index, "open-book", max_length=len(whole.text) + surplus) == whole
    assert not whole.truncated


def test_length_0_shows_all_and_the_default_cuts_at_ten_thousand(index: Index) -> None:
    whole = asked(index, "cl:print-object", max_length=0)
    cut = asked(index, "cl:print-object")
    assert len(whole.text) == whole.characters > 10_000 == len(cut.text)
    assert len(cut.definitions) < len(whole.definitions) == whole.total == cut.total


# Packages


def test_package_details_are_the_symbols_that_the_text_names_by_home_package(index: Index) -> None:
    packages = asked(index, "binder", package_details=True).packages
    assert packages == {"COMMON-LISP": ["DEFUN", "LET", "LIST", "SETF"], "SHELF": ["*SHELF*", "BINDER"]}
    packages = asked(index, "|odd, Name|", package_details=True).packages
    assert packages == {"COMMON-LISP": ["DEFUN"], "KEYWORD": ["KEY"], "SHELF": ["odd, Name"]}


def test_package_details_are_resolved_in_the_package_the_form_was_read_in(bare_index: Path) -> None:
    with open_index(bare_index) as index:  # read in SB-IMPL, which sees more than COMMON-LISP does
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


# The command


def run(shelf: tuple[Path, Path], *arguments: str) -> Run:
    return run_main("definition", *arguments, "--index", str(shelf[0]))


def test_several_names_have_their_answers_in_order(shelf: tuple[Path, Path]) -> None:
    done = run(shelf, "-p", "shelf", "page,book", "spine, |odd, Name|")
    headings = re.findall(r"^# (.*)$", done.output, re.MULTILINE)
    assert headings == ["SHELF::PAGE", "SHELF:BOOK", "SHELF::SPINE", "SHELF::|odd, Name|"]
    assert done.code == 0


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a,b", ["a", "b"]),
        (" a , b,", ["a ", "b"]),
        ("|a,b|", ["|a,b|"]),
        ("a\\,b,c", ["a\\,b", "c"]),
        ("p:|x\\|,y|,z", ["p:|x\\|,y|", "z"]),
        (",", []),
        ("(setf a),b", ["(setf a)", "b"]),
    ],
)
def test_names_are_split_at_commas_but_not_inside_a_name(text: str, names: list[str]) -> None:
    assert split_at_commas(text) == names


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no-such-name", 'Error: Symbol "no-such-name" does not exist'),
        ("FOO:BAR:BAZ", 'Error: Invalid symbol name "FOO:BAR:BAZ"'),
        ("no-such-package:x", 'Error: Symbol "no-such-package:x" does not exist'),
        ("(setf with-book)", 'Error: Symbol "(setf with-book)" does not exist'),
    ],
)
def test_an_error_quotes_the_name_as_typed_below_its_heading(
    shelf: tuple[Path, Path], name: str, message: str
) -> None:
    done = run(shelf, "-p", "shelf", name)
    lines = done.output.split("\n")
    assert lines[:3] == [f"# {name}", "", message]
    assert done.code == 1


def test_a_symbol_that_names_nothing_has_no_definitions(shelf: tuple[Path, Path]) -> None:
    done = run(shelf, "shelf::nothing")
    assert done.output.split("\n")[:3] == ["# SHELF::NOTHING", "", "No definitions found"]
    assert done.code == 1


def test_only_when_all_names_fail_does_the_command(shelf: tuple[Path, Path]) -> None:
    assert run(shelf, "car", "no-such-name", "a:b:c").code == 0
    done = run(shelf, "no-such-name", "a:b:c", "shelf::nothing")
    assert done.code == 1
    assert done.output.count("\n# ") == 2


def test_json_is_a_list_of_the_answers(shelf: tuple[Path, Path], index: Index) -> None:
    done = run(shelf, "-p", "shelf", "page", "no-such-name", "--json", "--package-details")
    answers = [index.definition(name, SHELF, package_details=True) for name in ("page", "no-such-name")]
    assert isinstance(answers[1], NotFound)
    assert json.loads(done.output) == [asdict(answer) for answer in answers]
    assert done.code == 0


def test_a_batch_has_one_json_line_for_each_name(
    shelf: tuple[Path, Path], index: Index, tmp_path: Path
) -> None:
    names = tmp_path / "names"
    names.write_text("page\nno-such-name\n(setf page)\n")
    done = run(shelf, "-p", "shelf", "--batch", str(names), "--max-length", "50")
    answers = [
        index.definition(name, SHELF, max_length=50) for name in ("page", "no-such-name", "(setf page)")
    ]
    assert [json.loads(line) for line in done.output.splitlines()] == [asdict(answer) for answer in answers]
    assert done.code == 1


@pytest.mark.parametrize(
    "arguments", [(), (",",), ("car", "--batch", "/dev/null"), ("car", "--max-length", "-1")]
)
def test_wrong_usage_ends_with_2(shelf: tuple[Path, Path], arguments: tuple[str, ...]) -> None:
    assert run(shelf, *arguments).code == 2


# All definitions


def test_every_text_is_one_balanced_form_of_the_length_that_is_recorded(systems_index: Path) -> None:
    """Texts begin with a parenthesis, or a quote before one, or are the slot names of accessors."""
    seen: Counter[str] = Counter()
    with open_index(systems_index) as index:
        for *row, name in index.rows(PLACES):
            place = PlaceRow(*row)
            text = source_text(index, place)
            assert text is not None, (name, place)
            assert place.offset is not None
            assert place.end_offset is not None
            assert len(text) == place.end_offset - place.offset  # none of these files has CRLF
            found = [lexeme.kind for lexeme in lexemes(text)]
            assert found.count("open") == found.count("close"), (name, text)
            begins = next(kind for kind in found if kind != "quote")
            assert begins == "open" or (begins == "symbol" and len(found) <= 2), (name, text)
            seen[begins] += 1
    assert seen["open"] > 20_000
