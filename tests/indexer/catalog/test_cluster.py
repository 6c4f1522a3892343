"""Building a catalog on Dask: the same catalog as without, whatever happens to those who build it."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.catalogs.cluster import cluster
from support.catalogs.comparing import MORE, arguments, assert_equal, build, one_job, rows
from support.catalogs.libraries import write_libraries
from support.command import OBLIST, oblist

_SECONDS = 200


@pytest.fixture(scope="module")
def whole() -> Path:
    """A folder with libraries, and the catalog of them that one process makes."""
    return one_job()


@pytest.mark.full
@pytest.mark.parametrize("jobs", [2, 4])
def test_local_workers_make_the_same_catalog(whole: Path, tmp_path: Path, jobs: int) -> None:
    build(whole, tmp_path / "jobs", "--jobs", str(jobs))
    assert_equal(whole / "one.db", tmp_path / "jobs.db")


@pytest.mark.parametrize("sent", [pytest.param((), marks=pytest.mark.full), ("--send-sources",)])
def test_workers_elsewhere_make_the_same_catalog(whole: Path, tmp_path: Path, sent: tuple[str, ...]) -> None:
    with cluster(tmp_path / "cluster") as workers:
        build(whole, tmp_path / "far", "--scheduler", workers.address, *sent)
        assert_equal(whole / "one.db", tmp_path / "far.db")
        # Both have worked, each with what is its own.
        for name in ("worker-0", "worker-1"):
            here = tmp_path / "cluster" / name / "cache" / "oblist" / "catalog"
            assert [path for path in (here / "fasls").iterdir() if path.is_dir()]
            assert bool(list((here / "sources").iterdir())) == bool(sent)
            assert list((here / "work").iterdir()) == []
        left = [list((tmp_path / "far-store" / name).glob("*")) for name in ("attempts", "marks")]
        assert left == [[], []]


@pytest.mark.full
def test_a_worker_that_does_not_see_the_store_or_the_sources_is_refused(whole: Path, tmp_path: Path) -> None:
    """It has a namespace of mounts of its own, in which these folders are empty."""
    for folder, said in (
        (tmp_path / "far-store", "does not see the store"),
        (whole, "does not see the sources"),
    ):
        folder.mkdir(exist_ok=True)
        with cluster(tmp_path / f"cluster-{folder.name}", workers=0) as workers:
            workers.add_worker("blind", without=folder)
            done = oblist(
                *arguments(whole, tmp_path / "far", "--scheduler", workers.address, "--worker-timeout", "5")
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


def test_a_worker_with_another_oblist_or_sbcl_builds_nothing(whole: Path, tmp_path: Path) -> None:
    with cluster(tmp_path / "cluster", workers=0) as workers:
        workers.add_worker("other-oblist", **hidden(tmp_path, "other"))
        workers.add_worker("other-sbcl", **other_sbcl(tmp_path))
        refused = oblist(
            *arguments(whole, tmp_path / "none", "--scheduler", workers.address, "--worker-timeout", "8")
        )
        assert refused.returncode == 1
        assert "could be admitted" in refused.stderr
        assert not (tmp_path / "none.db").exists()
        workers.add_worker("same")
        printed = build(whole, tmp_path / "mixed", "--scheduler", workers.address)
        assert_equal(whole / "one.db", tmp_path / "mixed.db")
    for said in (refused.stderr, printed):
        assert "has oblist 9.9.9; this is oblist 0." in said
        assert "has SBCL 9.9.9; this is SBCL " in said
    for name in ("other-oblist", "other-sbcl"):
        assert not (tmp_path / "cluster" / name / "cache" / "oblist" / "catalog" / "fasls").exists()


# Losses


@contextmanager
def building(whole: Path, target: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A build that runs."""
    running = subprocess.Popen(
        [OBLIST, *arguments(whole, target, *options)],
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
    deadline = time.monotonic() + _SECONDS
    while not ((store / folder).is_dir() and len(list((store / folder).iterdir())) >= number):
        assert running.poll() is None and time.monotonic() < deadline, running.communicate()
        time.sleep(0.01)


_MOMENTS = [
    pytest.param("attempts", 1, marks=pytest.mark.full),
    pytest.param("surveys", 3, marks=pytest.mark.full),
    ("reports", 2),
    pytest.param("reports", 5, marks=pytest.mark.full),
]


@pytest.mark.parametrize(("folder", "number"), _MOMENTS)
def test_a_lost_worker_costs_its_task_again(whole: Path, tmp_path: Path, folder: str, number: int) -> None:
    with (
        cluster(tmp_path / "cluster") as workers,
        building(whole, tmp_path / "lost", "--scheduler", workers.address) as running,
    ):
        wait_for(running, tmp_path / "lost-store", folder, number)
        workers.kill("worker-0")
        _, errors = running.communicate(timeout=_SECONDS)
    assert running.returncode == 1, errors
    assert_equal(whole / "one.db", tmp_path / "lost.db")


@pytest.mark.full
def test_a_lost_scheduler_is_a_clear_end_and_the_build_goes_on(whole: Path, tmp_path: Path) -> None:
    with (
        cluster(tmp_path / "cluster") as workers,
        building(whole, tmp_path / "lost", "--scheduler", workers.address) as running,
    ):
        wait_for(running, tmp_path / "lost-store", "reports", 3)
        workers.kill("scheduler")
        _, errors = running.communicate(timeout=_SECONDS)
    assert running.returncode == 1
    (said,) = [line for line in errors.splitlines() if line.startswith("oblist:")]
    assert f"The scheduler {workers.address} is gone" in said
    assert "Traceback" not in errors
    assert not (tmp_path / "lost.db").exists()
    goes_on(whole, tmp_path / "lost")


@pytest.mark.full
@pytest.mark.parametrize("local", [True, False])
def test_a_lost_client_leaves_what_was_made(whole: Path, tmp_path: Path, local: bool) -> None:
    with cluster(tmp_path / "cluster", workers=0 if local else 2) as workers:
        options = ("--jobs", "2") if local else ("--scheduler", workers.address)
        with building(whole, tmp_path / "lost", *options) as running:
            wait_for(running, tmp_path / "lost-store", "reports", 3)
            running.send_signal(signal.SIGKILL)
            running.wait()
        goes_on(whole, tmp_path / "lost", *options)


def goes_on(whole: Path, target: Path, *options: str) -> None:
    """Build again, and see that what was made is not made again."""
    made = Path(f"{target}-store")
    kept = {path: path.stat().st_mtime_ns for path in (made / "slices").iterdir() if path.name[0] != "."}
    reported = {path.stem for path in (made / "reports").iterdir()}
    assert len(reported) >= 3
    build(whole, target, *options)
    again = [
        path
        for path, changed in kept.items()
        if path.stat().st_mtime_ns != changed and path.stem.rpartition("-")[2] in reported
    ]
    assert again == []
    assert_equal(whole / "one.db", Path(f"{target}.db"))


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
    write_libraries(tmp_path / "sources", MORE[:4])
    done = oblist(*arguments(tmp_path, tmp_path / "harmed", "--jobs", "2", "--json"))
    assert done.returncode == 1, done.stderr
    found = {one["name"]: one for one in json.loads(done.stdout)["releases"]}
    assert {name: one["state"] for name, one in found.items()} == {
        **dict.fromkeys(("killer", "needing", "eater", "deaf", "drawing-extras"), "failed"),
        **dict.fromkeys(("drawing", "shapes", "inferred"), "loaded"),
    }
    lost = "The workers that made it were lost, 4 times."
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


def test_the_extra_is_named_when_it_is_missing(tmp_path: Path) -> None:
    """A Python in which Dask cannot be found."""
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util\n"
        "find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'distributed'"
        " else find(name, *rest)\n"
    )
    for options in (("--jobs", "2"), ("--scheduler", "tcp://127.0.0.1:1")):
        done = oblist(
            *("catalog", "build", "--below", str(tmp_path), "--store", str(tmp_path / "store"), *options),
            environment={"PYTHONPATH": str(tmp_path), "OBLIST_CATALOG": str(tmp_path / "c.db")},
        )
        assert done.returncode == 1
        assert "needs distributed" in done.stderr and "pip install 'oblist[cluster]'" in done.stderr


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--scheduler", "tcp://127.0.0.1:1"), 1, "No Dask scheduler answers at tcp://127.0.0.1:1"),
        (("--scheduler", "nonsense://x"), 1, "nonsense://x is not the address of a Dask scheduler"),
        (("--scheduler", "tcp://127.0.0.1:1", "--jobs", "2"), 2, "Give --jobs or --scheduler"),
        (("--send-sources",), 2, "--send-sources is for the workers of a --scheduler"),
        (("--store", "nonsense://x"), 1, "nonsense://x"),
    ],
)
def test_what_cannot_be_reached_is_said(
    whole: Path, tmp_path: Path, options: tuple[str, ...], code: int, said: str
) -> None:
    done = oblist(*arguments(whole, tmp_path / "none", *options))
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "none.db").exists()


@pytest.mark.full
def test_a_local_cluster_listens_on_the_loopback_interface_only(whole: Path, tmp_path: Path) -> None:
    with building(whole, tmp_path / "local", "--jobs", "2") as running:
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
def test_an_interrupt_ends_all(whole: Path, tmp_path: Path) -> None:
    with (
        cluster(tmp_path / "cluster") as workers,
        building(whole, tmp_path / "ended", "--scheduler", workers.address) as running,
    ):
        wait_for(running, tmp_path / "ended-store", "reports", 3)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
        assert (running.returncode, errors.strip()) == (130, "oblist: interrupted")
        assert not (tmp_path / "ended.db").exists()
        goes_on(whole, tmp_path / "ended", "--scheduler", workers.address)


@pytest.mark.parametrize(
    "seconds", [pytest.param(one, marks=pytest.mark.full) for one in (0.5, 1.5, 2.5)] + [1.0]
)
def test_an_interrupt_ends_workers_that_begin(whole: Path, tmp_path: Path, seconds: float) -> None:
    with building(whole, tmp_path / "ended", "--jobs", "2") as running:
        wait_for(running, tmp_path / "ended-store", "slices", 1)  # that of SBCL; then the workers begin
        time.sleep(seconds)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does
        _, errors = running.communicate(timeout=60)
    assert (running.returncode, errors.strip()) == (130, "oblist: interrupted")
