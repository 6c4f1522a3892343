"""The scratch folder of a machine: what makes slices there, and nobody else needs.

    fasls/KEY/           the files that were compiled for a release
    bases/KEY.core       images with the dependencies of releases, deleted after a build
    sources/KEY/         sources that were sent
    work/                what is being made, by the process that makes it

A store in a folder is the scratch folder of the machine that builds, too.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

_MOST_BASES = 6
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
    def base_in_use(self, key: str, make: Callable[[Path], None]) -> Iterator[Path]:
        """The core of a base, which is not deleted meanwhile; one process makes it, others wait."""
        core = self.base(key)
        with core.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH)
            if not core.exists():
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not core.exists():
                    make(core)
                fcntl.flock(lock, fcntl.LOCK_SH)
            os.utime(core)
            self.drop_bases(_MOST_BASES)
            yield core

    def drop_bases(self, most: int = 0) -> None:
        """Delete the cores of bases that nobody uses, except the ``most`` that were used last."""
        with suppress(OSError):  # another process deletes them too
            cores = sorted((self.folder / "bases").glob("*.core"), key=lambda path: -path.stat().st_mtime_ns)
            for core in cores[most:]:
                with core.with_suffix(".lock").open("w") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    core.unlink(missing_ok=True)

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
        linked = {path for other in others for path in self._link_fasls(other, folder)}
        yield folder
        for path in linked:
            path.unlink(missing_ok=True)

    def _link_fasls(self, key: str, folder: Path) -> Iterator[Path]:
        """Link the files compiled for the release ``key`` into ``folder``."""
        source = self.fasls(key)
        for path, _, names in os.walk(source):
            beside = folder / Path(path).relative_to(source)
            beside.mkdir(parents=True, exist_ok=True)
            for name in names:
                with suppress(OSError):  # compiled for two releases: the first counts
                    os.link(Path(path, name), beside / name)
                yield beside / name


def _is_running(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
