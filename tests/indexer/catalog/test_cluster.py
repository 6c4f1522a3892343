"""Building a catalog on Dask: the same catalog as without, whatever happens to those who build it."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path

import pytest

from oblist.indexer.catalog.build import CatalogRequest, Engine, build_catalog
from oblist.indexer.catalog.making.orders import ReleaseLimits
from oblist.indexer.catalog.store.results import Store
from support.builds.small_sbcl import small_sbcl
from support.catalogs.cluster import Cluster, cluster
from support.catalogs.comparing import (
    FEW,
    MORE,
    PLAIN,
    arguments,
    assert_equal,
    build,
    places_of,
    reference,
    rows,
    seeded,
)
from support.catalogs.held import Held, until
from support.catalogs.libraries import libraries
from support.catalogs.seeds import MEGABYTES
from support.command import OBLIST, oblist
from support.command_line import run_main

_SECONDS = 200

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("shared") / "cluster", workers=0) as made:
        yield made


@pytest.fixture
def workers(shared: Cluster) -> Cluster:
    """A scheduler and two workers, which may have worked before."""
    while len(shared.workers()) < 2:
        shared.add_worker(f"worker-{len(shared.processes)}")
    return shared


@pytest.mark.full
@pytest.mark.parametrize("jobs", [2, 4])
def test_local_workers_make_the_same_catalog(tmp_path: Path, jobs: int) -> None:
    build(MORE, tmp_path / "jobs", "--jobs", str(jobs))
    assert_equal(reference(MORE), tmp_path / "jobs.db")


@pytest.mark.parametrize("sent", [pytest.param((), marks=pytest.mark.full), ("--send-sources",)])
def test_workers_elsewhere_make_the_same_catalog(
    workers: Cluster, tmp_path: Path, sent: tuple[str, ...]
) -> None:
    assert len(workers.workers()) == 2
    before = {name: compiled_by(workers, name) for name in workers.workers()}
    build(MORE if not sent else FEW, tmp_path / "far", "--scheduler", workers.address, *sent)
    assert_equal(reference(MORE if not sent else FEW), tmp_path / "far.db")
    # Those that have worked, both if there was enough to do, did so each with what is its own.
    worked = [name for name, folders in before.items() if compiled_by(workers, name) > folders]
    assert len(worked) == 2 if not sent else worked
    for name in worked:
        assert list((workers.scratch(name) / "sources").iterdir()) or not sent
        assert list((workers.scratch(name) / "work").iterdir()) == []
    left = [list((tmp_path / "far-store" / name).glob("*")) for name in ("attempts", "marks")]
    assert left == [[], []]


def compiled_by(workers: Cluster, name: str) -> set[Path]:
    """The folders of what a worker has compiled."""
    fasls = workers.scratch(name) / "fasls"
    return {path for path in fasls.iterdir() if path.is_dir()} if fasls.exists() else set()


@pytest.mark.full
def test_a_worker_that_does_not_see_the_store_or_the_sources_is_refused(tmp_path: Path) -> None:
    """It has a namespace of mounts of its own, in which these folders are empty."""
    for folder, said in (
        (seeded(tmp_path / "far-store"), "cannot see the store"),
        (libraries().sources, "cannot see the sources"),
    ):
        with cluster(tmp_path / f"cluster-{folder.name}", workers=0) as blind:
            blind.add_worker("blind", without=folder)
            done = oblist(
                *arguments(places_of(FEW), tmp_path / "far", "--scheduler", blind.address),
                *("--worker-timeout", "5"),
            )
        assert done.returncode == 1
        assert said in done.stderr and "could be admitted" in done.stderr
        assert not (tmp_path / "far.db").exists()


def hidden(folder: Path, name: str) -> dict[str, str]:
    """The environment of a process with another oblist."""
    information = folder / name / "oblist-9.9.9.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: oblist\nVersion: 9.9.9\n")
    return {"PYTHONPATH": str(folder / name)}


def other_sbcl(folder: Path) -> dict[str, str]:
    """The environment of a process whose SBCL is of another version."""
    program = folder / "sbcl-9"
    program.write_text('#!/bin/sh\necho "SBCL 9.9.9"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return {"SBCL": str(program)}


def test_a_worker_with_another_oblist_or_sbcl_builds_nothing(workers: Cluster, tmp_path: Path) -> None:
    others = ("other-oblist", "other-sbcl")
    workers.add_worker("other-oblist", **hidden(tmp_path, "other"))
    workers.add_worker("other-sbcl", **other_sbcl(tmp_path))
    until(lambda: all("Registered to" in workers.said(name) for name in others))
    printed = build(PLAIN, tmp_path / "mixed", "--scheduler", workers.address)
    for name in others:
        workers.kill(name)
        assert compiled_by(workers, name) == set()
    assert f"has oblist 9.9.9 (this machine has oblist {version('oblist')}" in printed
    assert "has SBCL 9.9.9 (this machine has SBCL " in printed
    assert_equal(reference(PLAIN), tmp_path / "mixed.db")


@pytest.mark.full
def test_without_a_worker_that_may_take_part_nothing_is_built(tmp_path: Path) -> None:
    with cluster(tmp_path / "cluster", workers=0) as workers:
        workers.add_worker("other-oblist", **hidden(tmp_path, "other"))
        workers.add_worker("other-sbcl", **other_sbcl(tmp_path))
        refused = oblist(
            *arguments(places_of(FEW), tmp_path / "none", "--scheduler", workers.address),
            *("--worker-timeout", "8"),
        )
    assert refused.returncode == 1
    assert "could be admitted" in refused.stderr
    assert f"has oblist 9.9.9 (this machine has oblist {version('oblist')}" in refused.stderr
    assert "has SBCL 9.9.9 (this machine has SBCL " in refused.stderr
    assert not (tmp_path / "none.db").exists()


# Losses


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Held:
    return Held(tmp_path_factory.mktemp("held"))


def test_a_lost_worker_costs_its_task_again(workers: Cluster, held: Held, tmp_path: Path) -> None:
    store = seeded(tmp_path / "lost-store")
    request = CatalogRequest([held.folder / "sources"], limits=ReleaseLimits(_SECONDS, MEGABYTES))
    with ThreadPoolExecutor(1) as pool, held.hold():
        building = pool.submit(
            partial(build_catalog, command="tests", engine=Engine(scheduler=workers.address)),
            *(tmp_path / "lost.db", Store.at(store), small_sbcl(), request),
        )

        def alone() -> bool:
            """Whether all but what is held is made."""
            return bool(holding(workers, held)) and len(list(store.glob("reports/*"))) == 2

        until(alone, lambda: not building.done())
        (victim,) = holding(workers, held)
        workers.kill(victim)
        until(alone, lambda: not building.done())
        held.let_go()
        works = building.result(_SECONDS)
    assert [one.outcome.report.state for one in works if one.outcome is not None] == ["loaded"] * 3
    assert list((store / "attempts").iterdir()) == []
    assert_equal(held.whole, tmp_path / "lost.db")


def holding(workers: Cluster, held: Held) -> set[str]:
    """The workers below which an SBCL is held."""
    waiting = held.waiting()
    return {name for name in workers.workers() if waiting & set(_family(workers.processes[name].pid))}


@contextmanager
def building(target: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A build that runs."""
    seeded(Path(f"{target}-store"))
    running = subprocess.Popen(
        [OBLIST, *arguments(places_of(MORE), target, *options)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def wait_for(running: subprocess.Popen[str], store: Path, folder: str, number: int) -> None:
    """Wait until the store has so many files in a folder."""
    until(lambda: len(list((store / folder).glob("*"))) >= number, lambda: running.poll() is None)


_MOMENTS = [("attempts", 1), ("surveys", 3), ("reports", 2), ("reports", 5)]


@pytest.mark.full
@pytest.mark.parametrize(("folder", "number"), _MOMENTS)
def test_a_worker_may_be_lost_at_any_time(tmp_path: Path, folder: str, number: int) -> None:
    with (
        cluster(tmp_path / "cluster") as workers,
        building(tmp_path / "lost", "--scheduler", workers.address) as running,
    ):
        wait_for(running, tmp_path / "lost-store", folder, number)
        workers.kill("worker-0")
        _, errors = running.communicate(timeout=_SECONDS)
    assert running.returncode == 1 and (tmp_path / "lost.db").exists(), errors
    assert_equal(reference(MORE), tmp_path / "lost.db")


@pytest.mark.full
def test_a_lost_scheduler_is_a_clear_end_and_the_build_goes_on(tmp_path: Path) -> None:
    with (
        cluster(tmp_path / "cluster") as workers,
        building(tmp_path / "lost", "--scheduler", workers.address) as running,
    ):
        wait_for(running, tmp_path / "lost-store", "reports", 3)
        workers.kill("scheduler")
        _, errors = running.communicate(timeout=_SECONDS)
    assert running.returncode == 1
    (said,) = [line for line in errors.splitlines() if line.startswith("oblist:")]
    assert f"The connection to the scheduler {workers.address} was lost." in said
    assert "Traceback" not in errors
    assert not (tmp_path / "lost.db").exists()
    goes_on(tmp_path / "lost")


@pytest.mark.full
@pytest.mark.parametrize("local", [True, False])
def test_a_lost_client_leaves_what_was_made(tmp_path: Path, local: bool) -> None:
    with cluster(tmp_path / "cluster", workers=0 if local else 2) as workers:
        options = ("--jobs", "2") if local else ("--scheduler", workers.address)
        with building(tmp_path / "lost", *options) as running:
            wait_for(running, tmp_path / "lost-store", "reports", 3)
            running.send_signal(signal.SIGKILL)
            running.wait()
        goes_on(tmp_path / "lost", *options)


def goes_on(target: Path, *options: str) -> None:
    """Build again, and see that what was made is not made again."""
    made = Path(f"{target}-store")
    kept = {path: path.stat().st_mtime_ns for path in (made / "slices").iterdir() if path.name[0] != "."}
    reported = {path.stem for path in (made / "reports").iterdir()}
    assert len(reported) >= 3
    build(MORE, target, *options)
    again = [
        path
        for path, changed in kept.items()
        if path.stat().st_mtime_ns != changed and path.stem.rpartition("-")[2] in reported
    ]
    assert again == []
    assert_equal(reference(MORE), Path(f"{target}.db"))


_KILLER = """(defpackage "KILLER" (:use "CL"))
(in-package "KILLER")
(let ((parent (sb-alien:alien-funcall (sb-alien:extern-alien "getppid" (function sb-alien:int)))))
  ;; Not in the process that compiles, whose parent is another SBCL.
  (unless (search "sbcl" (with-open-file (in (format nil "/proc/~D/comm" parent)) (read-line in)))
    (with-open-file (out "{marks}" :direction :output :if-exists :append :if-does-not-exist :create)
      (terpri out))
    (sb-ext:run-program "/bin/kill" (list "-9" (princ-to-string parent)))
    (sleep 60)))
"""
_EATER = """(defpackage "EATER" (:use "CL"))
(in-package "EATER")
(loop for block = (sb-alien:make-alien (sb-alien:unsigned 8) 100000000)
      do (loop for place from 0 below 100000000 by 4096 do (setf (sb-alien:deref block place) 1)))
"""
_DEAF = """(defpackage "DEAF" (:use "CL"))
(in-package "DEAF")
(sb-sys:without-interrupts (loop))
"""


@pytest.mark.full
def test_what_harms_its_worker_is_a_problem_and_the_others_go_on(tmp_path: Path) -> None:
    killer = _KILLER.replace("{marks}", str(tmp_path / "marks"))
    for name, text in (("killer", killer), ("eater", _EATER), ("deaf", _DEAF)):
        folder = tmp_path / "sources" / "first" / name
        folder.mkdir(parents=True)
        (folder / f"{name}.asd").write_text(f'(defsystem "{name}" :components ((:file "{name}")))\n')
        (folder / f"{name}.lisp").write_text(text)
    needing = tmp_path / "sources" / "first" / "needing"
    needing.mkdir()
    (needing / "needing.asd").write_text('(defsystem "needing" :depends-on ("killer"))\n')
    seeded(tmp_path / "harmed-store")
    folders = [tmp_path / "sources" / "first", *places_of(("first/shapes-1.0", "second/shapes-2.0"))]
    # Time enough for the harmless ones on a busy machine.
    options = ("--jobs", "2", "--json", "--load-timeout", "15", "--strict")
    done = oblist(*arguments(folders, tmp_path / "harmed", *options))
    assert done.returncode == 1, done.stderr
    found = {one["name"]: one for one in json.loads(done.stdout)["releases"]}
    assert {name: one["state"] for name, one in found.items()} == {
        **dict.fromkeys(("killer", "needing", "eater", "deaf"), "failed"),
        "shapes": "loaded",
    }
    lost = "It was given up: 4 workers were lost while indexing it."
    assert found["killer"]["problems"] == {"killer": lost}
    needed = f"DEPENDENCY-NOT-LOADED: It depends on killer, which did not load: {lost}"
    assert found["needing"]["problems"] == {"needing": needed}
    assert len((tmp_path / "marks").read_text()) == 4
    # SBCL gets no memory, or lacks it for its own work; on a busy machine, the time is over before.
    assert found["eater"]["problems"]["eater"].startswith(
        ("SIMPLE-STORAGE-CONDITION: ", "SBCL-ENDED: ", "HEAP-EXHAUSTED-ERROR: ", "TIMEOUT: ")
    )
    assert "sent nothing for" in found["deaf"]["problems"]["deaf"]
    names = {str(name) for (name,) in rows(tmp_path / "harmed.db", "SELECT name FROM releases")}
    assert names == {*found, "sbcl"}


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--scheduler", "tcp://127.0.0.1:1"), 1, "No Dask scheduler answers at tcp://127.0.0.1:1"),
        (("--scheduler", "nonsense://x"), 1, "nonsense://x is not the address of a Dask scheduler"),
        (("--scheduler", "tcp://127.0.0.1:1", "--jobs", "2"), 2, "Give --jobs or --scheduler"),
        (("--send-sources",), 2, "--send-sources needs --scheduler"),
        (("--store", "nonsense://x"), 1, "nonsense://x"),
    ],
)
def test_what_cannot_be_reached_is_said(
    tmp_path: Path, options: tuple[str, ...], code: int, said: str
) -> None:
    seeded(tmp_path / "none-store")
    done = run_main(*arguments(places_of(FEW), tmp_path / "none", *options))
    assert done.code == code, done.errors
    assert said in done.errors
    assert not (tmp_path / "none.db").exists()


@pytest.mark.full
def test_a_local_cluster_listens_on_the_loopback_interface_only(tmp_path: Path) -> None:
    with building(tmp_path / "local", "--jobs", "2") as running:
        wait_for(running, tmp_path / "local-store", "attempts", 1)
        addresses = {address for pid in _family(running.pid) for address in _listening(pid)}
        assert addresses, "the scheduler and the workers listen"
        assert {host for host, _ in addresses} == {"0100007F"}
        running.communicate(timeout=_SECONDS)


def _family(pid: int) -> Iterator[int]:
    yield pid
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if parent == pid:
                yield from _family(int(entry.name))


def _listening(pid: int) -> Iterator[tuple[str, str]]:
    """Host and port, in hexadecimal digits, of the sockets on which a process listens."""
    inodes = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = str(link.readlink())
        except OSError:
            continue
        if target.startswith("socket:["):
            inodes.add(target[8:-1])
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                host, _, port = fields[1].partition(":")
                yield host, port


@pytest.mark.full
def test_an_interrupt_ends_all(tmp_path: Path) -> None:
    with (
        cluster(tmp_path / "cluster") as workers,
        building(tmp_path / "ended", "--scheduler", workers.address) as running,
    ):
        wait_for(running, tmp_path / "ended-store", "reports", 3)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
        assert (running.returncode, errors.strip()) == (130, "oblist: interrupted")
        assert not (tmp_path / "ended.db").exists()
        goes_on(tmp_path / "ended", "--scheduler", workers.address)


@pytest.mark.parametrize(
    "seconds", [pytest.param(one, marks=pytest.mark.full) for one in (0.5, 1.5, 2.5)] + [1.0]
)
def test_an_interrupt_ends_workers_that_begin(tmp_path: Path, seconds: float) -> None:
    with building(tmp_path / "ended", "--jobs", "2") as running:
        wait_for(running, tmp_path / "ended-store", "places", 1)  # then the workers begin
        time.sleep(seconds)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does
        _, errors = running.communicate(timeout=60)
    assert (running.returncode, errors.strip()) == (130, "oblist: interrupted")
