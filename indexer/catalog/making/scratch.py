"""The scratch folder of a machine: what makes slices there, and nobody else needs.

    fasls/KEY/           the files that were compiled for a release
    bases/KEY.core       images with the dependencies of releases, deleted after a build
    bases/KEY.fasls/     the files that were compiled for such an image, if there were none yet
    sources/KEY/         sources that were sent
    work/                what is being made, by the process that makes it

A store in a folder is the scratch folder of the machine that builds, too.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

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
        for left in (self.folder / "work").iterdir():
            if not _is_running(left.name.partition("-")[0]):
                shutil.rmtree(left, ignore_errors=True)

    def fasls(self, key: str) -> Path:
        """The folder of the files compiled for a release."""
        return self.folder / "fasls" / key

    def base(self, key: str) -> Path:
        """The place of the core of a base."""
        return self.folder / "bases" / f"{key}.core"

    @contextmanager
    def base_in_use(self, key: str, make: Callable[[], Path], fasls: Path) -> Iterator[Path]:
        """The core of a base, which is not deleted meanwhile; one process makes it, others wait.

        ``make`` returns the new core, which is moved. What it compiles in the folder ``fasls`` is there
        whenever the base is in use: otherwise ASDF would compile it again, and it would count as new.
        """
        core = self.base(key)
        compiled = core.with_suffix(_COMPILED)
        with core.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH)
            if not core.exists():
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not core.exists():
                    shutil.rmtree(compiled, ignore_errors=True)
                    there = frozenset(_files(fasls))
                    new = make()
                    _link(fasls, compiled, without=there)
                    new.replace(core)
                fcntl.flock(lock, fcntl.LOCK_SH)
            os.utime(core)
            self.drop_bases(_MOST_BASES)
            with _linked([compiled], fasls):
                yield core

    def drop_bases(self, most: int = 0) -> None:
        """Delete the cores of bases that nobody uses, except the ``most`` that were used last."""
        with suppress(OSError):  # another process deletes them too
            cores = sorted((self.folder / "bases").glob("*.core"), key=lambda path: -path.stat().st_mtime_ns)
            for core in cores[most:]:
                with core.with_suffix(".lock").open("w") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    core.unlink(missing_ok=True)
                    shutil.rmtree(core.with_suffix(_COMPILED), ignore_errors=True)

    @contextmanager
    def work(self) -> Iterator[Path]:
        """A folder for what is being made; it is gone afterwards."""
        work = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=self.folder / "work"))
        try:
            yield work
        finally:
            shutil.rmtree(work, ignore_errors=True)

    @contextmanager
    def alone(self, key: str) -> Iterator[None]:
        """Keep other processes from making what belongs to ``key``; they wait."""
        with self.fasls(key).with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @contextmanager
    def compiling(self, key: str, others: Iterable[str]) -> Iterator[Path]:
        """The empty folder for the files compiled for the release ``key``; the caller is alone with it.

        It also has the files of the releases ``others`` meanwhile. It never moves: what is compiled may have
        the paths of what is beside it, such as the shared objects that CFFI makes.
        """
        folder = self.fasls(key)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        with _linked(map(self.fasls, others), folder):
            yield folder


def _files(folder: Path) -> Iterator[Path]:
    """The files below a folder, relative to it."""
    for path, _, names in os.walk(folder):
        for name in names:
            yield Path(path, name).relative_to(folder)


def _link(source: Path, target: Path, *, without: Collection[Path] = ()) -> list[Path]:
    """Link the files below ``source`` into ``target``, where what is there stays; returns the new links."""
    linked = []
    for file in _files(source):
        if file not in without:
            new = target / file
            new.parent.mkdir(parents=True, exist_ok=True)
            with suppress(OSError):  # it is there already, or gone
                os.link(source / file, new)
                linked.append(new)
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


def _is_running(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
