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

import dask
from distributed import Client, LocalCluster
from rich.table import Table

from oblist.indexer.catalog.running.cluster import Demands, OnCluster
from oblist.indexer.catalog.store.results import Store
from oblist.lisp.sbcl import find_sbcl

# More workers than this do not start in one process: with 600, plain Dask runs no task in a minute.
WORKERS, TASKS, LAYERS, SLEEP_SECONDS = 200, 2000, 6, 0.5
FOLDERS = ("/usr/share/common-lisp/source",)
LIBRARIES = 40
NEEDS = 2
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


class _OnSimulated(OnCluster):
    """A runner on workers that need not be examined: they have the resource from the start."""

    def _remote(self) -> Client:
        return self._stack.enter_context(Client(self._scheduler, set_as_default=False))

    def _has_workers(self) -> bool:
        return True


def tasks_a_second(folder: Path, needs: int = NEEDS) -> float:
    """The rate at which sleeping tasks are handed out and their results taken; each ``needs`` some before it.

    The workers are in this process, too, so their own work is in the figure.
    """
    warnings.simplefilter("ignore")
    draw = random.Random(3)
    demands = Demands(Store.at(folder / "no-store"), find_sbcl().version, "bench", ())
    # Each worker would watch itself, with threads of its own.
    quiet = {
        "distributed.worker.profile.enabled": False,
        "distributed.admin.system-monitor.interval": "60s",
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
    }
    with (
        dask.config.set(quiet),
        LocalCluster(
            n_workers=WORKERS,
            threads_per_worker=1,
            processes=False,
            memory_limit=0,
            resources={demands.resource: 1},
            scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            silence_logs=logging.CRITICAL,
        ) as cluster,
    ):
        runner = _OnSimulated(
            demands, jobs=1, scheduler=cluster.scheduler_address, patience=300.0, refused=print
        )
        with runner.running():
            runner.submit("warm up", sleeping, "warm up", ())
            runner.next_result()
            began = time.perf_counter()
            for number in range(TASKS):
                earlier = number * LAYERS // TASKS * TASKS // LAYERS
                before = draw.sample(range(earlier), needs) if earlier else ()
                runner.submit(f"slice {number}", sleeping, number, [f"slice {one}" for one in before])
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
