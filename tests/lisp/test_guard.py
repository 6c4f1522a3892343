"""One bad object costs one row: objects that cannot be printed or asked, in all places of a definition."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from oblist.indexer.build.index import build_index
from oblist.indexer.check.contradictions import contradictions
from oblist.indexer.image import ImagePlan
from oblist.lisp.images import Setup
from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import DescribeAnswer, PackageAnswer
from support.amount import amount
from support.builds.small_sbcl import small_sbcl
from support.builds.tested_version import since
from support.live import LISP_SOURCES
from support.projects.followed_project import FollowedProject, NotCompilableError

# What runs when the object is printed; S is the object, STREAM the stream.
PRINTERS = {
    "unbound": "(slot-value s 'missing-value)",
    "throws": "(throw 'nowhere 1)",
    "throws-out": "(throw 'sb-impl::toplevel-catcher 1)",
    "throws-end": "(throw 'sb-impl::%end-of-the-world 1)",
    "aborts": "(abort)",
    "exits": "(sb-ext:exit :code 3)",
    "exits-now": "(sb-ext:exit :code 3 :abort t)",
    "silent": "nil",
    "megabytes": '(loop repeat 100000 do (write-string "0123456789" stream))',
    "recurses": "(print-object s stream)",
    "deepens": "(labels ((deeper (n) (+ 1 (deeper (1+ n))))) (print (deeper 0) stream))",
    "breaks": "(break)",
    "debugs": "(invoke-debugger (make-condition 'error))",
    "fills": "(let ((all '())) (loop (push (make-array 100000) all)) (print all stream))",
    "bad-report": "(error 'unreported)",
    "not-text": "(error 'simple-error :format-control 42)",
    "signals": "(signal 'error)",
    "breeds": "(print (make-instance (class-of s)) stream)",
    "closes": "(close stream)",
    "ends-its-thread": "(sb-thread:abort-thread)",
    "interrupts": '(sb-thread:interrupt-thread sb-thread:*current-thread* (lambda () (error "Now.")))',
    "restarts": "(mapc 'invoke-restart (compute-restarts))",
    "warns": "(error 'storage-condition)",
}
# Each costs the time limit, several times.
SLOW_PRINTERS = {
    "loops": "(loop)",
    "handles": "(loop (handler-case (loop) (condition () nil)))",
    "cleans": "(unwind-protect (loop) (loop repeat 3 do (sleep 0.1)))",
    "sleeps": "(loop (sleep 1))",
    "waits": "(let ((mutex (sb-thread:make-mutex))) (sb-thread:join-thread (sb-thread:make-thread"
    " (lambda () (sb-thread:grab-mutex mutex)))) (sb-thread:grab-mutex mutex))",
}
PRINTERS |= amount({"loops": SLOW_PRINTERS["loops"]}, SLOW_PRINTERS)
# These print, but leave something behind.
SPOILERS = {
    "spoils": "(progn (setf *print-base* 2 *print-case* :downcase *print-escape* nil *print-readably* t)"
    ' (setf *break-on-signals* t *package* (find-package :keyword)) (write-string "#<Spoils>" stream))',
}
# These print what no text can hold, or change the image meanwhile.
ODD_PRINTERS = {
    "surrogates": "(progn (write-char (code-char 55296) stream) (write-char (code-char 0) stream))",
    "interns": '(progn (intern (symbol-name (gensym "BORN")) :cl-user) (write-string "#<Interns>" stream))',
    "founds": '(progn (make-package (gensym "BORN")) (write-string "#<Founds>" stream))',
    "collects": '(progn (sb-ext:gc) (write-string "#<Collects>" stream))',
}
PRINTING = SPOILERS | ODD_PRINTERS
# What metaobjects and DOCUMENTATION do instead of answering.
ANSWERS = {
    "fails": '(error "No.")',
    "leaves": "(throw 'sb-impl::%end-of-the-world 1)",
    "circular": "(let ((list (list 1))) (setf (cdr list) list))",
    "improper": "'(1 . 2)",
    "number": "42",
}
# The definitions of hostile_places.lisp that have the object, and the part that shows it.
PLACES = {
    ("START", "method, specializers"),
    ("WITH-DEFAULT", "function, lambda list"),
    ("WITH-DEFAULT", "setf-expander, lambda list"),
    ("WITH-CIRCULAR", "function, lambda list"),
    ("TYPED", "function, type"),
    ("*DECLARED*", "variable, type"),
    ("WITH-A-SLOT", "slot A, type"),
    ("WITH-A-SLOT", "slot A, initform"),
    ("WITH-A-SLOT", "default initargs"),
    ("ONE-OF", "type, lambda list"),
    ("MACRO", "symbol-macro, value"),
    ("WITH-PARTS", "slot A"),
    ("MAKE-WITH-PARTS", "function, lambda list"),
    ("EXPANDS", "macro, lambda list"),
    *([("ODD", "method-combination, lambda list")] if since("2.1.2") else []),  # SBCL records no list before
    ("QUALIFIED", "method, qualifiers"),
    ("INNOCENT", "compiler-macro, lambda list"),
}


def written(kind: str, template: str, body: str) -> str:
    text = (LISP_SOURCES / template).read_text()
    body = " ".join(body.split())  # a comment has it, too
    return text.replace("HOSTILE-KIND", f"HOSTILE-{kind.upper()}").replace("HOSTILE-BODY", body)


def project(folder: Path, texts: dict[str, str]) -> Path:
    """A project with a system for each of ``texts``."""
    folder.mkdir()
    for kind, text in texts.items():
        (folder / f"{kind}.lisp").write_text(text)
        definition = f'(defsystem "hostile-{kind}" :components ((:file "{kind}")))\n'
        (folder / f"hostile-{kind}.asd").write_text(definition)
    return folder


def indexed(path: Path, sbcl: Sbcl, folder: Path) -> list[str]:
    """Index the project in ``folder``; returns what did not load."""
    return [
        str(one) for one in build_index(path, ImagePlan(sbcl, (), Setup([folder])), command="test").not_loaded
    ]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of a project with a system for each kind of hostile object."""
    folder = tmp_path_factory.mktemp("hostile")
    texts = {
        kind: written(kind, "hostile_places.lisp", body) for kind, body in (PRINTERS | PRINTING).items()
    } | {kind: written(kind, "hostile_metaobjects.lisp", body) for kind, body in ANSWERS.items()}
    path = folder / "hostile.db"
    assert indexed(path, small_sbcl(), project(folder / "project", texts)) == []
    return path


def rows(path: Path, statement: str, *values: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement, values).fetchall()


def problems(path: Path, kind: str) -> set[tuple[str, str]]:
    """The names and parts of the problems in the package of ``kind``."""
    package = f"HOSTILE-{kind.upper()}::"
    found = rows(path, "SELECT subject, part FROM problems WHERE subject LIKE ?", f"{package}%")
    return {(subject.removeprefix(package), part) for subject, part in found}


def test_an_index_with_hostile_objects_contradicts_nothing(hostile: Path) -> None:
    with closing(sqlite3.connect(hostile)) as connection:
        assert contradictions(connection) == []


@pytest.mark.parametrize("kind", PRINTERS)
def test_each_place_of_an_object_that_cannot_be_printed_is_a_problem_that_names_the_definition(
    hostile: Path, kind: str
) -> None:
    assert problems(hostile, kind) >= PLACES


@pytest.mark.parametrize("kind", PRINTERS | PRINTING)
def test_all_definitions_beside_such_an_object_are_there(hostile: Path, kind: str) -> None:
    package = f"HOSTILE-{kind.upper()}"
    names = {name for (name, _) in PLACES} | {"SERVER", "*DEFAULT*", "*REST*", "+CONSTANT+", "INNOCENT"}
    found = rows(
        hostile,
        "SELECT DISTINCT s.name FROM definitions d JOIN symbols s ON s.id = d.symbol_id"
        " JOIN packages p ON p.id = s.package_id WHERE p.name = ?",
        package,
    )
    assert names <= {name for (name,) in found}


def test_an_object_that_spoils_the_printer_changes_no_other_text(hostile: Path) -> None:
    circular = {"WITH-CIRCULAR", "VISIT"}
    assert {name for name, _ in problems(hostile, "spoils")} == circular
    texts = rows(
        hostile,
        "SELECT d.kind, d.specializers, d.value FROM definitions d JOIN symbols s ON s.id = d.symbol_id"
        " JOIN packages p ON p.id = s.package_id WHERE p.name = 'HOSTILE-SPOILS'"
        " AND (s.name = '+CONSTANT+' OR (s.name = 'START' AND d.kind = 'method'))",
    )
    assert sorted(texts, key=str) == [
        ("constant", None, "#<Spoils>"),
        ("method", "((EQL #<Spoils>))", None),
        ("method", "(INTEGER)", None),
    ]


def test_what_printing_makes_is_not_indexed(hostile: Path) -> None:
    assert rows(hostile, "SELECT name FROM symbols WHERE name GLOB 'BORN[0-9]*'") == []
    assert rows(hostile, "SELECT name FROM packages WHERE name GLOB 'BORN[0-9]*'") == []


def test_circular_specializers_have_short_texts(hostile: Path) -> None:
    texts = rows(
        hostile,
        "SELECT d.specializers FROM definitions d JOIN symbols s ON s.id = d.symbol_id"
        " WHERE s.name = 'VISIT' AND d.kind = 'method'",
    )
    structures = [text for (text,) in texts if "NODE" in text]
    lists = [text for (text,) in texts if "NODE" not in text]
    assert len(structures) == len(lists) == len(PRINTERS | PRINTING)
    assert all("#1=#S(" in text and len(text) < 200 for text in structures)
    assert all(len(text) < 200 for text in lists)


@pytest.mark.parametrize("kind", ANSWERS)
def test_a_metaobject_that_does_not_answer_costs_its_own_facts(hostile: Path, kind: str) -> None:
    found = problems(hostile, kind)
    assert ("TELL", "method, existence") in found or ("TELL", "methods") in found
    assert ("COUNT-UP", "method, qualifiers") in found
    assert ("INNOCENT", "function, documentation") in found
    names = {"ODD", "WITH-ODD-SLOTS", "TELL", "COUNT-UP", "PLAIN-ONE", "INNOCENT", "*REST*"}
    kinds = rows(
        hostile,
        "SELECT s.name, d.kind, d.documentation FROM definitions d JOIN symbols s ON s.id = d.symbol_id"
        " JOIN packages p ON p.id = s.package_id WHERE p.name = ?",
        f"HOSTILE-{kind.upper()}",
    )
    assert names <= {name for name, _, _ in kinds}
    assert ("*REST*", "variable", "The rest.") in kinds
    assert [name for name, defined, _ in kinds if defined == "method"].count("PLAIN-ONE") == 2


@pytest.mark.parametrize("kind", ANSWERS)
def test_the_class_of_an_object_is_not_known_if_it_does_not_tell_its_name(hostile: Path, kind: str) -> None:
    found = rows(
        hostile,
        "SELECT eql IS NOT NULL, eql_class_id FROM method_specializers"
        " JOIN definitions d ON d.id = definition_id"
        " JOIN symbols s ON s.id = d.symbol_id JOIN packages p ON p.id = s.package_id"
        " WHERE p.name = ? AND s.name = 'HOLD'",
        f"HOSTILE-{kind.upper()}",
    )
    assert found == [(1, None)]


# All but the number of callers: the hostile code calls functions of SBCL.
OTHERS = (
    "SELECT p.name, s.name, s.type, s.exported FROM symbols s JOIN packages p ON p.id = s.package_id"
    " WHERE p.name NOT LIKE 'HOSTILE%' AND p.name != 'KEYWORD' ORDER BY 1, 2",
    "SELECT p.name, s.name, d.kind, d.operator, d.qualifiers, d.specializers, d.arglist, d.ftype,"
    " d.value, d.start_line, d.start_column FROM definitions d"
    " JOIN symbols s ON s.id = d.symbol_id JOIN packages p ON p.id = s.package_id"
    " LEFT JOIN source_files f ON f.id = d.file_id"
    " WHERE p.name NOT LIKE 'HOSTILE%' AND p.name != 'KEYWORD'"
    " AND coalesce(d.specializers, '') NOT LIKE '%odd-%' AND coalesce(f.recorded, '') NOT LIKE '%/project/%'"
    " ORDER BY 1, 2, 3, 4, 5, 6, 11",
    "SELECT p.name, s.name, l.name, l.type, l.initform, l.documentation FROM slots l"
    " JOIN definitions d ON d.id = l.class_id JOIN symbols s ON s.id = d.symbol_id"
    " JOIN packages p ON p.id = s.package_id WHERE p.name NOT LIKE 'HOSTILE%' ORDER BY 1, 2, 3",
)


def test_no_other_row_depends_on_hostile_objects(hostile: Path, tmp_path: Path) -> None:
    """The same systems without anything in them."""
    texts = dict.fromkeys(PRINTERS | PRINTING | ANSWERS, "")
    harmless = tmp_path / "harmless.db"
    assert indexed(harmless, small_sbcl(), project(tmp_path / "project", texts)) == []
    for statement in OTHERS:
        ours, theirs = (rows(path, statement) for path in (hostile, harmless))
        assert len(ours) > 100
        assert ours == theirs


REPORT = """(let ((door (find-symbol "*OPEN*" "OBLIST")))
  (when (and (boundp door) (not (symbol-value door)) cl-user::*loaded*)
    (with-open-file (out {path} :direction :output :if-exists :append :if-does-not-exist :create)
      (format out "{what}: ~A~%" (mapcar (function first) (sb-debug:list-backtrace :count 30))))))"""


def test_the_dump_asks_and_prints_such_objects_through_the_door_only(tmp_path: Path) -> None:
    """The objects answer, but report when the door is not open."""
    reports = tmp_path / "reports"
    path = f'"{reports}"'
    printer = f'(progn {REPORT.format(path=path, what="printed")} (write-string "#<Server>" stream))'
    answer = f"(progn {REPORT.format(path=path, what='questioned')} (call-next-method))"
    before, after = "(defvar cl-user::*loaded* nil)\n", "(setf cl-user::*loaded* t)\n"
    texts = {
        "printed": before + written("printed", "hostile_places.lisp", printer),
        "questioned": before + written("questioned", "hostile_metaobjects.lisp", answer) + after,
    }
    index = tmp_path / "index.db"
    assert indexed(index, small_sbcl(), project(tmp_path / "project", texts)) == []
    for kind in texts:
        names = {name for name, _ in problems(index, kind)}
        assert names <= {"WITH-CIRCULAR", "VISIT"}
    assert not reports.exists(), reports.read_text()


LEFT_BEHIND = {
    "signals": "(setf *break-on-signals* t)",
    "hooks": "(setf *debugger-hook* (lambda (c h) (declare (ignore c h)) (sb-ext:exit :code 9 :abort t)))",
    "collects": '(push (lambda () (error "Collected.")) sb-ext:*after-gc-hooks*)',
    "threads": '(sb-thread:make-thread (lambda () (sleep 0.5) (error "Late.")) :name "late")',
    "spins": '(sb-thread:make-thread (lambda () (loop (sleep 0.01))) :name "spins")',
    "timers": '(sb-ext:schedule-timer (sb-ext:make-timer (lambda () (error "Too late."))) 1.5)',
    "exits": '(sb-thread:make-thread (lambda () (sleep 0.3) (loop (sb-ext:exit :code 7))) :name "exits")',
    "streams": "(setf *standard-output* (make-broadcast-stream)"
    ' *error-output* (make-string-input-stream ""))',
    "closes": "(setf *standard-output* (make-string-output-stream)) (close *standard-output*)",
    "reads": "(setf *read-base* 7 *print-base* 3 *print-readably* t)",
    "readtable": "(let ((table (copy-readtable nil)))"
    " (set-macro-character #\\( (lambda (stream char) (list stream char)) nil table)"
    " (setf *readtable* table))",
    "inverts": "(setf (readtable-case *readtable*) :invert)",
    "alarms": "(sb-sys:enable-interrupt sb-unix:sigalrm :default)",
    "deafens": "(sb-sys:enable-interrupt sb-unix:sigalrm :ignore)",
    "calculates": "(sb-int:set-floating-point-modes :traps '(:inexact))",
    "expands": '(setf *macroexpand-hook* (lambda (f x e) (declare (ignore f x e)) (error "No.")))',
    "modules": "(setf *modules* '(1 2 . 3))",
    "features": "(setf *features* (list :a 42))",
    "environment": '(sb-alien:alien-funcall (sb-alien:extern-alien "clearenv" (function sb-alien:int)))',
    "moves": '(progn (sb-alien:alien-funcall (sb-alien:extern-alien "chdir" (function sb-alien:int'
    ' sb-alien:c-string)) "/") (setf *default-pathname-defaults* #p"/nowhere/"))',
    "saves": '(push (lambda () (error "No.")) sb-ext:*save-hooks*)',
    "ends": "(push (lambda () (loop)) sb-ext:*exit-hooks*)",
    "finalizes": '(progn (sb-ext:finalize (list 1) (lambda () (error "Gone."))) (sb-ext:gc :full t))',
    "prints": '(defmethod print-object ((x t) stream) (error "No."))',
    "dispatches": '(set-pprint-dispatch \'cons (lambda (s x) (declare (ignore s x)) (error "No.")))',
    "encodes": "(setf sb-impl::*default-external-format* :latin-1)",
    "interprets": "(setf sb-ext:*evaluator-mode* :interpret)",
    "deletes": '(delete-package (setf *package* (make-package "GONE")))',
    "collects-often": "(setf (sb-ext:bytes-consed-between-gcs) 100000)",
    "keeps": "(defvar cl-user::*kept* (make-array (floor (sb-ext:dynamic-space-size) 16)))",
}
# These can be left behind together.
TOGETHER = ("signals", "alarms", "calculates", "expands", "modules", "features", "environment", "moves")


@pytest.fixture
def left_behind(request: pytest.FixtureRequest) -> str:
    """The source that leaves something behind, as the last thing that it does."""
    kinds = TOGETHER if request.param == "together" else [request.param]
    return "".join(f"(eval-when (:load-toplevel :execute) {LEFT_BEHIND[kind]})\n" for kind in kinds)


SOME = ["together", "threads", "exits", "closes"]


@pytest.mark.parametrize("left_behind", amount(SOME, ["together", *LEFT_BEHIND]), indirect=True)
def test_what_loading_leaves_behind_ends_no_build(left_behind: str, tmp_path: Path) -> None:
    path, file = tmp_path / "index.db", tmp_path / "file.lisp"
    file.write_text(f"(defun cl-user::beside (x) x)\n{left_behind}")
    build_index(path, ImagePlan(small_sbcl(), (), Setup(files=[file])), command="test")
    assert rows(path, "SELECT name FROM symbols WHERE name = 'BESIDE'") == [("BESIDE",)]


@pytest.mark.parametrize(
    "left_behind",
    # What is left behind together ends SBCL 2.0.
    amount(["together" if since("2.2") else "threads"], ["together", *LEFT_BEHIND]),
    indirect=True,
)
def test_what_loading_leaves_behind_ends_no_watch(
    left_behind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"a": BESIDE, "leaves": "(cl:in-package :cl-user)\n"}
    folder = project(tmp_path / "project", texts)
    monkeypatch.setenv("SBCL", str(small_sbcl().path))
    followed = FollowedProject(small_sbcl(), folder, tmp_path / "work", monkeypatch)
    followed.refresh()
    (folder / "a.lisp").write_text(f"{BESIDE}(defun beside::new (x) x)\n")
    (folder / "leaves.lisp").write_text(texts["leaves"] + left_behind)
    followed.refresh()
    found = rows(
        followed.follower.index.path,
        "SELECT s.name FROM symbols s JOIN packages p ON p.id = s.package_id"
        " WHERE p.name = 'BESIDE' ORDER BY 1",
    )
    assert found == [("NEW",), ("NEXT-TO",)]


def test_a_watched_project_survives_hostile_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = ("unbound", "throws-end", "exits-now")
    texts = {kind: f"(cl:defpackage :hostile-{kind})\n" for kind in (*kinds, "fails")}
    folder = project(tmp_path / "project", texts)
    monkeypatch.setenv("SBCL", str(small_sbcl().path))
    followed = FollowedProject(small_sbcl(), folder, tmp_path / "work", monkeypatch)
    followed.refresh()
    for kind in kinds:
        (folder / f"{kind}.lisp").write_text(written(kind, "hostile_places.lisp", PRINTERS[kind]))
    (folder / "fails.lisp").write_text(written("fails", "hostile_metaobjects.lisp", ANSWERS["fails"]))
    followed.refresh()
    for kind in kinds:
        assert problems(followed.follower.index.path, kind) >= PLACES
    assert ("COUNT-UP", "method, qualifiers") in problems(followed.follower.index.path, "fails")
    assert followed.rebuild(), followed.output
    assert followed.findings() == []


def test_packages_with_odd_names_are_there_or_problems(tmp_path: Path) -> None:
    text = (LISP_SOURCES / "hostile_packages.lisp").read_text()
    path = tmp_path / "index.db"
    assert indexed(path, small_sbcl(), project(tmp_path / "project", {"names": text, "beside": BESIDE})) == []
    awkward = 'with::colons|and "quotes" \\ ; #('
    names = {"", "a\0b", awkward, "Mixed Case / slash%2F", "XY", "c", "A" * 100000, "LOCALS", "BESIDE"}
    assert names <= {name for (name,) in rows(path, "SELECT name FROM packages")}
    unstorable = rows(path, "SELECT part FROM problems WHERE condition = 'UNSTORABLE-NAME' ORDER BY part")
    assert unstorable == [("package",), ("package nickname",), ("package-local nickname",), ("symbol",)]
    with open_index(path) as index:
        for name in names - {"A" * 100000}:
            assert isinstance(index.package(name), PackageAnswer), name
        assert isinstance(index.describe("cl-user::orphan"), DescribeAnswer)
        assert isinstance(index.describe("|bar|", package=awkward), DescribeAnswer)
    with closing(sqlite3.connect(path)) as connection:
        assert contradictions(connection) == []


# What no handler and no timer can stop.
C_CALL = "(sb-alien:alien-funcall (sb-alien:extern-alien {} (function sb-alien:void sb-alien:int)) {})"
ENDS = {
    "quits": C_CALL.format('"_exit"', 0),
    "hangs": "(sb-sys:without-interrupts (loop))",
}
MORE_ENDS = {
    "crashes": C_CALL.format('"abort"', 0),
    "kills": C_CALL.format('"raise"', 9),
    "saves": '(sb-ext:save-lisp-and-die "saved")',
}
BESIDE = "(defpackage :beside (:use :cl))\n(defun beside::next-to (x) x)\n"
LOST = r"(SBCL ended before the dump was complete|SBCL sent nothing for 3 s).* The question was: HOSTILE"


def lost(path: Path, folder: Path) -> dict[str, str]:
    """Index the project in ``folder``; returns what did not load, and why."""
    plan = ImagePlan(small_sbcl(), (), Setup([folder]), silence_seconds=3)
    found = build_index(path, plan, command="test").not_loaded
    return {one.problem.subject: one.problem.message for one in found}


def test_what_ends_the_dump_costs_its_system_and_those_that_need_it(tmp_path: Path) -> None:
    ends = amount(ENDS, ENDS | MORE_ENDS)
    texts = {kind: written(kind, "hostile_places.lisp", body) for kind, body in ends.items()}
    folder = project(tmp_path / "project", {**texts, "beside": BESIDE})
    (folder / "needs.lisp").write_text("(defpackage :needs)\n")
    (folder / "needs.asd").write_text(
        '(defsystem "needs" :depends-on ("hostile-quits") :components ((:file "needs")))\n'
    )
    path = tmp_path / "index.db"
    found = lost(path, folder)
    assert found.keys() == {f"hostile-{kind}" for kind in texts} | {"needs"}
    for kind in texts:
        assert re.match(LOST, found[f"hostile-{kind}"]), found[f"hostile-{kind}"]
    assert "The system hostile-quits ended the Lisp process." in found["needs"]
    assert rows(path, "SELECT name FROM systems WHERE asked") == [("hostile-beside",)]
    assert rows(path, "SELECT name FROM symbols WHERE name = 'NEXT-TO'") == [("NEXT-TO",)]
    with closing(sqlite3.connect(path)) as connection:
        assert contradictions(connection) == []


def test_a_metaobject_that_ends_the_dump_costs_its_system(tmp_path: Path) -> None:
    texts = {"quits": written("quits", "hostile_metaobjects.lisp", ENDS["quits"]), "beside": BESIDE}
    path = tmp_path / "index.db"
    found = lost(path, project(tmp_path / "project", texts))
    assert found.keys() == {"hostile-quits"}
    assert re.match(LOST, found["hostile-quits"])
    assert rows(path, "SELECT name FROM symbols WHERE name = 'NEXT-TO'") == [("NEXT-TO",)]


@pytest.mark.full
def test_a_file_that_ends_the_dump_is_left_out(tmp_path: Path) -> None:
    files = []
    for kind, text in {
        "quits": written("quits", "hostile_places.lisp", ENDS["quits"]),
        "beside": BESIDE,
    }.items():
        files.append(tmp_path / f"{kind}.lisp")
        files[-1].write_text(text)
    path = tmp_path / "index.db"
    found = build_index(path, ImagePlan(small_sbcl(), (), Setup(files=files)), command="test").not_loaded
    assert [one.problem.subject for one in found] == [str(files[0])]
    assert rows(path, "SELECT name FROM symbols WHERE name = 'NEXT-TO'") == [("NEXT-TO",)]


def test_a_watch_goes_on_with_the_other_systems_when_the_dump_of_one_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {kind: f"(cl:defpackage :hostile-{kind})\n(cl:defun hostile-{kind}::f (x) x)\n" for kind in "ab"}
    folder = project(tmp_path / "project", texts)
    monkeypatch.setenv("SBCL", str(small_sbcl().path))
    followed = FollowedProject(small_sbcl(), folder, tmp_path / "work", monkeypatch)
    followed.refresh()
    (folder / "a.lisp").write_text(written("a", "hostile_places.lisp", ENDS["quits"]))
    (folder / "b.lisp").write_text(texts["b"] + "(cl:defun hostile-b::g (x) x)\n")
    with pytest.raises(NotCompilableError, match="hostile-a did not load: SBCL-ENDED"):
        followed.refresh()
    index = followed.follower.index.path
    names = rows(
        index,
        "SELECT s.name FROM symbols s JOIN packages p ON p.id = s.package_id"
        " WHERE p.name LIKE 'HOSTILE-%' AND s.type = 'FUNCTION' ORDER BY p.name, s.name",
    )
    assert names == [("F",), ("F",), ("G",)], "the last good state of the one, the new state of the other"
    ((kept,),) = rows(index, "SELECT value FROM meta WHERE name = 'last_good'")
    assert "The question was: HOSTILE-A::" in kept


ENDLESS = """
(defpackage "HOSTILE-ENDLESS" (:use "CL"))
(in-package "HOSTILE-ENDLESS")
(defun innocent (x) "Never told." x)
(let ((package *package*))
  (defmethod documentation :around ((name symbol) type)
    (if (eq (symbol-package name) package) (loop) (call-next-method))))
"""


@pytest.mark.full
def test_a_system_that_costs_the_time_limit_again_and_again_is_left_out(tmp_path: Path) -> None:
    names = "".join(f"(defvar *v{number}* 1)\n" for number in range(30))
    path = tmp_path / "index.db"
    found = lost(path, project(tmp_path / "project", {"endless": ENDLESS + names, "beside": BESIDE}))
    assert found.keys() == {"hostile-endless"}
    assert rows(path, "SELECT name FROM symbols WHERE name = 'NEXT-TO'") == [("NEXT-TO",)]
