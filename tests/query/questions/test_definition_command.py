"""definition: the Markdown, and the command."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from oblist.query import Index
from oblist.query.answers import NotFound
from oblist.query.questions.definition.names import split_at_commas
from oblist.query.questions.definition.text import definition_text
from support.command_line import Run, run_main
from support.definition_questions import asked
from support.shelf import SHELF

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
