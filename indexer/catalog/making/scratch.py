"""The scratch folder of a machine: what makes slices there, and nobody else needs.

    fasls/KEY/           the files that were compiled for a release
    sources/KEY/         sources that were sent
    work/                what is being made, by the process that makes it

A store in a folder is the scratch folder of the machine that builds, too. Images with what releases depend on
are in the user's cache (bases.py).
"""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from oblist.lisp.unfinished import drop_unfinished, unfinished_folder

_FOLDERS = ("fasls", "sources", "work")


@dataclass(frozen=True, slots=True)
class Scratch:
    """The scratch folder ``folder``."""

    folder: Path

    def prepare(self) -> None:
        """Make the folders, and drop what processes have left that are gone."""
        for name in _FOLDERS:
            (self.folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)
        drop_unfinished(self.folder / "work")

    def fasls(self, key: str) -> Path:
        """The folder of the files compiled for a release."""
        return self.folder / "fasls" / key

    @contextmanager
    def work(self) -> Iterator[Path]:
        """A folder for what is being made; it is gone afterwards."""
        with unfinished_folder(self.folder / "work") as work:
            yield work

    @contextmanager
    def alone(self, key: str) -> Iterator[None]:
        """Keep other processes from making what belongs to ``key``; they wait."""
        with self.fasls(key).with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def compiling(self, key: str) -> Path:
        """The empty folder for the files compiled for the release ``key``; the caller is alone with it.

        It never moves: what is compiled may have the paths of what is beside it, such as the shared objects
        that CFFI makes.
        """
        folder = self.fasls(key)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder
