"""Row 9 of the speed table: from the save of a file to the first right answer of another process."""

from __future__ import annotations

import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.table import Table

from oblist.query import Index, open_index
from oblist.query.answers import DescribeAnswer

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"
IRONCLAD = Path("/usr/share/common-lisp/source/ironclad")
EDITS, FEW_EDITS = 50, 5
IDLE_SECONDS = 10.0
SECONDS = 300.0
POLL_SECONDS = 0.002


def add_watch(table: Table, folder: Path) -> None:
    """Measure the watcher on the sample and, where it is installed, on a copy of ironclad."""
    times, idle = _measure(SAMPLE, folder / "sample", EDITS)
    _add(table, "9", f"watch, {EDITS} edits of the sample", times, "0.5, 1 s")
    table.add_row("", "  processor time of the idle watcher", f"{idle:.2f} %", "1 %")
    if IRONCLAD.is_dir():
        times, _ = _measure(IRONCLAD, folder / "ironclad", FEW_EDITS)
        _add(table, "", f"watch, {FEW_EDITS} edits of ironclad", times, "")


def _add(table: Table, row: str, what: str, times: list[float], bar: str) -> None:
    ninety_five = statistics.quantiles(times, n=20, method="inclusive")[-1]
    measured = f"p50 {statistics.median(times):.2f}, p95 {ninety_five:.2f}, max {max(times):.2f} s"
    table.add_row(row, what, measured, bar)


def _measure(source: Path, project: Path, edits: int) -> tuple[list[float], float]:
    """Seconds from each save to the answer, and the watcher's percentage of a processor when idle."""
    shutil.copytree(source, project)
    draw = random.Random(9)
    files = sorted(
        path
        for path in project.rglob("*.lisp")
        if "package" not in path.name and not path.parent.name.startswith("test")
    )
    with _watching(project) as process, open_index(project / ".oblist" / "oblist.db") as index:
        times = []
        for number in range(edits):
            file = draw.choice(files)
            text = file.read_text(encoding="utf-8")
            began = time.perf_counter()
            file.write_text(f"{text}\n(cl:defun cl-user::edited-{number} (x) (cl:list x {number}))\n")
            _until_known(index, f"cl-user::edited-{number}")
            times.append(time.perf_counter() - began)
            time.sleep(draw.uniform(0.3, 1.5))
        before = _processor_seconds(process.pid)
        time.sleep(IDLE_SECONDS)
        idle = (_processor_seconds(process.pid) - before) / IDLE_SECONDS * 100
    return times, idle


@contextmanager
def _watching(project: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [
            sys.executable,
            "-P",
            "-m",
            "oblist.query",
            "watch",
            "--no-userinit",
            "--no-snapshot",
            "--",
            str(project),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if line.startswith("watching "):
                break
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SECONDS)


def _until_known(index: Index, name: str) -> None:
    deadline = time.monotonic() + SECONDS
    while not isinstance(index.describe(name), DescribeAnswer):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{name} is not in the index after {SECONDS:g} s")
        time.sleep(POLL_SECONDS)


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    import tempfile

    from rich.console import Console

    shown = Table("row", "what", "median", "bar")
    with tempfile.TemporaryDirectory() as work:
        add_watch(shown, Path(work))
    Console(width=120).print(shown)
