"""Watchers that are killed, readers that ask all the time, and builds at the same time."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from oblist.indexer.check.contradictions import contradictions
from oblist.query import open_index
from oblist.query.answers import PackageAnswer
from support.command import OBLIST, processes_with
from support.projects.watching import (
    SECONDS,
    SOURCE,
    Project,
    begin_watching,
    shared_project,
    until,
    watching,
)

READERS = 8
NAMES = ("alpha", "beta", "gamma", "delta")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    made = shared_project(tmp_path_factory)
    assert made.once().returncode == 0
    return made


def children_of(process: int) -> list[int]:
    """The processes that this one has started and that are still running."""
    try:
        return [
            int(number) for number in Path(f"/proc/{process}/task/{process}/children").read_text().split()
        ]
    except OSError:
        return []


def kill(processes: list[int]) -> None:
    for number in processes:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def assert_whole(index: Path) -> None:
    with closing(sqlite3.connect(index)) as connection:
        assert connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        assert list(contradictions(connection)) == []


def kill_at_random(project: Project, times: int, seed: int) -> None:
    """Watch, edit, and kill the watcher, its SBCL, or both, at any moment."""
    draw = random.Random(seed)
    for number in range(times):
        victims = draw.choice(["watcher", "lisp", "both"])
        process = begin_watching(project)
        until_it_ends = time.monotonic() + draw.uniform(0.0, 3.0)
        edits = 0
        while time.monotonic() < until_it_ends:
            edits += 1
            project.source.write_text(SOURCE + f"(defun killed-{number}-{edits} () {edits})\n")
            time.sleep(draw.uniform(0.0, 0.6))
        children = children_of(process.pid)
        kill(
            {
                "watcher": [process.pid],
                "lisp": children,
                "both": [process.pid, *children],
            }[victims]
        )
        if victims == "lisp":
            project.source.write_text(SOURCE + f"(defun killed-{number}-last () 0)\n")
            project.wait_for_name(f"killed-{number}-last")
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=SECONDS)
        until(lambda: not processes_with(str(project.folder.parent)), "the end of all that was started")
        assert_whole(project.index)


def assert_recovered(project: Project) -> None:
    project.source.write_text(SOURCE + "(defun recovered () 1)\n")
    done = project.once()
    assert done.returncode == 0, done.stderr
    assert project.has("watched::recovered")
    left = sorted(path.name for path in project.index.parent.iterdir())
    assert left == [".gitignore", "oblist.db"]
    left = [path for path in project.cache.rglob("*") if path.name.startswith(("making-", "saving-"))]
    assert left == []


def test_killed_at_random(project: Project) -> None:
    kill_at_random(project, 1, seed=6)
    assert_recovered(project)


@pytest.mark.full
def test_killed_fifty_times_at_random(project: Project, tmp_path: Path) -> None:
    kill_at_random(project, 50, seed=60)
    assert_recovered(project)
    assert project.differences_from_a_build(tmp_path) == ""


@pytest.mark.full
def test_killed_while_a_layer_is_made(tmp_path: Path) -> None:
    project = Project(tmp_path)
    layers = project.cache / "oblist" / "layers"
    for layer in layers.iterdir():  # those that tests share
        layer.unlink() if layer.is_symlink() else shutil.rmtree(layer)
    process = begin_watching(project)
    until(lambda: any(layers.glob("making-*")), "the making of a layer")
    process.kill()
    process.communicate(timeout=SECONDS)
    until(lambda: not processes_with(str(tmp_path)), "the end of SBCL")
    assert not project.index.exists()
    assert_recovered(project)


def generation_source(generation: int) -> str:
    exports = " ".join(f'"{name.upper()}"' for name in NAMES)
    functions = "".join(
        f'(defun {name} (x) "Of generation {generation}." (list x {generation}))\n' for name in NAMES
    )
    return f'(defpackage "WATCHED" (:use "CL") (:export {exports}))\n(in-package "WATCHED")\n{functions}'


def test_readers_see_one_generation_at_a_time_and_no_error(project: Project) -> None:
    project.source.write_text(generation_source(0))
    wrong: list[str] = []
    seen: list[set[int]] = [set() for _ in range(READERS)]
    stop = threading.Event()

    def read(generations: set[int]) -> None:
        try:
            with open_index(project.index) as index:
                while not stop.is_set():
                    answer = index.package("WATCHED")
                    assert isinstance(answer, PackageAnswer)
                    told = [re.findall(r"\d+", one.summary or "none") for one in answer.exports]
                    if len(told) != len(NAMES) or len(set(map(str, told))) != 1:
                        wrong.append(str(told))
                    generations.add(int(told[0][0]))
        except Exception as error:  # noqa: BLE001 - whatever it is, the test tells it
            wrong.append(repr(error))

    with watching(project):
        threads = [threading.Thread(target=read, args=(one,)) for one in seen]
        for thread in threads:
            thread.start()
        try:
            for generation in range(1, 11):
                project.source.write_text(generation_source(generation))
                until(lambda: all(max(one, default=0) == generation for one in seen) or bool(wrong), "all")  # noqa: B023
        finally:
            stop.set()
            for thread in threads:
                thread.join(SECONDS)
    assert wrong == []
    assert all(one >= set(range(1, 11)) for one in seen)


@pytest.mark.full
def test_a_build_beside_a_watch(project: Project) -> None:
    project.reset()
    with watching(project) as watcher:
        build = subprocess.Popen(
            [
                *(OBLIST, "index", "--force", "--project", str(project.folder), "--no-userinit"),
                *("--no-snapshot", "--quiet", "--output", str(project.index)),
            ],
            env={**os.environ, **project.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        edits = 0
        while build.poll() is None:
            edits += 1
            project.source.write_text(SOURCE + f"(defun beside-{edits} () 1)\n")
            time.sleep(0.3)
        _, errors = build.communicate(timeout=SECONDS)
        assert (build.returncode, errors) == (0, "")
        project.source.write_text(SOURCE + "(defun after-the-build () 1)\n")
        project.wait_for_name("after-the-build")
        assert watcher.poll() is None
    assert edits > 1
    assert_whole(project.index)
