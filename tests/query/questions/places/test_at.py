"""What stands at a place in a source: the names, the definition around it, and what its form uses."""

from __future__ import annotations

import json
import random
import re
import shutil
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import AtAnswer, NameAt, NotFound
from oblist.query.api import Index
from oblist.query.index.reading import Reading
from support.builds.systems import LIBRARIES
from support.builds.tested_version import since
from support.command_line import run_main
from support.corpus import stored_text
from support.live import read_lines, run_script, write_lines
from support.shelf import line_of

SEED = 1956
# Uses by the code of definitions, where the text names the symbol.
_USES = """
SELECT source_files.path, used.line, used.start_column, symbols.name, packages.name, relations.relation,
       text_relations.relation
FROM symbol_references AS used
JOIN callers ON callers.id = used.caller_id JOIN definitions ON definitions.id = callers.definition_id
JOIN source_files ON source_files.id = callers.file_id
JOIN symbols ON symbols.id = used.callee_id JOIN packages ON packages.id = symbols.package_id
JOIN relations ON relations.id = used.relation_id
LEFT JOIN relations AS text_relations ON text_relations.id = used.text_relation_id
WHERE used.start_column IS NOT NULL AND used.form_number IS NOT NULL AND used.expansion_id IS NULL
  AND definitions.start_column IS NOT NULL AND used.id % :every = 0 ORDER BY used.id
"""
_FUNCTIONS = """
SELECT source_files.id, source_files.path, start_line, start_column, start_offset, end_offset FROM definitions
JOIN source_files ON source_files.id = definitions.file_id JOIN systems ON systems.id = source_files.system_id
WHERE kind = 'function' AND defined_by = 'defun' AND end_offset IS NOT NULL
  AND systems.name IN (SELECT value FROM json_each(:systems)) ORDER BY definitions.id
"""
# What the compiler has done before it records a call.
_COMPILED_AWAY = frozenset(("COMMON-LISP BYTE", "COMMON-LISP TYPEP"))


def at(index: Index, place: str, *, calls: bool = False) -> AtAnswer:
    answer = index.at(place, calls=calls)
    assert isinstance(answer, AtAnswer), answer
    return answer


def name_at(answer: AtAnswer, column: int) -> NameAt:
    (found,) = [one for one in answer.names if one.column == column]
    return found


# SBCL 2.6 records few of the uses in its own code.
_EVERY = (97, 7) if since("2.6") else (997, 97)


@pytest.mark.parametrize(
    ("number", "every"), [(150, _EVERY[0]), pytest.param(3000, _EVERY[1], marks=pytest.mark.full)]
)
def test_a_use_that_sbcl_recorded_is_at_its_place(libraries_index: Path, number: int, every: int) -> None:
    with Reading(libraries_index) as reading:
        rows = reading.rows(_USES, every=every)
    drawn = random.Random(SEED).sample(rows, min(number, len(rows)))
    assert len(drawn) > 100
    wrong = []
    with open_index(libraries_index) as index:
        for path, line, column, name, package, relation, text_relation in drawn:
            answer = at(index, f"{index.local_path(path)}:{line}:{column}")
            relations = {relation, text_relation}
            named = [one for one in answer.names if one.column == column]
            used = [one for one in answer.uses if (one.use_line, one.use_column) == (line, column)]
            # A place may be read and set at once: the name on the line then has one of the two relations.
            told = relations | {"names"} | {one.relation for one in used}
            bare = name.lower()
            if not (
                len(named) == 1
                and named[0].package == package
                and bare in (named[0].written or "").lower()
                and named[0].relation in told
                and any(one.relation in relations and bare in one.written.lower() for one in used)
            ):
                wrong.append((path, line, column, name, relation, named, used))
    assert wrong == []


def test_names_are_those_that_sbcl_reads_there(bare_index: Path, sbcl: Sbcl, tmp_path: Path) -> None:
    chosen = random.Random(SEED)
    questions = []
    with open_index(bare_index) as index:
        files = [row[0] for row in index.rows("SELECT path FROM source_files WHERE path LIKE '%.lisp'")]
        while len(questions) < 1000:
            path = Path(index.local_path(chosen.choice(files)) or "")
            if not path.is_file():
                continue
            line = chosen.randint(1, path.read_text("utf-8", "replace").count("\n") + 1)
            answer = index.at(f"{path}:{line}")
            if isinstance(answer, NotFound):
                assert answer.error in ("no-text", "line-not-found")
                continue
            questions += [
                (answer.package, one.text, one.written)
                for one in answer.names
                if one.written is not None and not re.search('sb-(?:xc|cold):|^["#]', one.text, re.IGNORECASE)
            ]
    asked, answers = tmp_path / "questions", tmp_path / "answers"
    write_lines(asked, questions)
    run_script(sbcl, "at/read_names.lisp", questions=asked, answers=answers)
    told = [(*one, said) for one, (said,) in zip(questions, read_lines(answers), strict=True)]
    assert [one for one in told if one[-1] != "same"] == []


@pytest.mark.parametrize("number", [30, pytest.param(200, marks=pytest.mark.full)])
def test_what_a_form_calls_is_what_it_expands_to(
    libraries_index: Path, sbcl: Sbcl, tmp_path: Path, number: int
) -> None:
    questions, told = [], []
    with open_index(libraries_index) as index:
        systems = tuple(LIBRARIES)
        rows = index.rows(_FUNCTIONS, systems=json.dumps(systems))
        for file, path, line, column, start, end in random.Random(SEED).sample(rows, number):
            # With what it names: a function that is passed on may be called.
            answer = at(index, f"{index.local_path(path)}:{line}:{column}")
            text = stored_text(index.connection, file)[start:end]
            questions.append((answer.package, text))
            told.append({one.written.rstrip(")").rpartition(":")[2].split()[-1] for one in answer.uses})
    asked, answers = tmp_path / "questions", tmp_path / "answers"
    write_lines(asked, questions)
    run_script(sbcl, "at/expanded_calls.lisp", systems=systems, questions=asked, answers=answers)
    missed, seen, unreadable = [], 0, 0
    for (_, text), names, called in zip(questions, told, read_lines(answers), strict=True):
        calls = [one for one in called if one]
        if calls and calls[0].startswith("!"):  # a syntax of its own
            unreadable += 1
            continue
        seen += len(calls)
        missed += [(text[:60], one) for one in calls if one.split()[1].lower() not in names]
    # With SBCL 2.0.11, 5 of 30 forms could not be expanded.
    assert seen > 4 * number and unreadable <= number // (20 if since("2.2") else 5)
    # There, DEFUN expands into calls of functions of SBCL that are not recorded.
    own = () if since("2.2") else ("SB-C ", "SB-IMPL ")
    assert [one for one in missed if one[1] not in _COMPILED_AWAY and not one[1].startswith(own)] == []


def test_local_names_are_told_with_what_binds_them(shelf: tuple[Path, Path]) -> None:
    index_path, source = shelf[0], shelf[1] / "shelf.lisp"
    text = source.read_text(encoding="utf-8").split("\n")
    seen: list[int] = []
    with open_index(index_path) as index:
        for number, line in enumerate(text, 1):
            if not line.startswith("(defmethod"):
                continue
            answer = at(index, f"{source}:{number}")
            parameters = [one for one in answer.names if one.relation == "local"]
            seen.append(len(parameters))
            assert all(one.kind == "variable" and one.line == number for one in parameters)
            assert answer.definition is not None and answer.defined_by == "defmethod"
            assert (answer.form_line, answer.form_column) == (number, 1)
        assert len(seen) > 1 and sum(seen) > 2
        line = line_of('  (open-book "a") (open-book "b"))')
        answer = at(index, f"{source}:{line}:4")
        assert (answer.definition, answer.defined_by) == ("shelf::caller-of-two", "defun")
        assert [(one.written, one.use_column) for one in answer.uses] == [("shelf:open-book", 4)]
        assert answer.form == '(open-book "a")'
        name = name_at(answer, 4)
        assert (name.written, name.package, name.relation, name.kind) == (
            *("shelf:open-book", "SHELF", "calls", "function"),
        )
        assert name.path == str(source) and name.line is not None


def test_a_changed_file_is_answered_as_it_is_now(shelf: tuple[Path, Path], tmp_path: Path) -> None:
    """Lines that were added above move everything, and what expansions use with it."""
    shutil.copytree(shelf[1], tmp_path / "moved")
    source = tmp_path / "moved" / "shelf.lisp"
    old = source.read_text(encoding="utf-8")
    line = line_of('  (open-book "a") (open-book "b"))')
    with open_index(shelf[0], roots={"shelf": tmp_path / "moved"}) as index:
        before = at(index, f"{source}:{line}")
        new = old.replace("(in-package :shelf)", "(in-package :shelf)\n\n(defvar *new* 1)\n")
        source.write_text(new, encoding="utf-8")
        after = at(index, f"{source}:{line + 3}")
    assert before.text == after.text and before.definition == after.definition
    assert [(one.written, one.use_column) for one in before.uses] == [
        (one.written, one.use_column) for one in after.uses
    ]
    assert [(one.use_line or 0) + 3 for one in before.uses] == [one.use_line for one in after.uses]
    assert after.outdated is not None and before.outdated is None


@pytest.mark.parametrize(
    ("place", "error"),
    [
        ("", "invalid-place"),
        ("shelf.lisp", "invalid-place"),
        ("shelf.lisp:0", "invalid-place"),
        ("shelf.lisp:1:0", "invalid-place"),
        ("shelf.lisp:x", "invalid-place"),
        ("nowhere.lisp:1", "file-not-found"),
        ("/etc/passwd:1", "file-not-found"),
        ("\0:1", "file-not-found"),
        ("x" * 5000 + ":1", "file-not-found"),
        ("SOURCE:99999", "line-not-found"),
    ],
)
def test_what_is_no_place_is_answered(shelf: tuple[Path, Path], place: str, error: str) -> None:
    with open_index(shelf[0]) as index:
        answer = index.at(place.replace("SOURCE", str(shelf[1] / "shelf.lisp")))
    assert isinstance(answer, NotFound) and answer.error == error
    assert answer.reason


def test_the_command_and_the_tool_show_it(shelf: tuple[Path, Path]) -> None:
    line = line_of('  (open-book "a") (open-book "b"))')
    done = run_main("at", f"shelf.lisp:{line}", "--index", str(shelf[0]))
    assert done.code == 0 and "shelf:open-book" in done.output
    assert "Within shelf::caller-of-two [defun]" in done.output
    told = run_main("at", f"{shelf[1] / 'shelf.lisp'}:{line}", "--calls", "--json", "--index", str(shelf[0]))
    answer = json.loads(told.output)
    assert answer["names"] == [] and {one["relation"] for one in answer["uses"]} == {"calls"}
    assert run_main("at", "nowhere.lisp:1", "--index", str(shelf[0])).code == 1
