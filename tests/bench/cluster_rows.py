"""Rows for catalogs on Dask: how many tasks the scheduler hands out, and what a second worker saves."""

from __future__ import annotations

import logging
import os
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dask
from distributed import Client, LocalCluster
from rich.table import Table
from simulated_workers import allow_many_files

from oblist.indexer.catalog.running.cluster import Demands, OnCluster
from oblist.indexer.catalog.store.results import Store
from oblist.lisp.sbcl import find_sbcl

WORKERS, TASKS, LAYERS, SLEEP_SECONDS = 1000, 6000, 6, 1.0
NEEDS = (0, 2)
FOLDERS = ("/usr/share/common-lisp/source",)
LIBRARIES = 40
ROUNDS = 3
JOIN_SECONDS = 300
LIMIT_SECONDS = 300


def sleeping(argument: object, *results: object) -> object:
    """A task that takes time and nothing else."""
    time.sleep(SLEEP_SECONDS)
    return argument


def add_cluster(table: Table, folder: Path) -> None:
    """Measure tasks a second with a thousand simulated workers, and what one and two real ones take."""
    for needs in NEEDS:
        what = f"Dask: tasks a second, {TASKS:,} that need {needs} each, {WORKERS:,} workers in one process"
        table.add_row("", what, f"{tasks_a_second(folder, needs):.0f}", ">= 200")
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


def tasks_a_second(folder: Path, needs: int) -> float:
    """The rate at which sleeping tasks are handed out and their results taken; each ``needs`` some before it.

    The scheduler is in this process, all workers in another. Without an end in time, the rate until then.
    """
    warnings.simplefilter("ignore")
    allow_many_files()
    demands = Demands(Store.at(folder / "no-store"), find_sbcl().version, "bench", ())
    with (
        dask.config.set({"distributed.scheduler.http.routes": []}),
        LocalCluster(
            n_workers=0,
            processes=False,
            protocol="tcp://",
            host="127.0.0.1",
            scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            silence_logs=logging.CRITICAL,
        ) as cluster,
        _workers(cluster, demands.resource),
    ):
        runner = _OnSimulated(
            demands, jobs=1, scheduler=cluster.scheduler_address, patience=300.0, refused=print
        )
        with runner.running():
            runner.submit("warm up", sleeping, "warm up", ())
            runner.next_result()
            return _rate(runner, needs)


def _rate(runner: OnCluster, needs: int) -> float:
    draw = random.Random(3)
    began = time.perf_counter()
    for number in range(TASKS):
        earlier = number * LAYERS // TASKS * TASKS // LAYERS
        before = draw.sample(range(earlier), needs) if earlier else ()
        runner.submit(f"slice {number}", sleeping, number, [f"slice {one}" for one in before])
    taken, spent = 0, 0.0
    while taken < TASKS and spent < LIMIT_SECONDS:
        runner.next_result()
        taken += 1
        spent = time.perf_counter() - began
    return taken / spent


@contextmanager
def _workers(cluster: LocalCluster, resource: str) -> Iterator[None]:
    command = [sys.executable, str(Path(__file__).with_name("simulated_workers.py"))]
    workers = subprocess.Popen([*command, cluster.scheduler_address, str(WORKERS), resource])
    try:
        with Client(cluster, set_as_default=False) as client:
            client.wait_for_workers(WORKERS, timeout=JOIN_SECONDS)
        yield
    finally:
        workers.kill()
        workers.wait()


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
