"""Layers survive what ends the process that makes them: no broken one is ever used."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from oblist.indexer.check.contradictions import contradictions
from oblist.indexer.check.differences import differences
from oblist.lisp.sbcl import Sbcl
from support.builds.shared_code import share_code
from support.command import OBLIST, oblist, processes_with, start_oblist
from support.patience import SOON
from support.projects.sample import SAMPLE, with_small_libraries

SEED = 1936
KILLS, MOST_BUILDS = 20, 80
# For builds that run at the same time, which take ten seconds each on a machine that does nothing else.
_BUILD_SECONDS = 300.0
# Kilobytes of the disk, from what holds no layer to what holds all three: of SBCL, ASDF and the dependencies.
SIZES = (6_000, 20_000, 45_000, 60_000, 85_000, 107_000, 120_000, 150_000, 190_000, 240_000)
pytestmark = [pytest.mark.full, pytest.mark.timeout(1800)]


class Indexed:
    """A copy of the sample, and how it is indexed, with an index of it made from scratch."""

    def __init__(self, sbcl: Sbcl, folder: Path) -> None:
        folder.mkdir()
        self.project = folder / "sample"
        shutil.copytree(SAMPLE, self.project)
        self.index = folder / "index.db"
        self._scratch = folder / "scratch.db"
        self._sbcl = sbcl
        assert self.run("--from-scratch", output=self._scratch).returncode == 0

    def arguments(self, *more: str, output: Path | None = None) -> list[str]:
        """The arguments of ``oblist``."""
        return [
            *("index", "--project", str(self.project), "--sbcl", str(self._sbcl.path), "--no-userinit"),
            *("--no-snapshot", "--quiet", "--force", *more, "--output", str(output or self.index)),
        ]

    def run(self, *more: str, output: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Index the project."""
        return oblist(*self.arguments(*more, output=output))

    def assert_right(self, index: Path | None = None) -> None:
        """Compare the index with the one from scratch."""
        with (
            closing(sqlite3.connect(index or self.index)) as made,
            closing(sqlite3.connect(self._scratch)) as scratch,
        ):
            assert list(differences(made, scratch)) == []
            assert contradictions(made) == []


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache with no layer but those of SBCL and ASDF; compiled libraries stay where they are."""
    fasls = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "common-lisp"
    monkeypatch.setenv("ASDF_OUTPUT_TRANSLATIONS", f"/:{fasls / 'survivors'}/:")
    home = tmp_path / "cache"
    share_code(home)
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    yield home / "oblist" / "layers"
    deadline = time.monotonic() + SOON
    while (left := processes_with(str(home))) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left, "an SBCL outlived what had started it"


def test_a_build_that_is_killed_at_any_moment(
    small: Sbcl, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_small_libraries(monkeypatch)
    sample = Indexed(small, tmp_path / "one")
    began = time.monotonic()
    assert sample.run().returncode == 0
    usual = time.monotonic() - began
    randomly = random.Random(SEED)
    killed = 0
    for _ in range(MOST_BUILDS):
        for layer in cache.iterdir():
            if randomly.random() < 0.4:
                layer.unlink() if layer.is_symlink() else shutil.rmtree(layer)
        build = start_oblist(*sample.arguments())
        # Where most layers are there, it ends long before the usual time.
        with suppress(subprocess.TimeoutExpired):
            build.wait(0.05 + usual * randomly.random() * randomly.random())
        build.send_signal(signal.SIGKILL)
        build.communicate()
        killed += build.returncode == -signal.SIGKILL
        done = sample.run()
        assert (done.returncode, done.stderr) == (0, "")
        sample.assert_right()
        assert not list(cache.glob("making-*")), "what was left is dropped by the next"
        if killed == KILLS:
            break
    assert killed == KILLS


def test_two_projects_at_once(
    small: Sbcl, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_small_libraries(monkeypatch)
    both = [Indexed(small, tmp_path / name) for name in ("one", "two")]
    for layer in cache.iterdir():
        layer.unlink() if layer.is_symlink() else shutil.rmtree(layer)
    builds = [start_oblist(*sample.arguments()) for sample in both]
    for build in builds:
        _, errors = build.communicate(timeout=_BUILD_SECONDS)
        assert (build.returncode, errors) == (0, "")
    for sample in both:
        sample.assert_right()
        assert sample.run().returncode == 0  # on the layers that both have made
        sample.assert_right()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a file system of a given size")
@pytest.mark.parametrize("size", SIZES)
def test_a_full_disk_at_every_stage(small: Sbcl, tmp_path: Path, cache: Path, size: int) -> None:
    sample = Indexed(small, tmp_path / "one")
    code = [path for path in cache.parent.iterdir() if path != cache]
    disk = tmp_path / "disk"
    disk.mkdir()
    tight = tmp_path / "tight.db"
    first, second = (" ".join([OBLIST, *sample.arguments(output=output)]) for output in (tight, sample.index))
    steps = [
        f"mount -t tmpfs -o size={size}k none {disk}",
        f"mkdir {disk}/oblist",
        f"cp -r {' '.join(map(str, code))} {disk}/oblist",
        f"export XDG_CACHE_HOME={disk}",
        first,
        f"echo complete: $(ls -d {disk}/oblist/layers/*/layer.core 2>/dev/null | wc -l)",
        f"mount -o remount,size=2g {disk}",
        second,
        f"ls {disk}/oblist/layers",
    ]
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-e", "-c", "\n".join(steps)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "making-" not in done.stdout
    complete = int(done.stdout.partition("complete: ")[2].split()[0])
    assert (complete == 0, complete == 3) == (size < SIZES[3], size == SIZES[-1])
    sample.assert_right(tight)
    sample.assert_right()
