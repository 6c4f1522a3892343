"""The scratch folder of a machine: what makes slices there, and nobody else needs.

    fasls/KEY/           the files that were compiled for a release
    bases/KEY.core       images with the dependencies of releases, deleted after a build
    bases/KEY.fasls/     the compiled files from which such an image was made
    sources/KEY/         sources that were sent
    work/                what is being made, by the process that makes it

A store in a folder is the scratch folder of the machine that builds, too.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from oblist.lisp.unfinished import drop_unfinished, unfinished_folder

_MOST_BASES = 6
_COMPILED = ".fasls"
_FOLDERS = ("fasls", "bases", "sources", "work")


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

    def base(self, key: str) -> Path:
        """The place of the core of a base."""
        return self.folder / "bases" / f"{key}.core"

    @contextmanager
    def base_in_use(
        self, key: str, compiled: Iterable[str], fasls: Path, make: Callable[[], Path]
    ) -> Iterator[Path]:
        """The core of a base, which is not deleted meanwhile; one process makes it, others wait.

        ``make`` returns the new core, which is moved. It finds in ``fasls`` what was compiled for the
        releases ``compiled``, and may compile more. All this is in ``fasls`` whenever the base is in use:
        ASDF would load again what is not there, or has another date, and it would count as new.
        """
        core = self.base(key)
        its_fasls = core.with_suffix(_COMPILED)
        with core.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH)
            if not core.exists():
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not core.exists():
                    with _linked(map(self.fasls, compiled), fasls):
                        new = make()
                        shutil.rmtree(its_fasls, ignore_errors=True)
                        _link(fasls, its_fasls)
                        new.replace(core)
                fcntl.flock(lock, fcntl.LOCK_SH)
            os.utime(core)
            self.drop_bases(_MOST_BASES)
            with _linked([its_fasls], fasls):
                yield core

    def drop_bases(self, most: int = 0) -> None:
        """Delete the cores of bases that nobody uses, except the ``most`` that were used last."""
        cores: list[Path] = []
        with suppress(OSError):  # another process deletes them too
            cores = sorted((self.folder / "bases").glob("*.core"), key=lambda path: -path.stat().st_mtime_ns)
        for core in cores[most:]:
            with suppress(OSError), core.with_suffix(".lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                core.unlink(missing_ok=True)
                shutil.rmtree(core.with_suffix(_COMPILED), ignore_errors=True)

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


def _link(source: Path, target: Path) -> list[Path]:
    """Link the files below ``source`` into ``target``, where what is there stays; returns the new links."""
    linked = []
    for path, _, names in os.walk(source):
        beside = target / Path(path).relative_to(source)
        beside.mkdir(parents=True, exist_ok=True)
        for name in names:
            with suppress(OSError):  # it is there already, or gone
                os.link(Path(path, name), beside / name)
                linked.append(beside / name)
    return linked


@contextmanager
def _linked(sources: Iterable[Path], target: Path) -> Iterator[None]:
    """Have the files below the ``sources`` in ``target``, too; of two at the same place the first counts."""
    links = [link for source in sources for link in _link(source, target)]
    try:
        yield
    finally:
        for link in links:
            link.unlink(missing_ok=True)
