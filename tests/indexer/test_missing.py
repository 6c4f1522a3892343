"""Missing libraries are named at once, shared failures are reported once, and failures name their file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer.build.index import Summary, build_index
from oblist.indexer.image import ImagePlan
from oblist.indexer.same_failures import cause, names_of, same_failures
from oblist.lisp.images import Setup
from oblist.query.questions.problems.answer import ProblemAnswer, ProblemsAnswer
from oblist.query.questions.problems.text import problems_text
from support.builds.small_sbcl import small_sbcl
from support.command_line import oblist

BROKEN = "(defun f ("


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture
def needy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of nine systems that need two libraries that are missing, and six that need a broken one."""
    library = {"breaks.asd": '(defsystem "breaks" :components ((:file "x")))', "x.lisp": BROKEN}
    library["through.asd"] = '(defsystem "through" :depends-on ("atomics"))'
    monkeypatch.setenv("CL_SOURCE_REGISTRY", f"{written(tmp_path / 'library', library)}//:")
    needs = {f"s{number}": ["atomics"] for number in range(7)}
    needs["s7"] = ["atomics", "trivial-indent", '(:feature :no-such-feature "not-needed")']
    needs["s8"] = ["through", '(:version "through" "1")']
    needs |= {f"u{number}": ["breaks"] for number in range(6)}
    needs["weak"] = []
    files = {}
    for name, others in needs.items():
        quoted = " ".join(one if one.startswith("(") else f'"{one}"' for one in others)
        weak = ':weakly-depends-on ("nobody-has-it")' if name == "weak" else ""
        files[f"{name}.asd"] = f'(defsystem "{name}" :depends-on ({quoted}) {weak})'
    return written(tmp_path / "project", files)


MISSING = "missing: atomics (needed by 9 systems), trivial-indent (1)"


def test_all_that_is_missing_is_told_before_it_is_loaded(needy: Path, tmp_path: Path) -> None:
    told: list[str] = []
    stages: list[str] = []

    def warn(text: str) -> None:
        told.append(text)
        stages.append("warned")

    plan = ImagePlan(small_sbcl(), (), Setup([needy]))
    summary = build_index(tmp_path / "x.db", plan, command="test", progress=stages.append, warn=warn)
    assert told == [MISSING]
    before = [stage for stage in stages[: stages.index("warned")] if stage.startswith("loading system ")]
    assert len(before) <= 1, "before the systems"
    assert any(stage.startswith("loading system ") and stage.endswith(" of 16)") for stage in stages)
    assert len(summary.not_loaded) == 15
    messages = {one.problem.subject: one.problem.message for one in summary.not_loaded}
    assert messages["s7"].endswith("; all that is missing: atomics, trivial-indent")
    assert "all that" not in messages["s1"]


def test_one_cause_is_told_once_with_the_number_of_systems(needy: Path, tmp_path: Path) -> None:
    done = oblist(
        *("index", "--project", needy, "--sbcl", small_sbcl().path, "--no-userinit", "--no-snapshot"),
        *("--output", tmp_path / "x.db"),
    )
    assert done.returncode == 1
    told = [line for line in done.stderr.splitlines() if line.startswith("oblist: ")]
    assert told[0] == f"oblist: {MISSING}"
    assert len(told) == 3
    assert told[1].startswith("oblist: 9 systems (s0, s1, s2, s3, s4 and 4 more) did not load: MISSING-DEP")
    assert told[2].startswith("oblist: 6 systems (u0, u1, u2, u3, u4 and 1 more) did not load: INPUT-ERROR")
    assert told[2].endswith("/library/x.lisp, line 1)")
    shown = oblist("problems", "--index", tmp_path / "x.db").stdout
    assert "6 systems (u0, u1, u2, u3, u4 and 1 more) did not load: INPUT-ERROR-IN-COMPILE-FILE" in shown


INFERRED = {
    "compile": "(defpackage :compile/sub (:use :cl)) (in-package :compile/sub)\n(defun f (",
    "missing": "(defpackage :missing/sub (:use :cl) (:import-from :nolib #:x))",
    "unread": "(defpackage :unread/sub (:use :cl) #.(car 1))",
    "nopackage": "(defun x () 1)",
}


def failures(summary: Summary) -> dict[str, tuple[str, str | None]]:
    return {one.problem.subject: (one.problem.message, one.problem.path) for one in summary.not_loaded}


def test_what_fails_in_a_package_inferred_system_is_said_with_its_file(tmp_path: Path) -> None:
    files = {}
    for name, text in INFERRED.items():
        files[f"{name}/{name}.asd"] = (
            f'(defsystem "{name}" :class :package-inferred-system :depends-on ("{name}/main"))'
        )
        files[f"{name}/main.lisp"] = f"(defpackage :{name}/main (:use :cl :{name}/sub))"
        files[f"{name}/sub.lisp"] = text
    folder = written(tmp_path / "project", files)
    plan = ImagePlan(small_sbcl(), (), Setup([folder]))
    found = failures(build_index(tmp_path / "x.db", plan, command="test"))
    for name in INFERRED:
        for system in (name, f"{name}/main"):
            message, path = found[system]
            assert str(folder / name / "sub.lisp") in (path or message), (system, message, path)
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        assert connection.execute("SELECT count(*) FROM systems WHERE asked").fetchone() == (0,)


def test_only_one_cause_is_one_failure() -> None:
    rows: list[tuple[str, str, str, str | None, int | None]] = [
        ("system", "MISSING-DEPENDENCY", 'Component "a" not found, required by #<SYSTEM "x">', None, None),
        ("system", "ERROR", "No.", "/a.lisp", 1),
        ("system", "MISSING-DEPENDENCY", 'Component "a" not found, required by #<SYSTEM "y">', None, None),
        ("system", "ERROR", "No.", "/a.lisp", 2),
        ("file", "ERROR", "No.", "/a.lisp", 1),
        ("system", "MISSING-DEPENDENCY", 'Component "b" not found, required by #<SYSTEM "y">', None, None),
        ("system", "ERROR", "No.", "/a.lisp", 1),
    ]
    same = same_failures(range(len(rows)), lambda number: cause(*rows[number]))
    assert same == [[0, 2], [1, 6], [3], [4], [5]]
    assert names_of("file", ["a"]) == "the file a"
    assert names_of("system", list("abcdef")) == "6 systems (a, b, c, d, e and 1 more)"


def test_failures_to_load_and_places_in_one_form_are_reported_together() -> None:
    one = ("SIMPLE-ERROR", "No.", None, None)
    problems = [
        *(ProblemAnswer("project", "definition", "A:F", "method, specializers", *one) for _ in range(2)),
        *(ProblemAnswer("project", "load", name, "system", *one) for name in "ab"),
        *(ProblemAnswer("project", "location", name, "class", *one) for name in "cd"),
    ]
    shown = problems_text(ProblemsAnswer(6, 6, 0, 0, 0, problems), everything=False)
    assert shown.count("method, specializers A:F: SIMPLE-ERROR") == 2
    assert shown.count("did not load") == 1
    assert "2 systems (a, b) did not load: SIMPLE-ERROR" in shown
    assert "\n2 classes (c, d): SIMPLE-ERROR\n" in shown
