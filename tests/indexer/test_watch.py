"""Watch: the next answer has what a saved file defines, and nothing that was deleted."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.indexer.watch.file_changes import follow
from oblist.indexer.watch.follower import Follower, RefreshStep
from oblist.lisp.images import Setup
from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import DescribeAnswer
from oblist.query.values.live import live_values
from support.builds.small_sbcl import small_sbcl
from support.command import oblist, processes_with, start_oblist
from support.projects.watching import (
    BURST,
    LATER,
    SECONDS,
    SOURCE,
    Project,
    begin_watching,
    line_of,
    shared_project,
    until,
    wait_until_it_watches,
    watching,
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return shared_project(tmp_path_factory)


@pytest.fixture
def watcher(project: Project) -> Iterator[subprocess.Popen[str]]:
    project.reset()
    with watching(project) as process:
        yield process


@pytest.mark.full  # test_edits_equal.py compares without the command
def test_once_makes_the_index_that_a_build_makes(project: Project, tmp_path: Path) -> None:
    project.reset()
    done = project.once("--force")
    assert done.returncode == 0, done.stderr
    assert project.differences_from_a_build(tmp_path) == ""


def test_once_does_nothing_when_nothing_has_changed(project: Project) -> None:
    project.reset()
    assert project.once().returncode == 0
    inode = project.index.stat().st_ino
    assert "nothing has changed" in project.once().stdout
    assert project.index.stat().st_ino == inode
    project.source.write_text(SOURCE + "(defvar *more* 1)\n")
    assert project.once().stdout.startswith("+ watched::*more* (")
    assert project.index.stat().st_ino != inode
    inode = project.index.stat().st_ino
    assert "nothing has changed" not in project.once("--force").stdout
    assert "nothing has changed" not in project.once("--no-sources").stdout


def test_what_is_saved_is_found_and_what_is_gone_is_gone(project: Project, watcher: object) -> None:
    assert project.has("watched:first-one")
    project.source.write_text(SOURCE.replace("first-one (x)", "other-one (x y)"))
    project.wait_for_name("other-one")
    answer = project.described("watched:first-one")  # still exported, but no longer a function
    assert isinstance(answer, DescribeAnswer)
    assert answer.type == "symbol"
    project.source.write_text(SOURCE + "(defmethod make-load-form ((x (eql :more)) &optional e) e)\n")
    project.wait_for(lambda: not project.has("watched::other-one"), "the name that is gone")
    methods = project.described("make-load-form")
    assert isinstance(methods, DescribeAnswer)
    assert {"((EQL :WATCHED))", "((EQL :MORE))"} <= {one.specializers for one in methods.definitions}


def test_each_refresh_is_told_in_a_line(project: Project, watcher: subprocess.Popen[str]) -> None:
    assert watcher.stdout is not None
    line_of(watcher.stdout.fileno(), watcher)  # of the beginning
    project.source.write_text(SOURCE.replace("first-one (x)", "first-one (x y)") + "(defvar *told* 1)\n")
    line = line_of(watcher.stdout.fileno(), watcher)
    assert line.startswith("+ watched::*told*  ~ watched:first-one ("), line


# However it is saved


def test_a_save_by_rename_is_seen(project: Project, watcher: object) -> None:
    beside = project.source.with_suffix(".new")
    beside.write_text(SOURCE + "(defun by-rename () 1)\n")
    beside.replace(project.source)
    project.wait_for_name("by-rename")


def test_a_save_in_two_steps_is_seen(project: Project, watcher: object) -> None:
    with project.source.open("w") as file:
        file.flush()
        time.sleep(0.2)
        file.write(SOURCE)
        file.flush()
        time.sleep(0.2)
        file.write("(defun in-two-steps () 1)\n")
    project.wait_for_name("in-two-steps")
    assert project.has("watched:first-one")


def test_a_burst_of_files_is_seen_whole(project: Project, watcher: object) -> None:
    for name in BURST:
        project.write(name, f"of-{name}")
    project.wait_for_name(f"of-{BURST[-1]}")
    assert [name for name in BURST if not project.has(f"watched::of-{name}")] == []
    project.reset()
    project.wait_for(lambda: not project.has(f"watched::of-{BURST[-1]}"), "the names that are gone")
    assert [name for name in BURST if project.has(f"watched::of-{name}")] == []


def test_a_save_through_a_link_is_seen(project: Project, watcher: object) -> None:
    project.elsewhere.write_text('(in-package "WATCHED")\n(defun through-the-link () 1)\n')
    project.wait_for_name("through-the-link")


@pytest.mark.full
def test_a_project_that_is_reached_through_a_link_is_watched(project: Project, tmp_path: Path) -> None:
    project.reset()
    link = tmp_path / "link"
    link.symlink_to(project.folder, target_is_directory=True)
    linked = Project.__new__(Project)
    linked.__dict__ |= {**project.__dict__, "folder": link, "index": link / ".oblist" / "oblist.db"}
    with watching(linked):
        project.source.write_text(SOURCE + "(defun beyond-the-link () 1)\n")
        linked.wait_for_name("beyond-the-link")


def test_a_folder_that_appears_later_is_watched(project: Project, watcher: object) -> None:
    shutil.rmtree(project.folder / "later")
    project.wait_for(project.broken, "the mark that a file is missing")
    project.write(LATER, "later")
    project.wait_for_name("later")
    project.write(LATER, "still-later")
    project.wait_for_name("still-later")
    assert not project.has("watched::later")


@pytest.mark.full
def test_a_change_of_what_the_project_depends_on_is_seen(tmp_path: Path) -> None:
    project = Project(tmp_path)
    needed = tmp_path / "needed"
    needed.mkdir()
    (needed / "needed.asd").write_text('(asdf:defsystem "needed" :components ((:file "needed")))\n')
    source = needed / "needed.lisp"
    source.write_text('(defpackage "NEEDED" (:use "CL"))\n(defun needed::one () 1)\n')
    text = '(asdf:defsystem "watched" :depends-on ("needed") :components ((:file "watched")))\n'
    (project.folder / "watched.asd").write_text(text)
    project.environment["CL_SOURCE_REGISTRY"] += f"{needed}:"
    with watching(project):
        assert project.has("needed::one")
        source.write_text('(defpackage "NEEDED" (:use "CL"))\n(defun needed::two () 1)\n')
        project.wait_for(lambda: project.has("needed::two"), "the new name")
        assert not project.has("needed::one")


def test_a_project_that_starts_threads_while_it_loads_is_refreshed(project: Project) -> None:
    project.reset()
    thread = '(sb-thread:make-thread (lambda () (sleep 600)) :name "theirs")\n'
    project.source.write_text(SOURCE + thread)
    assert project.once("--force").returncode == 0
    project.write("linked", "after-the-thread")
    done = project.once()
    assert done.returncode == 0, done.stderr
    assert project.has("watched::after-the-thread")
    project.reset()


def test_a_project_that_lacks_what_it_uses_is_told_who_uses_it(project: Project) -> None:
    project.reset()
    text = SOURCE + "(defmacro wanted () 1)\n(defvar *made* (wanted))\n"
    project.source.write_text(text)
    assert project.once().returncode == 0
    project.source.write_text(text.replace("defmacro wanted", "defmacro renamed"))
    done = project.once()
    assert done.returncode == 1
    assert "its last good state stays" in done.stderr
    said = (
        "oblist: there is no function or macro wanted: watched.lisp does not define it any more; it is used"
    )
    assert said in done.stderr
    assert f"watched.lisp:{len(text.splitlines())}" in done.stderr
    project.reset()


def test_documentation_that_a_project_gives_to_others_is_told_and_forgotten(project: Project) -> None:
    def documented(name: str) -> str | None:
        described = project.described(name)
        assert isinstance(described, DescribeAnswer)
        return described.documentation

    project.reset()
    assert project.once().returncode == 0
    names = {"asdf:load-system": "function", "asdf:component": "type", "asdf:*central-registry*": "variable"}
    before = {name: documented(name) for name in names}
    given = "".join(f"(setf (documentation '{name} '{kind}) \"Ours.\")\n" for name, kind in names.items())
    project.source.write_text(f"{SOURCE}(sb-ext:without-package-locks\n{given})")
    assert project.once().returncode == 0
    assert {name: documented(name) for name in names} == dict.fromkeys(names, "Ours.")
    project.reset()
    assert project.once().returncode == 0
    assert {name: documented(name) for name in names} == before


def test_what_is_compiled_while_it_loads_is_seen(project: Project) -> None:
    project.reset()
    project.source.write_text(SOURCE + '(eval-when (:load-toplevel) (asdf:load-system "watched/tests"))\n')
    assert project.once().returncode == 0
    project.write("unplanned", "compiled-late")  # a system that only a source names: ASDF plans nothing
    done = project.once()
    assert done.returncode == 0, done.stderr
    assert project.has("watched::compiled-late")
    project.reset()


@pytest.mark.full
def test_an_init_file_at_home_is_followed_but_not_all_that_is_there(tmp_path: Path) -> None:
    project = Project(tmp_path)
    init = tmp_path / ".sbclrc"
    init.write_text("(defun cl-user::from-init () 1)\n")
    environment = {**project.environment, "HOME": str(tmp_path)}
    process = start_oblist("watch", project.folder, "--no-snapshot", environment=environment)
    try:
        assert f"watching {project.folder};" in wait_until_it_watches(process)
        project.wait_for(lambda: project.has("cl-user::from-init"), "what the init file defines")
        init.write_text("(defun cl-user::from-init-now () 1)\n")
        project.wait_for(lambda: project.has("cl-user::from-init-now"), "what it defines now")
        assert not project.has("cl-user::from-init")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SECONDS)


# What does not load


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ('"_exit" (function sb-alien:void sb-alien:int)) 0', "ended with code 0"),
        pytest.param(
            '"raise" (function sb-alien:int sb-alien:int)) 9', "ended by signal 9", marks=pytest.mark.full
        ),
    ],
)
def test_a_compiler_that_is_lost_is_told_of(project: Project, call: str, words: str) -> None:
    leaving = f"(eval-when (:compile-toplevel) (sb-alien:alien-funcall (sb-alien:extern-alien {call}))\n"
    project.index.unlink(missing_ok=True)
    for has_loaded in (False, True):
        project.source.write_text(SOURCE + leaving + "(defun never-seen () 1)\n")
        done = project.once()
        assert done.returncode == 1
        assert words in done.stderr, has_loaded
        assert "watched.lisp" in done.stderr
        assert not project.has("watched::never-seen")
        assert project.has("watched:first-one") == has_loaded
        assert project.broken()
        project.reset()
        assert project.once().returncode == 0
        assert not project.broken()


def test_a_project_that_does_not_load_keeps_its_last_good_index(project: Project, watcher: object) -> None:
    project.source.write_text(SOURCE + "(defun broken (\n")
    project.wait_for(project.broken, "the mark")
    answer = project.described("watched:first-one")
    assert isinstance(answer, DescribeAnswer)
    assert answer.type == "function"
    assert answer.stale
    assert answer.stale_reason is not None
    assert "watched.lisp, line 5" in answer.stale_reason
    info = oblist("info", "--index", project.index).stdout
    assert "system watched no longer loads (" in info
    assert "watched.lisp:5), so its last good state is shown: " in info
    unknown = oblist("xref", "watched::nope", "--index", project.index)
    assert unknown.returncode == 1
    assert "watched.lisp:5)" in unknown.stderr
    project.source.write_text(SOURCE + "(defun mended () 1)\n")
    project.wait_for_name("mended")
    assert not project.broken()


def test_once_says_what_does_not_load(project: Project) -> None:
    project.reset()
    assert project.once().returncode == 0
    project.source.write_text(SOURCE + '(error "Not on a Sunday.")\n')
    done = project.once()
    assert done.returncode == 1
    assert "Not on a Sunday." in done.stderr
    assert "Traceback" not in done.stderr
    project.reset()
    assert "nothing has changed" not in project.once().stdout, "a broken index is refreshed"
    assert not project.broken()


@pytest.mark.full
def test_a_project_that_never_loaded_has_an_index_of_what_it_depends_on(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.source.write_text("(car\n")
    done = project.once()
    assert done.returncode == 1
    assert "(the rest is indexed)" in done.stderr
    assert not project.broken()
    with open_index(project.index) as index:
        assert [one.stage for one in index.problems(everything=False).problems] == ["load"]
    assert not project.has("watched:first-one")
    assert project.has("cl:mapcar")
    project.reset()
    assert project.once().returncode == 0
    assert project.has("watched:first-one")
    assert not project.broken()


# Beginning and end


@pytest.mark.full
def test_a_project_that_is_deleted_ends_the_watch_and_stays_deleted(tmp_path: Path) -> None:
    project = Project(tmp_path)
    with watching(project) as watcher:
        shutil.rmtree(project.folder)
        _, errors = watcher.communicate(timeout=SECONDS)
    assert watcher.returncode == 1
    assert f"{project.folder} is gone" in errors
    assert "Traceback" not in errors
    assert not project.folder.exists()


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_and_leaves_nothing(
    project: Project, watcher: subprocess.Popen[str], end: signal.Signals
) -> None:
    watcher.send_signal(end)
    _, errors = watcher.communicate(timeout=SECONDS)
    assert watcher.returncode == 0
    assert not re.search("Traceback|KeyboardInterrupt", errors)
    assert processes_with(str(project.folder)) == []
    left = sorted(path.name for path in project.index.parent.iterdir())
    assert left == [".gitignore", "oblist.db"]


def test_ctrl_c_gives_up_a_refresh_that_compiles(
    project: Project, watcher: subprocess.Popen[str], tmp_path: Path
) -> None:
    mark = tmp_path / "compiling"
    wait = f'(eval-when (:compile-toplevel) (open "{mark}" :direction :output) (sleep {SECONDS}))\n'
    project.source.write_text(SOURCE + wait)
    until(mark.exists, "the compilation")
    watcher.send_signal(signal.SIGINT)
    _, errors = watcher.communicate(timeout=SECONDS / 4)
    assert (watcher.returncode, "Traceback" in errors) == (0, False)
    until(lambda: processes_with(str(project.folder)) == [], "the end of what it started")
    assert sorted(path.name for path in project.index.parent.iterdir()) == [".gitignore", "oblist.db"]
    assert project.has("watched:first-one") and not project.broken()


def test_one_watches_and_the_next_says_who_or_waits(project: Project, watcher: subprocess.Popen[str]) -> None:
    refused = project.once()
    assert refused.returncode == 1
    assert f"process {watcher.pid} on " in refused.stderr
    given_up = project.once("--wait", "--wait-timeout", "2")
    assert given_up.returncode == 1
    assert "Waiting for it to end, for 2 s at most." in given_up.stderr
    assert given_up.stderr.count(f"process {watcher.pid} on ") == 2  # before waiting and after
    waiting = begin_watching(project, "--wait")
    try:
        assert waiting.stderr is not None
        assert f"process {watcher.pid} on " in line_of(waiting.stderr.fileno(), waiting)
        watcher.send_signal(signal.SIGINT)
        wait_until_it_watches(waiting)
    finally:
        waiting.send_signal(signal.SIGINT)
        waiting.communicate(timeout=SECONDS)


def test_values_follow_when_it_is_quiet(
    project: Project, small: Sbcl, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in project.environment.items():
        monkeypatch.setenv(name, value)
    project.reset()
    project.source.write_text(SOURCE + "(defvar *count* 1)\n")
    follower = Follower(project.index, small, (), Setup([project.folder], (), None, False), command="tests")
    stop = threading.Event()
    steps: list[RefreshStep] = []
    began = threading.Event()
    thread = threading.Thread(
        target=follow,
        args=(follower, stop, steps.append),
        kwargs={"values_seconds": 0.5, "watching": lambda _: began.set()},
    )

    def value() -> str | None:
        with open_index(project.index, values=live_values(SECONDS)) as index:
            answer = index.describe("watched::*count*")
            assert isinstance(answer, DescribeAnswer)
            return f"{answer.value} {answer.value_note}"

    thread.start()
    try:
        assert began.wait(SECONDS)
        assert [step.broken for step in steps] == [None]
        until(lambda: value() == "1 None", "the value of the image")
        project.source.write_text(SOURCE + "(defvar *count* 2)\n")
        until(lambda: "predates" in str(value()), "the note that the value is older")
        assert str(value()).startswith("1 ")
        until(lambda: value() == "2 None", "the value after the edit")
    finally:
        stop.set()
        thread.join(SECONDS)
        follower.close()
    assert [step.broken for step in steps] == [None, None]


def test_what_cannot_be_saved_is_not_tried_again_nor_what_is_saved(
    project: Project, small: Sbcl, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in project.environment.items():
        monkeypatch.setenv(name, value)
    project.reset()
    threads = "(sb-thread:make-thread (lambda () (loop (sleep 1))))\n"

    def needs_saving(text: str, again: str) -> list[bool]:
        project.source.write_text(SOURCE + text)
        found = []
        for attempt in ("refresh", again):
            setup = Setup([project.folder], (), None, False)
            follower = Follower(project.index, small, (), setup, command="tests")
            getattr(follower, attempt)()
            found.append(follower.values_are_old)
            if follower.values_are_old:
                follower.begin_saving_values()
                follower.adopt_saved_values(wait=True)
            follower.close()
        return found

    assert needs_saving(threads, "adopt") == [True, False]
    assert needs_saving("", "refresh") == [True, False]


def test_an_index_that_nothing_has_changed_is_not_built_again(project: Project, tmp_path: Path) -> None:
    project.reset()
    path = tmp_path / "oblist.db"
    arguments = ["index", "--project", project.folder, "--no-userinit", "--output", path]
    environment = {**project.environment, "OBLIST_NO_SNAPSHOT": "1"}
    assert oblist(*arguments, environment=environment).returncode == 0
    inode = path.stat().st_ino
    for left in (".oblist.db.lock", ".oblist.db.building"):  # by a build that was killed
        (tmp_path / left).write_text("")
    again = oblist(*arguments, environment=environment)
    assert (again.returncode, path.stat().st_ino) == (0, inode)
    assert [one.name for one in tmp_path.glob("*oblist.db*")] == ["oblist.db"]
    assert "none of its inputs has changed" in again.stdout
    project.source.touch()
    assert oblist(*arguments, environment=environment).returncode == 0
    assert path.stat().st_ino == inode, "the same contents"
    project.source.write_text(SOURCE + "(defvar *more* 1)\n")
    assert oblist(*arguments, "--no-sources", environment=environment).returncode == 0
    assert path.stat().st_ino != inode


BROKEN_SBCLS = {
    "is gone": (lambda program: program.unlink(), "does not start: No such file or directory"),
    "is no program": (lambda program: program.write_bytes(b"\x7fELF"), "does not start: Exec format error"),
    "has no core": (
        lambda program: program.write_text(
            '#!/bin/sh\necho "core was built for another runtime" >&2; exit 1\n'
        ),
        "core was built for another runtime",
    ),
}


@pytest.mark.full  # layers of an SBCL of its own; test_fake_sbcls.py asks for the words
def test_an_sbcl_that_changes_under_a_watch_is_told_and_may_come_back(
    project: Project, tmp_path: Path
) -> None:
    project.reset()
    program = tmp_path / "sbcl"

    def install() -> None:
        """The same one each time, by its size and date: its layers are made once."""
        program.write_text(f'#!/bin/sh\nexec {small_sbcl().path} "$@"\n')
        program.chmod(0o755)
        os.utime(program, (1e9, 1e9))

    install()
    with watching(project, "--sbcl", str(program)) as watcher:
        assert watcher.stderr is not None
        for how, (change, words) in BROKEN_SBCLS.items():
            name = how.replace(" ", "-")
            change(program)
            project.source.write_text(f"{SOURCE}(defun while-it-{name} () 1)\n")
            said = ""
            while "last good index" not in said:
                said += line_of(watcher.stderr.fileno(), watcher)
            assert words in said and str(program) in said, said
            assert "answers come from the last good index" in said
            assert not project.has(f"watched::while-it-{name}")
            install()
            project.source.write_text(f"{SOURCE}(defun after-it-{name} () 1)\n")
            project.wait_for_name(f"after-it-{name}")
