"""A project of one system, its index, and a process that watches it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.answers import DescribeAnswer, NotFound
from support.builds.shared_code import share_code
from support.builds.small_sbcl import small_sbcl
from support.command import OBLIST, oblist, write_system

SECONDS = 60.0
SOURCE = """(defpackage "WATCHED" (:use "CL") (:export "FIRST-ONE"))
(in-package "WATCHED")
(defun first-one (x) "The first." (car x))
(defmethod make-load-form ((x (eql :watched)) &optional environment) environment)
"""
BURST = [f"burst-{number}" for number in range(100)]
LATER = "later/still/file"
# One system for all tests: another definition would need another base.
DEFINITION = f"""(asdf:defsystem "watched"
  :components ((:file "watched") (:file "linked") (:file "{LATER}")
               {" ".join(f'(:file "{name}")' for name in BURST)}))
(asdf:defsystem "watched/tests" :components ((:file "unplanned")))
"""


class Project:
    """A project, its sources and its index."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "watched"
        self.cache = folder / "cache"
        share_code(self.cache)
        environment = write_system(self.folder, "watched", SOURCE)
        self.environment = {
            "CL_SOURCE_REGISTRY": environment["CL_SOURCE_REGISTRY"],
            "ASDF_OUTPUT_TRANSLATIONS": f"/:{folder / 'fasl'}/",
            "XDG_CACHE_HOME": str(self.cache),
            "SBCL": str(small_sbcl().path),
        }
        self.source = self.folder / "watched.lisp"
        self.index = self.folder / ".oblist" / "oblist.db"
        self.elsewhere = folder / "elsewhere.lisp"
        (self.folder / "linked.lisp").symlink_to(self.elsewhere)
        self.reset()

    def file(self, name: str) -> Path:
        """The source file that the system calls ``name``."""
        return self.folder / f"{name}.lisp"

    def write(self, name: str, *functions: str) -> None:
        """Let the file that the system calls ``name`` define these functions."""
        self.file(name).parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"(defun {function} () 1)\n" for function in functions)
        self.file(name).write_text(f'(in-package "WATCHED")\n{text}')

    def reset(self) -> None:
        """Restore the first state of the project."""
        (self.folder / "watched.asd").write_text(DEFINITION)
        self.source.write_text(SOURCE)
        for name in ("linked", "unplanned", LATER, *BURST):
            self.write(name)

    def arguments(self, *more: str) -> list[str]:
        return ["watch", str(self.folder), "--no-userinit", "--no-snapshot", *more]

    def once(self, *more: str) -> subprocess.CompletedProcess[str]:
        """Bring the index up to date once."""
        return oblist(*self.arguments("--once", *more), environment=self.environment)

    def described(self, name: str) -> DescribeAnswer | NotFound:
        with open_index(self.index) as index:
            return index.describe(name)

    def has(self, name: str) -> bool:
        return isinstance(self.described(name), DescribeAnswer)

    def broken(self) -> bool:
        """Whether the index says that the project does not load."""
        with open_index(self.index) as index:
            return bool(index.broken or index.last_good)

    def wait_for(self, condition: Callable[[], bool], what: str) -> None:
        until(lambda: self.index.exists() and condition(), what)

    def wait_for_name(self, name: str) -> None:
        self.wait_for(lambda: self.has(f"watched::{name}"), f"{name} in the index")

    def differences_from_a_build(self, work: Path) -> str:
        """The output of ``check-index --same-as`` for the index and a full build; empty when equal."""
        whole = work / "whole.db"
        arguments = ["--project", self.folder, "--no-userinit", "--output", whole, "--quiet"]
        environment = {**self.environment, "OBLIST_NO_SNAPSHOT": "1"}
        built = oblist("index", "--force", *arguments, environment=environment)
        assert built.returncode == 0, built.stderr
        for arguments in (["--index", self.index, "--same-as", whole], ["--index", self.index]):
            checked = oblist("check-index", *arguments)
            if checked.returncode != 0:
                return checked.stdout + checked.stderr
        return ""


_shared: list[Project] = []


def shared_project(folders: pytest.TempPathFactory) -> Project:
    """The project that all modules share, in its first state: its base costs as much as a build."""
    if not _shared:
        _shared.append(Project(folders.mktemp("watch")))
    (project,) = _shared
    project.reset()
    return project


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait until ``condition`` holds; fails, naming ``what``, when it takes too long."""
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.02)


@contextmanager
def watching(project: Project, *more: str) -> Iterator[subprocess.Popen[str]]:
    """A process that already watches the project; it is interrupted at the end.

    What it has said is printed, so that a test that fails shows it.
    """
    process = begin_watching(project, *more)
    try:
        wait_until_it_watches(process)
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            print(*process.communicate(timeout=SECONDS), sep="")
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise


def begin_watching(project: Project, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [OBLIST, *project.arguments(*more)],
        env={**os.environ, **project.environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_until_it_watches(process: subprocess.Popen[str]) -> str:
    """Its standard error so far, which ends with the line that says that it watches."""
    assert process.stderr is not None
    said = ""
    while "watching " not in said:
        line = line_of(process.stderr.fileno(), process)
        said += line
    return said


def line_of(descriptor: int, process: subprocess.Popen[str]) -> str:
    """The next line, read byte by byte: what comes after it stays for ``communicate``."""
    line = b""
    deadline = time.monotonic() + SECONDS
    while not line.endswith(b"\n"):
        ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"no line within {SECONDS:g} s, only {line!r}"
        byte = os.read(descriptor, 1)
        assert byte, f"it ended with {process.wait(SECONDS)}: {line!r}"
        line += byte
    return line.decode()
