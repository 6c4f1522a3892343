"""The command xref: its text, its JSON, its exit codes."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from oblist.query import Index
from support.command_line import Run, run_main
from support.shelf import SHELF, line_of


def run(shelf: tuple[Path, Path], *arguments: str) -> Run:
    return run_main("xref", *arguments, "--index", str(shelf[0]))


def test_the_text_is_grouped_by_caller_with_place_and_line(shelf: tuple[Path, Path]) -> None:
    done = run(shelf, "shelf:open-book")
    place = f"  {shelf[1] / 'shelf.lisp'}:{line_of('  (open-book')}"
    line = "  (:export #:open-book #:book #:title #:with-book #:+pages+ #:*shelf* #:read-aloud))"
    exported = f"  {shelf[1] / 'shelf.lisp'}:{line_of(line)}:12  {line.strip()}"
    assert done.output == (
        "3 references to shelf:open-book, 1 caller\n"
        "calls 2, exports 1\n\n"
        "shelf::caller-of-two [function]\n"
        f'{place}:4  (open-book "a") (open-book "b"))\n'
        f'{place}:20  (open-book "a") (open-book "b"))\n\n'
        "toplevel form\n"
        f"{exported}  [exports]\n"
    )
    assert done.code == 0


def test_a_cut_list_says_how_many_more_and_how_to_get_them(shelf: tuple[Path, Path]) -> None:
    done = run(shelf, "shelf:open-book", "--limit", "1")
    assert done.output.endswith("\n... and 2 more: --offset 1\n")
    rest = run(shelf, "shelf:open-book", "--limit", "2", "--offset", "1")
    assert ":20  (open-book" in rest.output
    assert "more" not in rest.output


def test_json_is_the_answer(shelf: tuple[Path, Path], index: Index) -> None:
    done = run(shelf, "-p", "shelf", "page", "--json")
    answer = index.xref("page", SHELF)
    assert json.loads(done.output) == asdict(answer)  # type: ignore[call-overload]
    done = run(shelf, "-p", "shelf", "page", "--json", "--depth", "2")
    answer_tree = index.xref_tree("page", SHELF, depth=2)
    assert json.loads(done.output) == asdict(answer_tree)  # type: ignore[call-overload]


def test_a_batch_has_one_json_line_for_each_name(
    shelf: tuple[Path, Path], index: Index, tmp_path: Path
) -> None:
    names = tmp_path / "names"
    names.write_text("page\nno-such-name\n(setf page)\n")
    done = run(shelf, "-p", "shelf", "--batch", str(names), "--relation", "calls")
    answers = [index.xref(name, SHELF, relation="calls") for name in ("page", "no-such-name", "(setf page)")]
    lines = [json.loads(line) for line in done.output.splitlines()]
    assert lines == [asdict(answer) for answer in answers]  # type: ignore[call-overload]
    assert done.code == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("shelf:open-book",), 0),
        (("shelf::top",), 1),
        (("shelf::no-such-name",), 1),
        (("shelf::page", "--depth", "2"), 0),
        (("shelf::top", "--depth", "2"), 1),
        ((), 2),
        (("car", "--batch", "/dev/null"), 2),
        (("car", "--relation", "eats"), 2),
        (("car", "--depth", "0"), 2),
        (("car", "--depth", "1", "--offset", "1"), 2),
        (("shelf:book", "--relation", "specializes", "--depth", "2"), 2),
    ],
)
def test_exit_codes(shelf: tuple[Path, Path], arguments: tuple[str, ...], code: int) -> None:
    assert run(shelf, *arguments).code == code
