"""Layers: what is made on them equals what is made from scratch, and what will not do is not used."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from oblist.indexer.build.index import build_index
from oblist.indexer.check.contradictions import contradictions
from oblist.indexer.check.differences import differences
from oblist.indexer.errors import OutputError
from oblist.indexer.image import ImagePlan
from oblist.indexer.layers import cache, store
from oblist.indexer.layers.core_and_index import Layer, LayerFacts
from oblist.indexer.layers.make import find_libraries, make_libraries
from oblist.indexer.refresh.split import split_below
from oblist.indexer.watch.follower import Follower
from oblist.indexer.write.rows import UNPUBLISHED
from oblist.lisp.images import Setup, start_refresh
from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import DescribeAnswer, NotFound
from support.amount import amount
from support.builds.shared_code import share_code
from support.builds.systems import LIBRARIES
from support.projects.followed_project import FollowedProject, NotCompilableError
from support.projects.sample import with_small_libraries
from support.projects.watching import SECONDS, until

# What changes SBCL and ASDF themselves, or gives what is theirs another name.
CHANGING = """
(defpackage "OTHER-NAMES" (:use "COMMON-LISP") (:export "EMPTYP" "JOIN"))
(in-package "OTHER-NAMES")
(require "asdf")
(setf (fdefinition 'emptyp) #'sequence:emptyp
      (fdefinition 'join) (fdefinition (find-symbol "STRCAT" "UIOP"))
      (macro-function 'each) (macro-function 'dolist))
(defmethod print-object ((it (eql :other-names)) stream) (princ "it" stream))
(defmethod sequence:emptyp ((it (eql :other-names))) (join "a" "b"))
(setf (documentation (find-package "SB-EXT") t) "Ours.")
(sb-ext:without-package-locks
  (setf (documentation 'car 'function) "The first of two.")
  (sb-c:deftransform list-length ((it) (null)) 0)
  (sb-c:defoptimizer (list-length sb-c:derive-type) ((it)) (progn it (sb-kernel:specifier-type 'fixnum)))
  (defun cl-user::report (list) (each (one list) (print one))))
(import 'join "CL-USER")
"""
# What no record of what is newer tells: a layer does not do for it.
UNFIT = {
    "a method": """(let ((classes (mapcar #'find-class '(character t))))
                     (setf (documentation (find-method #'print-object '() classes) t) "Ours too."))""",
    "a name in SBCL's text": """(sb-ext:without-package-locks
                                  (setf (symbol-function 'sb-impl::keyform) #'list))""",
    "another root": """(sb-ext:set-sbcl-source-location "/usr/")""",
}


def built(index: Path, sbcl: Sbcl, setup: Setup, systems: Sequence[str] = (), *, from_scratch: bool) -> Path:
    summary = build_index(index, ImagePlan(sbcl, systems, setup), command="tests", from_scratch=from_scratch)
    assert summary.not_loaded == []
    return index


def assert_equal(one: Path, other: Path) -> None:
    with closing(sqlite3.connect(one)) as first, closing(sqlite3.connect(other)) as second:
        assert list(differences(first, second)) == []
        assert contradictions(first) == []


def test_a_build_on_layers_equals_one_from_scratch(
    small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A layer of dependencies serves one translation of names of fasls: no other test makes this one.
    monkeypatch.setenv("ASDF_OUTPUT_TRANSLATIONS", f"/:{tmp_path / 'fasl'}/:")
    sample = with_small_libraries(monkeypatch)
    changing = tmp_path / "changing.lisp"
    changing.write_text(CHANGING)
    for number, setup in enumerate((Setup([sample]), Setup(files=[changing]))):
        scratch = built(tmp_path / f"{number}-scratch.db", small, setup, from_scratch=True)
        if setup.projects:  # the layer of its dependencies is made on the way
            assert find_libraries(small, (), setup) is None
        assert_equal(built(tmp_path / f"{number}-layers.db", small, setup, from_scratch=False), scratch)
        if setup.projects:
            assert find_libraries(small, (), setup) is not None


@pytest.mark.full
def test_builds_of_libraries_on_layers_equal_those_from_scratch(sbcl: Sbcl, tmp_path: Path) -> None:
    on_layers = built(tmp_path / "layers.db", sbcl, Setup(), LIBRARIES, from_scratch=False)
    assert_equal(on_layers, built(tmp_path / "scratch.db", sbcl, Setup(), LIBRARIES, from_scratch=True))


def test_a_system_that_a_layer_has_is_one_asked_for(small: Sbcl, tmp_path: Path) -> None:
    index = built(tmp_path / "asdf.db", small, Setup(), ["asdf"], from_scratch=False)
    with closing(sqlite3.connect(index)) as connection:
        assert connection.execute("SELECT asked FROM systems WHERE name = 'asdf'").fetchall() == [(1,)]


@pytest.mark.parametrize("what", UNFIT)
def test_a_layer_that_does_not_do_is_not_used(
    what: str, small: Sbcl, tmp_path: Path, bases: list[Layer | None]
) -> None:
    source = tmp_path / "unfit.lisp"
    source.write_text(UNFIT[what])
    setup, index = Setup(files=[source]), tmp_path / "layers.db"
    built(index, small, setup, from_scratch=False)
    assert [base is not None for base in bases] == [True, False]
    if what == amount("a method", what):  # what is made from scratch equals what is made from scratch
        assert_equal(index, built(tmp_path / "scratch.db", small, setup, from_scratch=True))


# Dependencies whose layer does not do, and projects that need what it lacks, or change what it tells.
NOT_ON_DEPENDENCIES = {
    "threads": (
        """(defvar *work* (sb-thread:make-semaphore))
           (defvar *results* (sb-thread:make-semaphore))
           (sb-thread:make-thread (lambda ()
                                    (loop (sb-thread:wait-on-semaphore *work*)
                                          (sb-thread:signal-semaphore *results*))))""",
        """(sb-thread:signal-semaphore library::*work*)
           (unless (sb-thread:wait-on-semaphore library::*results* :timeout 20) (error "Nobody works."))""",
    ),
    "a meaning": (
        "(defun call-later () (funcall 'later))",
        "(defun library::later () 'late)",
    ),
}


@pytest.mark.parametrize("why", NOT_ON_DEPENDENCIES)
def test_a_layer_of_dependencies_that_does_not_do_is_not_used(
    why: str, small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bases: list[Layer | None]
) -> None:
    library, project = (tmp_path / name for name in ("library", "project"))
    for folder, needs, source in zip(
        (library, project), ("", '"library"'), NOT_ON_DEPENDENCIES[why], strict=True
    ):
        folder.mkdir()
        name = folder.name
        (folder / f"{name}.asd").write_text(
            f'(defsystem "{name}" :depends-on ({needs}) :components ((:file "{name}")))\n'
        )
        (folder / f"{name}.lisp").write_text(
            f'(defpackage "{name.upper()}" (:use "CL"))\n(in-package "{name.upper()}")\n{source}\n'
        )
    monkeypatch.setenv("CL_SOURCE_REGISTRY", f"{library}:{project}:")
    setup, index = Setup([project]), tmp_path / "layers.db"
    for _ in range(2):
        built(index, small, setup, from_scratch=False)
    dependencies = find_libraries(small, (), setup)
    assert dependencies is not None
    assert dependencies.facts.ended_threads == (why == "threads")
    # The start of the first build; the layer; what each build tries on it, and makes without it.
    below = [base and base.index == dependencies.index for base in bases]
    tried = [True] if why == "a meaning" else []
    assert below == [False, False, *tried, False, *tried, False]
    if why == amount("a meaning", why):
        assert_equal(index, built(tmp_path / "scratch.db", small, setup, from_scratch=True))


def test_dependencies_are_a_layer_of_their_own_where_no_other_will_do(small: Sbcl, tmp_path: Path) -> None:
    moved, project = tmp_path / "moved.lisp", tmp_path / "project"
    moved.write_text(f'(sb-ext:set-sbcl-source-location "{tmp_path}/")\n')
    project.mkdir()
    (project / "lonely.asd").write_text('(defsystem "lonely")\n')
    layer = make_libraries(small, (), Setup([project], [moved]), lambda _: None)
    with closing(sqlite3.connect(layer.index)) as connection:
        ((path,),) = connection.execute("SELECT path FROM roots WHERE name = 'sbcl'")
    assert path == f"{tmp_path}/"
    follower = Follower(tmp_path / "i.db", small, (), Setup([project], [moved]), command="tests")
    assert (step := follower.refresh()).broken is None, step.broken
    assert follower.follow() is None


@pytest.fixture
def followed(small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FollowedProject:
    shutil.copytree(with_small_libraries(monkeypatch), tmp_path / "sample")
    return FollowedProject(small, tmp_path / "sample", tmp_path / "work", monkeypatch)


def added(source: Path, text: str) -> None:
    with source.open("a") as file:
        file.write(f"\n{text}\n")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The cores that refreshes start from now on."""
    cores: list[Path] = []

    def start(sbcl: Sbcl, code: Path, core: Path, *more: Any, **options: Any) -> subprocess.Popen[bytes]:
        cores.append(core)
        return start_refresh(sbcl, code, core, *more, **options)

    monkeypatch.setattr("oblist.indexer.refresh.project.start_refresh", start)
    return cores


def part_of(followed: FollowedProject) -> Layer | None:
    """The layer with most of the project, once none is being made."""
    followed.follower.wait_for_parts()
    assert followed.follower._base is not None
    return followed.follower._parts.best(followed.follower._base, followed.follower._states)


def equals_a_build(followed: FollowedProject) -> None:
    assert followed.rebuild()
    assert followed.findings() == []


def test_a_watch_goes_on_from_what_a_build_has_made(small: Sbcl, followed: FollowedProject) -> None:
    path, setup = followed.follower.index.path, Setup([followed.project])
    build_index(path, ImagePlan(small, (), setup), command="tests", snapshot=True)
    adopted = followed.follower.adopt()
    assert adopted is not None and adopted.broken is None
    assert not followed.follower.values_are_old
    last = followed.project / "commands.lisp"
    sound = last.read_text()
    added(last, "(defun first-addition (x")
    assert Follower(path, small, (), setup, command="tests").adopt() is None  # of other sources
    with pytest.raises(NotCompilableError):  # its last good state is that of the build
        followed.refresh()
    with open_index(path) as index:
        assert isinstance(index.describe("first-addition", package="GAZETTE"), NotFound)
    last.write_text(sound)
    followed.refresh()
    equals_a_build(followed)


@pytest.mark.full
def test_a_part_without_its_threads_is_given_up_when_a_file_waits_for_them(
    small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[Path]
) -> None:
    monkeypatch.setattr("oblist.indexer.refresh.project._PATIENCE_SECONDS", 2.0)
    threads, waits = NOT_ON_DEPENDENCIES["threads"]
    files = {"first": threads, "second": "", "third": "", "last": waits}
    project = tmp_path / "pool"
    project.mkdir()
    components = " ".join(f'(:file "{name}")' for name in files)
    (project / "pool.asd").write_text(f'(defsystem "pool" :serial t :components ({components}))\n')
    for name, source in files.items():
        package = '(defpackage "LIBRARY" (:use "CL"))\n' if name == "first" else ""
        (project / f"{name}.lisp").write_text(f'{package}(in-package "LIBRARY")\n{source}\n')
    followed = FollowedProject(small, project, tmp_path / "work", monkeypatch)
    followed.refresh()
    for number in range(3):
        added(project / "last.lisp", f"(defun addition-{number} (x) (list x))")
        started.clear()
        followed.refresh()
        followed.follower.wait_for_parts()
        # After the first there is a part, the second finds that it does not do, the third does without.
        assert followed.follower._base is not None
        below = [core == followed.follower._base.core for core in started]
        assert all(below) == (number != 1) and below[-1]
    equals_a_build(followed)


def test_what_is_made_below_an_edit_serves_the_next(
    small: Sbcl, followed: FollowedProject, started: list[Path]
) -> None:
    followed.refresh()
    last = followed.project / "commands.lisp"
    added(last, "(defun first-addition (x) (list x))")
    followed.refresh()
    part = part_of(followed)
    assert part is not None
    assert str(last) not in part.inputs
    assert str(followed.project / "syntax.lisp") in part.inputs
    started.clear()
    added(last, "(defun second-addition (x) (first-addition x))")
    followed.refresh()
    assert started == [part.core]
    equals_a_build(followed)
    # The next watch begins with it, as that file is the one that was saved last.
    later = Follower(followed.follower.index.path, small, (), Setup([followed.project]), command="tests")
    assert later.adopt() is not None
    later.begin_part()
    assert later._parts._thread is None
    assert later._base is not None
    assert later._parts.best(later._base, later._states) == part
    # A file that it has is compiled again: it does not do.
    os.utime(followed.project / "syntax.lisp")
    added(last, "(defun another-addition (x) (first-addition x))")
    started.clear()
    followed.refresh()
    assert len(started) == 2
    equals_a_build(followed)
    # What it was made from has changed: it does not serve any more.
    added(followed.project / "syntax.lisp", "(defun third-addition (x) (list x))")
    assert part_of(followed) is None


FORWARD = """
(in-package :gazette)
(defgeneric tell (what) (:method ((what string)) what))
(defclass before () ((slot :initform 'later :reader slot-of)))
(defmethod tell ((what before)) (declare (notinline after)) (after (slot-of what) 'later))
(defmethod print-object ((it before) stream) (princ (tell it) stream))
(defvar *before* (lambda (x) (declare (notinline after)) (after x x)))
"""
LATER = """(in-package gazette)
(defun later (x) (list x))
(defmacro after (x y) `(list ,x ,y))
(defun told (x) (after x :gazette))
"""


def test_what_a_layer_mentions_is_deferred(followed: FollowedProject, started: list[Path]) -> None:
    """The text of a file names what another defines later, and a package by a keyword that is read later."""
    syntax, last = (followed.project / f"{name}.lisp" for name in ("syntax", "commands"))
    added(syntax, FORWARD)
    followed.refresh()
    added(last, "(defun something (x) (list x))")
    followed.refresh()
    part = part_of(followed)
    assert part is not None
    started.clear()
    added(last, LATER)
    followed.refresh()
    assert started[0] == part.core
    assert len(started) > 1, "it did not do"
    part = part_of(followed)
    assert part is not None
    assert part.facts.expected
    for addition in ("(defun another (x) (after x 'later))", "(defmethod tell ((what list)) (later what))"):
        started.clear()
        added(last, addition)
        followed.refresh()
        assert started == [part.core]
    equals_a_build(followed)
    # A method of the deferred file is replaced above it.
    added(last, "(defmethod tell ((what before)) (list what))")
    followed.refresh()
    equals_a_build(followed)


PARTS_FIRST = """
(defsystem "town/core" :components ((:file "one") (:file "two") (:file "three")))
(defsystem "town" :depends-on ("town/core") :serial t :components ((:file "four") (:file "five")))
"""


def test_a_system_that_comes_later_owns_its_folder_in_a_layer(
    small: Sbcl, tmp_path: Path, started: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "town"
    project.mkdir()
    (project / "town.asd").write_text(PARTS_FIRST)
    for name in ("one", "two", "three", "four", "five"):
        (project / f"{name}.lisp").write_text(f'(defpackage "TOWN-{name}" (:use "CL"))\n')
    followed = FollowedProject(small, project, tmp_path / "work", monkeypatch)
    followed.refresh()
    last = project / "four.lisp"
    added(last, "(defun hall (x) (list x))")
    followed.refresh()
    part = part_of(followed)
    assert part is not None
    assert part.facts.owners == ["town"]
    started.clear()
    added(last, "(defun market (x) (hall x))")
    followed.refresh()
    assert started == [part.core]
    equals_a_build(followed)


def test_a_full_disk_costs_a_refresh_and_not_the_watch(
    followed: FollowedProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed.refresh()
    added(
        followed.project / "commands.lisp",
        f'(defun longer () "{random.Random(1).randbytes(2_000_000).hex()}")',
    )
    with monkeypatch.context() as patch:
        full = (*UNPUBLISHED, "PRAGMA max_page_count = 1")  # as many as there are
        patch.setattr("oblist.indexer.write.engine.UNPUBLISHED", full)
        broken = followed.follower.refresh().broken
    assert isinstance(broken, OutputError)
    assert "full" in str(broken)
    with open_index(followed.follower.index.path) as index:
        assert isinstance(index.describe("gazette::longer"), NotFound)
    followed.refresh()
    with open_index(followed.follower.index.path) as index:
        assert isinstance(index.describe("gazette::longer"), DescribeAnswer)


def test_files_that_refer_forward_are_deferred(tmp_path: Path) -> None:
    files = [f"/project/{name}.lisp" for name in ("a", "b", "c", "d", "e")]
    with closing(sqlite3.connect(tmp_path / "index.db")) as connection, connection:
        connection.executescript("""
            CREATE TABLE source_files (id, path, root_id); CREATE TABLE roots (id, system_id);
            CREATE TABLE systems (id, name); CREATE TABLE definitions (symbol_id, kind, file_id);
            CREATE TABLE callers (id, file_id); CREATE TABLE relations (id, relation);
            CREATE TABLE packages (id, name); CREATE TABLE symbols (id, package_id, name);
            CREATE TABLE used_symbols (symbol_id, first_id, last_id);
            CREATE TABLE symbol_references (id, callee_id, caller_id, relation_id);
            INSERT INTO packages VALUES (1, 'P');
            INSERT INTO roots VALUES (0, NULL), (1, 1); INSERT INTO systems VALUES (1, 'project');
            INSERT INTO relations VALUES (1, 'calls'), (2, 'exports');""")
        for number, path in enumerate(files):
            connection.execute("INSERT INTO source_files VALUES (?, ?, ?)", [number, path, number > 0])
            connection.execute("INSERT INTO callers VALUES (?, ?)", [number, number])
            connection.execute("INSERT INTO definitions VALUES (?, 'function', ?)", [number, number])
            connection.execute("INSERT INTO symbols VALUES (?, 1, ?)", [number, path[9].upper()])
        # a exports all; b calls what d defines; e calls what a defines
        rows = [*((number, 0, 2) for number in range(5)), (3, 1, 1), (0, 4, 1)]
        for number, row in enumerate(rows):
            connection.execute("INSERT INTO symbol_references VALUES (?, ?, ?, ?)", [number, *row])
            connection.execute("INSERT INTO used_symbols VALUES (?, ?, ?)", [row[0], number, number])
    found = [split_below(tmp_path / "index.db", files, edited) for edited in range(5)]
    assert [split.below for split in found] == files
    assert [split.deferred for split in found] == [[], [], [files[1]], [files[1]], []]
    assert [split.owners for split in found] == [[], [], *([["project"]] * 3)]
    assert [split.defined_above for split in found[3:]] == [[("P", "D"), ("P", "E")], [("P", "E")]]
    assert split_below(tmp_path / "index.db", files, 4, {files[2], files[4]}).deferred == [files[2]]


def test_the_least_recently_used_layers_are_dropped_but_none_in_use(
    tmp_path: Path, small: Sbcl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("OBLIST_CACHE_SIZE", "3000")
    (tmp_path / "oblist" / "code").mkdir(parents=True)
    known = LayerFacts({}, what="a layer", code="code", sbcl="2.2.9")

    def make(index: Path, core: Path) -> LayerFacts:
        index.write_bytes(b"x" * 500)
        core.write_bytes(b"x" * 500)
        return known

    folders = [store.layer_folder(number) for number in range(4)]
    for age, folder in enumerate(folders):
        store.make_layer(folder, small, tmp_path, make)
        os.utime(folder, (time.time() - 3600 * (4 - age),) * 2)
    for folder in (folders[1], folders[3]):
        os.utime(folder)
    assert [one.path for one in cache.prune()] == [folders[2], folders[0]]
    assert [one.what for one in cache.entries()] == ["a layer", "a layer"]
    assert store.find_layer(folders[1], small, tmp_path) is not None
    assert store.find_layer(folders[0], small, tmp_path) is None
    # The list says why a layer could not be made, until it has been, and which ones no build can find.
    store.note_why_not(folders[0], replace(known, why_not="There are other threads."))
    store.note_why_not(folders[1], replace(known, why_not="It is there."))
    assert store.find_layer(folders[0], small, tmp_path) is None
    assert {one.path: one.useless for one in cache.entries()} == {
        folders[0]: "There are other threads.",
        folders[1]: None,
        folders[3]: None,
    }
    store.make_layer(folders[0], small, tmp_path, make)
    assert store.find_layer(folders[0], small, tmp_path) is not None
    # One of a version that did not note which one it was: it goes with the next build.
    older = store.layer_folder("older")
    store.make_layer(older, small, tmp_path, make)
    facts = json.loads((older / "layer.json").read_text())
    del facts["made_by"]
    (older / "layer.json").write_text(json.dumps(facts))
    os.utime(older, (time.time() - 3600,) * 2)
    assert [(one.path, one.useless) for one in cache.prune()] == [
        (older, "it was made by another version of SBCL or oblist")
    ]
    (tmp_path / "oblist" / "code").rmdir()
    assert {one.useless for one in cache.entries()} == {"it was made by another version of SBCL or oblist"}
    # What a killed process has left.
    shutil.rmtree(folders[3])
    with subprocess.Popen(["true"]) as killed:
        killed.wait()
    left, kept = (folders[3].with_name(f"making-{process}-left") for process in (killed.pid, os.getpid()))
    left.mkdir()
    kept.mkdir()
    assert store.find_layer(folders[3], small, tmp_path) is None
    assert (left.exists(), kept.exists()) == (False, True)


def test_a_cache_that_cannot_be_written_costs_only_time(
    small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "cache"
    share_code(home)
    layers = home / "oblist" / "layers"
    shutil.rmtree(layers)
    layers.write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    index = built(tmp_path / "oblist.db", small, Setup(), from_scratch=False)
    with closing(sqlite3.connect(index)) as connection:
        assert contradictions(connection) == []
    assert layers.read_text() == "in the way"


@pytest.mark.parametrize("at", ["first", "its start", "its load"])
def test_a_part_that_is_being_made_is_given_up_at_the_end(
    followed: FollowedProject, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    """Nothing that a thread has started, or is starting at that moment, is left running."""
    added(followed.project / "commands.lisp", "(defun first-addition (x) (list x))")
    followed.refresh()
    asked, may_start = Event(), Event()
    processes: list[subprocess.Popen[bytes]] = []

    def start(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        asked.set()
        assert may_start.wait(SECONDS)
        processes.append(start_refresh(*arguments, **options))
        return processes[-1]

    monkeypatch.setattr("oblist.indexer.refresh.project.start_refresh", start)
    monkeypatch.setattr("oblist.indexer.watch.follower._CLOSE_SECONDS", SECONDS)
    if at == "first":
        followed.follower.close()
        followed.follower.begin_part()
        followed.follower.wait_for_parts()
        assert not asked.is_set()
        return
    followed.follower.begin_part()
    assert asked.wait(SECONDS)
    closing_it = Thread(target=followed.follower.close)
    if at == "its load":
        may_start.set()
        until(lambda: bool(processes), "the start of SBCL")
    closing_it.start()
    may_start.set()
    closing_it.join(SECONDS)
    assert not closing_it.is_alive()
    assert [process.returncode for process in processes] == [-signal.SIGKILL]
