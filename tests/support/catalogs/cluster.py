"""A Dask scheduler and workers as on several machines: each with a folder, home and caches of its own.

Their caches begin with our compiled code, and with the layers of SBCL and ASDF.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.builds.shared_code import share_code
from support.builds.small_sbcl import small_sbcl
from support.starts.programs import counted_program

DASK = counted_program("dask")
_SECONDS = 60


class Cluster:
    """A scheduler on the loopback interface, and its workers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        file = folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--scheduler-file", str(file), environment={})
        deadline = time.monotonic() + _SECONDS
        # The scheduler makes the file, then writes it.
        while not (file.exists() and file.read_text()):
            assert self.processes["scheduler"].poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        self.address: str = json.loads(file.read_text())["address"]

    def add_worker(self, name: str, *, without: Path | None = None, **variables: str) -> None:
        """Start a worker whose home and caches are in a folder of its own; it may be ``without`` a folder."""
        home = self._folder / name
        (home / "tmp").mkdir(parents=True)
        (home / "cache").mkdir(mode=0o700)
        share_code(home / "cache")
        environment = {
            "SBCL": str(small_sbcl().path),
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "TMPDIR": str(home / "tmp"),
            **variables,
        }
        local = ("--nthreads", "1", "--local-directory", str(home / "tmp"), "--name", name)
        self._start(name, self.address, *local, environment=environment, without=without)

    def workers(self) -> list[str]:
        """The names of the workers that run."""
        return [name for name, one in self.processes.items() if name != "scheduler" and one.poll() is None]

    def scratch(self, name: str) -> Path:
        """The scratch folder of a worker."""
        return self._folder / name / "cache" / "oblist" / "catalog"

    def kill(self, name: str) -> None:
        """Kill the scheduler or a worker, by kill -9."""
        self.processes[name].kill()
        self.processes[name].wait()

    def said(self, name: str) -> str:
        """What a process has printed."""
        return (self._folder / f"{name}.log").read_text(errors="replace")

    def _start(
        self, name: str, *options: str, environment: dict[str, str], without: Path | None = None
    ) -> None:
        role = "scheduler" if name == "scheduler" else "worker"
        fixed = ["--host", "127.0.0.1", "--no-dashboard"]
        if role == "worker":
            fixed.append("--no-nanny")  # what restarts a worker is not what is tested
        with (self._folder / f"{name}.log").open("wb") as log:
            self.processes[name] = subprocess.Popen(
                [*(_hiding(without) if without else ()), DASK, role, *options, *fixed],
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def end(self) -> None:
        """End all processes."""
        for process in self.processes.values():
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait()


def _hiding(folder: Path) -> list[str]:
    """The beginning of a command that runs the rest where ``folder`` is empty."""
    return ["unshare", "-m", "sh", "-c", f'mount -t tmpfs none {folder} && exec "$@"', "sh"]


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A scheduler with so many workers, in ``folder``."""
    folder.mkdir()
    started = Cluster(folder)
    try:
        for number in range(workers):
            started.add_worker(f"worker-{number}")
        yield started
    finally:
        started.end()
