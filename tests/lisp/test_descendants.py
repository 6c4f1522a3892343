"""What the code of a project starts ends with the SBCL that loads it, in whatever session it is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from oblist.lisp.descendants import OwnedProcess, stop
from support.command import oblist, processes_with, start_oblist, write_system
from support.patience import SOON

_SLEEPS = count(31_415_000 + os.getpid() % 1000 * 1000)
STARTED = {
    "a child": '(run-program "/bin/sleep" (list "{}") :wait nil)',
    "a child with a terminal": '(run-program "/bin/sleep" (list "{}") :wait nil :pty t)',
    "a session of its own": '(run-program "setsid" (list "sleep" "{}") :search t :wait nil)',
    "a daemon": '(run-program "/bin/sh" (list "-c" "setsid setsid sleep {} >/dev/null 2>&1 &"))',
}
WAYS = ("it ends", "SIGTERM", "SIGINT", "SIGKILL", "its time is over")


OTHER = """
import os, sys, time
from oblist.lisp.descendants import OwnedProcess

OwnedProcess(["sleep", sys.argv[1]], os.environ, None, output=1, errors=2)
time.sleep(600)
"""


def until(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


@pytest.fixture
def sleep() -> Iterator[str]:
    """Seconds to sleep that nobody else sleeps; nobody does in the end."""
    seconds = str(next(_SLEEPS))
    yield seconds
    assert not processes_with(f"sleep {seconds}")


def project(folder: Path, started: str, *, stays: bool) -> dict[str, str]:
    """A system that starts something while it is loaded, and then loads for a minute if it ``stays``."""
    load = f"(eval-when (:load-toplevel) (sb-ext:{started.removeprefix('(')})\n"
    rest = "(eval-when (:load-toplevel) (sleep 60))\n" if stays else ""
    return write_system(folder, "starter", load + rest)


def end(command: list[str], folder: Path, sleep: str, started: str, way: str) -> None:
    """Build an index of a project that starts something, and end the build in a ``way``."""
    environment = project(folder / "starter", STARTED[started].format(sleep), stays=way != "it ends")
    arguments = [*command, str(folder / "starter"), "--no-snapshot", "--output", str(folder / "x.db")]
    limit = ["--load-timeout", "1"] if way == "its time is over" else []
    running = start_oblist(*arguments, *limit, environment=environment)
    if way.startswith("SIG"):
        until(lambda: processes_with(f"sleep {sleep}"), "the project's code starts it")
        running.send_signal(getattr(signal, way))
    said = running.communicate(timeout=SOON)
    assert running.returncode in {"it ends": {0}, "SIGKILL": {-9}}.get(way, {1, 130}), said
    if way == "SIGKILL":
        (folder / "starter" / "starter.lisp").write_text("(defun started ())\n")
        assert oblist(*arguments, environment=environment).returncode == 0  # the next one ends it
    assert not processes_with(f"sleep {sleep}")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("way", ["it ends", "SIGINT", "SIGKILL"])
def test_a_daemon_ends_with_the_build(way: str, tmp_path: Path, sleep: str) -> None:
    end(["index", "--project"], tmp_path, sleep, "a daemon", way)


@pytest.mark.full
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("started", STARTED)
@pytest.mark.parametrize("command", [["index", "--project"], ["watch", "--once"]])
def test_all_that_is_started_ends_however_the_build_ends(
    command: list[str], started: str, tmp_path: Path
) -> None:
    for way in WAYS:
        (tmp_path / way).mkdir()
        end(command, tmp_path / way, str(next(_SLEEPS)), started, way)


def test_what_hides_from_us_ends_while_its_parents_live(sleep: str) -> None:
    process = OwnedProcess(
        ["/bin/sh", "-c", f"env -i setsid sleep {sleep} & wait"],
        os.environ,
        None,
        output=subprocess.DEVNULL,
        errors=subprocess.DEVNULL,
    )
    until(lambda: any(line.startswith("sleep") for line in processes_with(f"sleep {sleep}")), "it starts")
    stop(process)
    until(lambda: not processes_with(f"sleep {sleep}"), "it ends")


def test_the_processes_of_others_stay(sleep: str) -> None:
    """Those of a process that is alive, whoever that is, and those that nobody of us has started."""
    other = subprocess.Popen([sys.executable, "-c", OTHER, sleep])
    until(lambda: any(line.startswith("sleep") for line in processes_with(f"sleep {sleep}")), "it starts")
    try:
        stop(OwnedProcess(["true"], os.environ, None, output=1, errors=2))
        assert processes_with(f"sleep {sleep}")
    finally:
        other.kill()
        other.wait()
    stop(OwnedProcess(["true"], os.environ, None, output=1, errors=2))  # now nobody owns it
    until(lambda: not processes_with(f"sleep {sleep}"), "it ends")
