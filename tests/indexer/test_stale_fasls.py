"""A source is put back with an old date: ASDF loads the earlier fasl, and no answer may mix the two."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer.build.index import build_index
from oblist.indexer.check.contradictions import contradictions
from oblist.indexer.image import ImagePlan
from oblist.indexer.inputs import Request, is_unchanged
from oblist.lisp.images import Setup
from oblist.lisp.sbcl import sbcl_arguments
from support.builds.small_sbcl import small_sbcl
from support.projects.followed_project import FollowedProject

DAY = 86_400


def text(name: str, number: int) -> str:
    """The source of a file that defines functions, and has as many octets for any ``name`` of one letter."""
    return f"(in-package :stale)\n(defvar *{name}{number}* 1)\n(defun {name}{number} (x) (list x))\n"


def moved(old: Path, new: Path) -> None:
    new.rename(old)


def copied(old: Path, new: Path) -> None:
    shutil.copy2(new, old)


def unpacked(old: Path, new: Path) -> None:
    archive = new.with_suffix(".tar")
    renamed = new.with_name(old.name + ".new")
    shutil.copy2(new, renamed)
    subprocess.run(["tar", "-cf", archive, "-C", renamed.parent, renamed.name], check=True)
    renamed.unlink()
    subprocess.run(["tar", "-xf", archive, "-C", old.parent, f"--transform=s/.*/{old.name}/"], check=True)


def synchronized(old: Path, new: Path) -> None:
    """What ``rsync -a`` does: a temporary file that gets the date of the other, then its name."""
    beside = old.with_name(f".{old.name}.tmp")
    shutil.copy2(new, beside)
    beside.replace(old)


def set_back(old: Path, new: Path) -> None:
    """Written by an editor while the clock is wrong."""
    old.write_bytes(new.read_bytes())
    os.utime(old, (time.time() - DAY,) * 2)


def in_future(old: Path, new: Path) -> None:
    """The fasl was compiled while the clock was wrong: it is newer than any source will be for a day."""
    old.write_bytes(new.read_bytes())
    os.utime(old, (time.time() - 2,) * 2)


def at_the_same_time(old: Path, new: Path) -> None:
    """Another checkout, whose files have the same dates."""
    date = old.stat().st_mtime_ns
    os.utime(new, ns=(date, date))
    new.rename(old)


WAYS: list[Callable[[Path, Path], None]] = [
    moved,
    copied,
    unpacked,
    synchronized,
    set_back,
    in_future,
    at_the_same_time,
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a file for each way."""
    folder = tmp_path / "project"
    folder.mkdir()
    files = "".join(f' (:file "file{number}")' for number in range(len(WAYS)))
    (folder / "stale.asd").write_text(
        f'(defsystem "stale" :serial t :components ((:file "package"){files}))\n'
    )
    (folder / "package.lisp").write_text("(defpackage :stale (:use :cl))\n")
    for number in range(len(WAYS)):
        for path, name in (
            (folder / f"file{number}.lisp", "a"),
            (tmp_path / "others" / f"file{number}", "b"),
        ):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text(name, number))
            os.utime(path, (time.time() - 10 * DAY - (name == "b"),) * 2)
    return folder


def put_back(project: Path) -> None:
    """Give each file the other text, in its way."""
    for number, way in enumerate(WAYS):
        way(project / f"file{number}.lisp", project.parent / "others" / f"file{number}")


def fasls_of(project: Path) -> list[Path]:
    cache = Path(os.environ["XDG_CACHE_HOME"]) / "common-lisp"
    fasls = [path for path in cache.rglob("file*.fasl") if str(project) in str(path)]
    assert len(fasls) == len(WAYS)
    return fasls


def future_fasls(project: Path, seconds: float = DAY) -> None:
    """Compiled while the clock was a day ahead, or as many ``seconds``."""
    for path in fasls_of(project):
        if path.stem == f"file{WAYS.index(in_future)}":
            os.utime(path, (time.time() + seconds,) * 2)


def functions(index: Path) -> Iterator[tuple[str, int | None, str | None]]:
    """The functions of the project: name, line, and the text of that line."""
    with closing(sqlite3.connect(index)) as connection:
        assert contradictions(connection) == []
        for name, line, path in connection.execute(
            "SELECT s.name, d.start_line, f.path FROM definitions d JOIN symbols s ON s.id = d.symbol_id"
            " JOIN packages p ON p.id = s.package_id LEFT JOIN source_files f ON f.id = d.file_id"
            " WHERE p.name = 'STALE' AND d.kind IN ('function', 'variable') ORDER BY s.name"
        ):
            lines = Path(path).read_text().splitlines() if line else []
            yield name, line, lines[line - 1] if line else None


def all_are_of(name: str, index: Path) -> None:
    """Each definition is that of the text with ``name``, and is there."""
    found = list(functions(index))
    assert len(found) == 2 * len(WAYS)
    for symbol, line, shown in found:
        assert re.fullmatch(rf"\*?{name}\d\*?", symbol, re.IGNORECASE)
        assert line and shown and symbol.lower() in shown


def build(index: Path, project: Path) -> None:
    plan = ImagePlan(small_sbcl(), (), Setup([project]))
    assert build_index(index, plan, command="test").not_loaded == []


def test_a_build_compiles_again_what_has_another_text(project: Path, tmp_path: Path) -> None:
    build(tmp_path / "old.db", project)
    all_are_of("a", tmp_path / "old.db")
    future_fasls(project)
    put_back(project)
    build(tmp_path / "new.db", project)
    all_are_of("b", tmp_path / "new.db")


def test_a_watch_compiles_again_what_has_another_text(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed = FollowedProject(small_sbcl(), project, tmp_path / "work", monkeypatch)
    followed.refresh()
    all_are_of("a", followed.follower.index.path)
    put_back(project)
    followed.refresh()
    all_are_of("b", followed.follower.index.path)


@pytest.mark.parametrize("compiled_by", ["us", "user"])
def test_a_library_with_another_text_has_no_place(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled_by: str
) -> None:
    monkeypatch.setenv("CL_SOURCE_REGISTRY", f"{project}//:")
    plan = ImagePlan(small_sbcl(), ("stale",))
    if compiled_by == "us":
        build_index(tmp_path / "old.db", plan, command="test")
        all_are_of("a", tmp_path / "old.db")
    else:
        load = ["(require :asdf)", '(asdf:load-system "stale")']
        subprocess.run([*sbcl_arguments(small_sbcl(), load), "--quit"], check=True, capture_output=True)
    put_back(project)
    in_order = tmp_path / "project" / f"file{WAYS.index(in_future)}.lisp"
    os.utime(in_order, (time.time() - 10 * DAY,) * 2)  # else ASDF compiles it
    time.sleep(1.1)  # the index says in whole seconds since when it was made
    path = tmp_path / "new.db"
    build_index(path, plan, command="test")
    found = list(functions(path))
    assert len(found) == 2 * len(WAYS)
    for symbol, line, _ in found:
        assert symbol.lower().strip("*")[0] == "a"
        assert line is None
    with closing(sqlite3.connect(path)) as connection:
        told = connection.execute(
            "SELECT subject FROM problems WHERE stage = 'source' AND message LIKE 'The file has changed%'"
        ).fetchall()
    assert {Path(subject).name for (subject,) in told} == {
        f"file{number}.lisp" for number in range(len(WAYS))
    }
    request = Request(plan, "test", True, None)
    assert is_unchanged(path, request)
    for number in range(len(WAYS)):  # as the messages say
        (project / f"file{number}.lisp").touch()
    assert not is_unchanged(path, request)
    future_fasls(project, -DAY)
    build_index(path, plan, command="test")
    all_are_of("b", path)
    assert is_unchanged(path, request)


def test_a_file_that_keeps_its_text_is_not_compiled_again(project: Path, tmp_path: Path) -> None:
    build(tmp_path / "old.db", project)
    fasls = {path: path.stat().st_mtime_ns for path in fasls_of(project)}
    for number, way in enumerate(WAYS):
        other = tmp_path / "others" / f"file{number}"
        other.write_text(text("a", number))
        os.utime(other, (time.time() - 10 * DAY,) * 2)
        way(project / f"file{number}.lisp", other)
    os.utime(project / f"file{WAYS.index(in_future)}.lisp", (time.time() - 10 * DAY,) * 2)
    build(tmp_path / "new.db", project)
    all_are_of("a", tmp_path / "new.db")
    assert {path: path.stat().st_mtime_ns for path in fasls} == fasls


_MADE_SYSTEM = """(defpackage "MADE-SYSTEM" (:use "CL" "ASDF"))
(in-package "MADE-SYSTEM")
(defclass constants-file (cl-source-file) ())
(defclass make-op (downward-operation) ())
(defmethod input-files ((op make-op) (file constants-file)) (list (component-pathname file)))
(defmethod output-files ((op make-op) (file constants-file))
  (list (make-pathname :type "made-lisp" :defaults (component-pathname file))))
(defmethod input-files ((op compile-op) (file constants-file)) (output-files 'make-op file))
(defmethod component-depends-on ((op compile-op) (file constants-file))
  `((make-op ,file) ,@(call-next-method)))
(defmethod perform ((op make-op) (file constants-file))
  (with-open-file (out (first (output-files op file)) :direction :output :if-exists :supersede)
    (with-open-file (in (first (input-files op file)))
      (let ((*package* (find-package "MADE-SYSTEM")))
        (loop for (operator name value) = (read in nil)
              while operator
              do (format out "(in-package :made)~%(defconstant ~A ~S)~%" name value))))))
(defsystem "made" :serial t :components ((:file "package") (constants-file "constants") (:file "uses")))
"""


def test_a_file_that_another_is_made_from_is_not_taken_for_a_changed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is compiled is the file that was made, as with CFFI's groveler."""
    project = tmp_path / "made"
    project.mkdir()
    (project / "made.asd").write_text(_MADE_SYSTEM)
    (project / "package.lisp").write_text("(defpackage :made (:use :cl) (:export #:constant #:one))\n")
    (project / "constants.lisp").write_text("(made:constant made:one 1)\n")
    (project / "uses.lisp").write_text("(in-package :made)\n(defun two () (+ one one))\n")
    monkeypatch.setenv("CL_SOURCE_REGISTRY", f"{project}//:")
    dates = []
    for plan in (
        ImagePlan(small_sbcl(), (), Setup([project])),
        ImagePlan(small_sbcl(), (), Setup([project])),
        ImagePlan(small_sbcl(), ("made",)),
    ):
        path = tmp_path / f"{len(dates)}.db"
        assert build_index(path, plan, command="test").not_loaded == []
        with closing(sqlite3.connect(path)) as connection:
            told = connection.execute("SELECT subject, message FROM problems WHERE subject LIKE '%made/%'")
            assert told.fetchall() == []
            uses = connection.execute(
                "SELECT count(*) FROM symbol_references JOIN callers ON callers.id = caller_id"
                " JOIN source_files ON source_files.id = file_id WHERE path LIKE '%/constants.lisp'"
            )
            assert uses.fetchone() == (2,)
        cache = Path(os.environ["XDG_CACHE_HOME"]) / "common-lisp"
        (fasl,) = (path for path in cache.rglob("constants.fasl") if str(project) in str(path))
        dates.append(fasl.stat().st_mtime_ns)
    assert len(set(dates)) == 1


SPELT = r"""
(defpackage :spelt (:use :cl))
(in-package :spelt)
(defun |piped|-out (x) (list x))
(defun |<!| (x) (list x))
(defun es\caped (x) (list x))
(defun spelt::prefixed (x) (list x))
(defun #.(intern "COMPUTED") (x) (list x))
(defun #+sbcl chosen #-sbcl other (x) (list x))
(defun #:set-apart (x) (list x))
(defmacro define-maker (name) `(defun ,(intern (format nil "MAKE-~A" name)) (x) (list x)))
(defun outer (x) (define-maker thing) (list x))
(defun (setf outer) (new x) (define-maker other) (list new x))
"""


def test_a_library_that_its_user_compiled_has_places_however_names_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "spelt"
    folder.mkdir()
    (folder / "spelt.asd").write_text('(defsystem "spelt" :components ((:file "spelt")))\n')
    (folder / "spelt.lisp").write_text(SPELT)
    monkeypatch.setenv("CL_SOURCE_REGISTRY", f"{folder}//:")
    load = ["(require :asdf)", '(asdf:load-system "spelt")']
    subprocess.run([*sbcl_arguments(small_sbcl(), load), "--quit"], check=True, capture_output=True)
    path = tmp_path / "spelt.db"
    build_index(path, ImagePlan(small_sbcl(), ("spelt",)), command="test")
    with closing(sqlite3.connect(path)) as connection:
        lines = connection.execute(
            "SELECT s.name, d.start_line FROM definitions d JOIN symbols s ON s.id = d.symbol_id"
            " JOIN packages p ON p.id = s.package_id WHERE p.name = 'SPELT' ORDER BY d.start_line"
        ).fetchall()
        told = connection.execute("SELECT message FROM problems WHERE message LIKE 'The file has changed%'")
        assert told.fetchall() == []
    assert lines == [
        ("piped-OUT", 4),
        ("<!", 5),
        ("EScAPED", 6),
        ("PREFIXED", 7),
        ("COMPUTED", 8),
        ("CHOSEN", 9),
        ("DEFINE-MAKER", 11),
        ("OUTER", 12),
        ("OUTER", 13),
    ]
