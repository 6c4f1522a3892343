"""Indexes with a snapshot of their image, for values and for evaluating forms."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from oblist.indexer.build.index import build_index
from oblist.indexer.image import ImagePlan
from oblist.lisp.images import Setup
from oblist.lisp.sbcl import Sbcl
from support.builds.build_cache import kept, tested_sbcl
from support.builds.shared_code import share_code
from support.command import processes_with
from support.live import LISP_SOURCES

_LIVE = [LISP_SOURCES / "live_oracle.lisp", LISP_SOURCES / "hostile.lisp"]
# The value distinguishes a core from an image that loaded the file again, in its own environment.
_PROBE = """(in-package "CL-USER")
(defvar *probe* (or (sb-ext:posix-getenv "PROBE") "built"))
(defpackage "MINE" (:use "COMMON-LISP"))
(defvar mine::*answer* 1)
"""


@dataclass(frozen=True)
class ImageIndex:
    """An index with a snapshot, the cache that the snapshot is in, and how a server finds that."""

    path: Path
    cache: Path

    @property
    def environment(self) -> dict[str, str]:
        return {"XDG_CACHE_HOME": str(self.cache)}

    def copy_of_cache(self, folder: Path) -> ImageIndex:
        """The same index, with a copy of the cache in ``folder``: only its user's processes run that copy."""
        copy_cache(self.cache, folder)
        return ImageIndex(self.path, folder)

    def processes(self) -> list[str]:
        """The processes that run the snapshot."""
        return processes_with(str(self.cache))

    def assert_nothing_runs(self, seconds: float = 10.0) -> None:
        deadline = time.monotonic() + seconds
        while (left := self.processes()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left


def copy_cache(cache: Path, folder: Path) -> None:
    """Copy a cache, but for the layers that all share, which are links in it: they have 300 MB."""
    shutil.copytree(cache, folder, symlinks=True)
    folder.chmod(0o700)


def bare_image() -> ImageIndex:
    """An index of SBCL alone."""
    return _image(kept("bare", lambda folder: _build(folder, tested_sbcl(), [])))


def live_image() -> ImageIndex:
    """An index whose snapshot can read all values itself, and has hostile ones, and *PROBE*."""
    return _image(kept("live", _build_live, _LIVE))


def _build_live(folder: Path) -> None:
    (folder / "probe.lisp").write_text(_PROBE)
    _build(folder, tested_sbcl(), [*_LIVE, folder / "probe.lisp"])


def _image(folder: Path) -> ImageIndex:
    return ImageIndex(folder / "oblist.db", folder / "cache")


def _build(folder: Path, sbcl: Sbcl, files: Sequence[Path]) -> None:
    share_code(folder / "cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        plan = ImagePlan(sbcl, (), Setup(files=files))
        summary = build_index(folder / "oblist.db", plan, command="tests", snapshot=True)
    assert not summary.not_loaded
    assert summary.snapshot_size, summary.no_snapshot
