"""Rows for catalogs on Dask: how many tasks the scheduler hands out, and what a second worker saves."""

from __future__ import annotations

import logging
import os
import random
import subprocess
import sys
import time
import warnings
from pathlib import Path

from rich.table import Table

from oblist.indexer.catalog.running.cluster import Demands, OnCluster
from oblist.indexer.catalog.store.results import Store
from oblist.lisp.sbcl import find_sbcl

WORKERS, TASKS, LAYERS, SLEEP_SECONDS = 1000, 6000, 6, 0.5
FOLDERS = ("/usr/share/common-lisp/source",)
LIBRARIES = 40
ROUNDS = 3


def sleeping(argument: object, *results: object) -> object:
    """A task that takes time and nothing else."""
    time.sleep(SLEEP_SECONDS)
    return argument


def add_cluster(table: Table, folder: Path) -> None:
    """Measure tasks a second with a thousand workers in this process, and one and two real ones."""
    table.add_row(
        "",
        f"Dask: tasks a second, {TASKS} tasks in {LAYERS} layers, {WORKERS} workers in process",
        f"{tasks_a_second(folder):.0f}",
        ">= 200",
    )
    systems = _systems()
    if len(systems) < LIBRARIES:
        return
    ratios = sorted(_two_against_one(folder / str(number), systems) for number in range(ROUNDS))
    shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    table.add_row("", f"catalog of {len(systems)} systems: 2 workers against 1", shown, "<= 0.6 x")


def tasks_a_second(folder: Path) -> float:
    """The rate at which sleeping tasks that depend on each other are handed out and their results taken."""
    from distributed import LocalCluster

    warnings.simplefilter("ignore")
    draw = random.Random(3)
    demands = Demands(Store.at(folder / "no-store"), find_sbcl().version, "bench", ())
    with LocalCluster(
        n_workers=WORKERS,
        threads_per_worker=1,
        processes=False,
        scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
        silence_logs=logging.CRITICAL,
    ) as cluster:
        runner = OnCluster(
            demands, jobs=1, scheduler=cluster.scheduler_address, patience=300.0, refused=print
        )
        with runner.running():
            # The first task connects and admits the workers.
            runner.submit("warm up", sleeping, "warm up", ())
            runner.next_result()
            while runner.admitted < WORKERS:
                time.sleep(0.1)
            began = time.perf_counter()
            for number in range(TASKS):
                layer = number * LAYERS // TASKS
                earlier = layer * TASKS // LAYERS
                needs = draw.sample(range(earlier), 3) if earlier else ()
                runner.submit(f"slice {number}", sleeping, number, [f"slice {one}" for one in needs])
            for _ in range(TASKS):
                runner.next_result()
            return TASKS / (time.perf_counter() - began)


def _systems() -> list[str]:
    """Some of the libraries that are here: those that a short name says enough of, so that all load."""
    found = {path.parent.name for root in FOLDERS for path in Path(root).glob("*/*.asd")}
    return sorted(found)[:LIBRARIES]


def _two_against_one(folder: Path, systems: list[str]) -> float:
    """The ratio of the times of two local workers, each on its own core, and of one."""
    return _seconds(folder / "two", systems, 2) / _seconds(folder / "one", systems, 1)


def _seconds(folder: Path, systems: list[str], workers: int) -> float:
    roots = [part for name in systems for part in ("--below", f"{FOLDERS[0]}/{name}")]
    cores = sorted(os.sched_getaffinity(0))[:workers]
    command = ["taskset", "-c", ",".join(map(str, cores)), str(Path(sys.executable).with_name("oblist"))]
    command += ["catalog", "build", *roots, "--jobs", str(workers), "--quiet"]
    command += ["--catalog", str(folder / "c.db"), "--store", str(folder / "store")]
    folder.mkdir(parents=True)
    began = time.perf_counter()
    subprocess.run(command, check=False, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began
