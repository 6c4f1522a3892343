"""Build records and snapshots in the user's cache, from which images are started to report values.

Each index that was built here has a folder, named after its build id: ``record.json`` names the SBCL and
the systems, ``image.core`` is the snapshot, if there is one; a link to the core of a layer has the code that
reports values beside it. The record alone decides what is run, so it is trusted only when nobody else could
have written it; its date is when the snapshot was last used. A snapshot holds the values of all variables:
folders are 0700, files 0600.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from errno import EACCES
from pathlib import Path

from .images import Setup
from .sbcl import SERVER, Sbcl
from .unfinished import drop_unfinished, unfinished_folder

MOST_CORE_BYTES = 500_000_000
_MOST_RECORDS = 1000
_FOLDER = "live"
_RECORD = "record.json"
_CORE = "image.core"
_SAVING = "saving-"


@dataclass(frozen=True, slots=True)
class BuildRecord:
    """The inputs of a build: enough to make the same image again.

    ``runtime`` is the size and the modification time of the SBCL program, in bytes and nanoseconds: a
    core runs with no other program.
    """

    build_id: str
    index: str
    sbcl: str
    sbcl_version: str
    runtime: tuple[int, int]
    systems: Sequence[str] = ()
    projects: Sequence[str] = ()
    files: Sequence[str] = ()
    init: str | None = None
    user_init: bool = False
    tests: bool = False
    sources: bool = True
    snapshot: bool = True
    no_core: str | None = None
    """Why no core could be saved."""

    @staticmethod
    def of(
        build_id: str,
        index: Path,
        sbcl: Sbcl,
        systems: Sequence[str],
        setup: Setup,
        *,
        sources: bool = True,
        snapshot: bool = True,
    ) -> BuildRecord:
        """The record of a build of ``index`` by ``sbcl`` with ``systems`` and ``setup``.

        ``sources`` and ``snapshot`` say whether the text of the sources and the image are kept.
        """
        return BuildRecord(
            build_id=build_id,
            index=str(index),
            sbcl=str(sbcl.path),
            sbcl_version=sbcl.version,
            runtime=runtime_facts(sbcl.path),
            systems=list(systems),
            projects=[str(project.resolve()) for project in setup.projects],
            files=[str(file.absolute()) for file in setup.files],
            init=str(setup.init.absolute()) if setup.init else None,
            user_init=setup.user_init,
            tests=setup.tests,
            sources=sources,
            snapshot=snapshot,
        )

    def setup(self) -> Setup:
        """The setup of that build."""
        return Setup(
            projects=[Path(project) for project in self.projects],
            files=[Path(file) for file in self.files],
            init=Path(self.init) if self.init else None,
            user_init=self.user_init,
            tests=self.tests,
        )


@dataclass(frozen=True, slots=True)
class SavedCore:
    """A core, its size in bytes, and when it was last used, in seconds since the epoch.

    One that is ``shared`` is that of a layer, too, and takes no room of its own.
    """

    record: BuildRecord
    path: Path
    size: int
    used: float
    shared: bool = False

    @property
    def why_useless(self) -> str | None:
        """Why nothing can use this core; None if something can."""
        if not Path(self.record.index).exists():
            return "its index is gone"
        return None if runs_still(self.record) else f"{self.record.sbcl} has changed"


def runs_still(record: BuildRecord) -> bool:
    """Whether the SBCL of a build is still the same program: its cores run with no other."""
    try:
        return runtime_facts(Path(record.sbcl)) == record.runtime
    except OSError:
        return False


def runtime_facts(path: Path) -> tuple[int, int]:
    """Size and modification time of the program at ``path``; OSError when it does not exist."""
    status = path.resolve().stat()
    return status.st_size, status.st_mtime_ns


class BuildRecords:
    """The records and snapshots below the user's ``cache`` folder."""

    def __init__(self, cache: Path) -> None:
        self._folder = cache / _FOLDER

    def find(self, build_id: str) -> BuildRecord | None:
        """The record of the index with this build id; None when the index was not built here."""
        folder = self._entry(build_id)
        return _record_in(folder) if folder else None

    def core(self, build_id: str) -> Path | None:
        """The snapshot of the index with this build id, if there is one."""
        folder = self._entry(build_id)
        return _core_in(folder) if folder else None

    def note_use(self, build_id: str) -> None:
        """Remember that the core of a build is in use: the cores unused for longest are removed first."""
        with suppress(OSError):
            if core := self.core(build_id):
                os.utime(core.with_name(_RECORD))  # the core may be that of a layer

    def saved(self) -> list[SavedCore]:
        """All cores, the most recently used first."""
        found = []
        for folder in self._entries():
            core, record = _core_in(folder), _record_in(folder)
            if core is not None and record is not None:
                with suppress(OSError):  # removed a moment ago
                    status = core.stat()
                    shared, used = status.st_nlink > 1, core.with_name(_RECORD).stat().st_mtime
                    found.append(SavedCore(record, core, status.st_size, used, shared))
        return sorted(found, key=lambda one: one.used, reverse=True)

    @contextmanager
    def saving(self) -> Iterator[Path]:
        """A path to save a core at; whatever is left there at the end is removed."""
        self._make_folder()
        self.clear_up()
        with unfinished_folder(self._folder, _SAVING) as folder:
            yield folder / _CORE

    def clear_up(self) -> None:
        """Remove what processes that were killed have left."""
        drop_unfinished(self._folder, _SAVING)

    def publish(self, record: BuildRecord) -> None:
        """Keep ``record``, and remove older records of the same index with their snapshots.

        Raises OSError; a PermissionError when others could write to the cache.
        """
        with self.saving() as core:
            self._drop_replaced(record)
            path = core.parent / _RECORD
            path.touch(mode=0o600)
            path.write_text(json.dumps(asdict(record)), encoding="utf-8")
            # The entry is complete when it appears.
            core.parent.rename(self._folder / record.build_id)
        if self.find(record.build_id) is None:
            shutil.rmtree(self._folder / record.build_id, ignore_errors=True)
            raise PermissionError(EACCES, f"other users can write to {self._folder.parent} (try: chmod 700)")

    def add_core(self, record: BuildRecord, core: Path) -> None:
        """Keep ``core`` as the snapshot of ``record``, with what is beside it; raises OSError."""
        kept = self._folder / record.build_id / _CORE
        with suppress(FileNotFoundError):
            server_beside(core).rename(server_beside(kept))
        core.chmod(0o600)
        core.rename(kept)

    def keep_no_core(self, record: BuildRecord, reason: str) -> None:
        """Keep the ``reason`` why ``record`` has no core, so the next build need not try; raises OSError."""
        path = self._folder / record.build_id / _RECORD
        path.write_text(json.dumps(asdict(replace(record, no_core=reason))), encoding="utf-8")

    def _drop_replaced(self, newest: BuildRecord) -> None:
        """Remove the entries whose index is gone or has been replaced, and the oldest beyond the limit."""
        for number, folder in enumerate(sorted(self._entries(), key=_changed, reverse=True)):
            record = _record_in(folder)
            if record is None or _is_replaced(record, newest) or number >= _MOST_RECORDS:
                shutil.rmtree(folder, ignore_errors=True)

    def _make_folder(self) -> None:
        for folder in (self._folder.parent, self._folder):  # mkdir applies the mode to the last folder only
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def _entries(self) -> list[Path]:
        if not (_is_private(self._folder) and _is_unwritable_to_others(self._folder.parent)):
            return []
        with suppress(OSError):
            return [path for path in self._folder.iterdir() if not path.name.startswith(_SAVING)]
        return []

    def _entry(self, build_id: str) -> Path | None:
        """The folder of a build, among the existing ones: no path is made from a build id."""
        return next((path for path in self._entries() if path.name == build_id), None)


def server_beside(core: Path) -> Path:
    """The place of our compiled code for a ``core`` that has none, since it is a layer's."""
    return core.with_name(SERVER)


def _record_in(folder: Path) -> BuildRecord | None:
    """The record in an entry's folder; None if others could have written it, or it is another build's."""
    if not _is_private(folder):
        return None
    try:
        values = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
        record = BuildRecord(**{**values, "runtime": tuple(values["runtime"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return record if record.build_id == folder.name and Path(record.sbcl).is_absolute() else None


def _core_in(folder: Path) -> Path | None:
    """The snapshot in an entry's folder, if there is one."""
    core = folder / _CORE
    return core if _is_private(folder) and core.is_file() and _is_ours(core) else None


def _is_replaced(record: BuildRecord, newest: BuildRecord) -> bool:
    """Whether the index of a record is gone, or was replaced by another build."""
    if record.index == newest.index:
        return record.build_id != newest.build_id
    return not Path(record.index).exists()


def _changed(folder: Path) -> int:
    with suppress(OSError):
        return folder.stat().st_mtime_ns
    return 0


def _is_ours(path: Path) -> bool:
    with suppress(OSError):
        status = path.lstat()
        return status.st_uid == os.getuid() and not status.st_mode & 0o077
    return False


def _is_private(folder: Path) -> bool:
    """Whether nobody but this user can see or change the folder."""
    with suppress(OSError):
        return stat.S_ISDIR(folder.lstat().st_mode) and _is_ours(folder)
    return False


def _is_unwritable_to_others(folder: Path) -> bool:
    with suppress(OSError):
        status = folder.stat()
        return status.st_uid == os.getuid() and not status.st_mode & 0o022
    return False
