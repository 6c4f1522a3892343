"""The base of a project: an index and a core of its dependencies, kept in the user's cache.

A refresh starts from both. They belong together: both number symbols in the same way.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from oblist.lisp.sbcl import Sbcl, Setup, base_files, compiled_code

from ..build.facts import Build
from ..errors import ImageError
from ..format import user_cache_folder
from ..image import Image, ImagePlan
from ..inputs import Hashes, file_hash, fixed_files, project_files
from .present import Present, ProjectBrokenError

if TYPE_CHECKING:
    from ..write.rows import Writer

Progress = Callable[[str], None]
MOST_BASES = 3
_FOLDER = "base"
_INDEX, _CORE, _FACTS = "base.db", "base.core", "base.json"
_MAKING = "making-"
_SAVING_SECONDS = 120.0
_hash = Hashes()


@dataclass(frozen=True, slots=True)
class Base:
    """An existing base: its index and core, and the files it was made from, with their hashes."""

    index: Path
    core: Path
    sbcl: Sbcl
    code: Path
    inputs: dict[str, str]
    lacks_dependencies: bool = False
    """Whether a dependency of the project did not load, which may be there the next time."""

    @property
    def identity(self) -> str:
        """A hash that differs for any other base, and for this base when it is made from other files."""
        parts = [self.index.parent.name, *sorted(self.inputs.items())]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def is_current(self) -> bool:
        """Whether no file that the base was made from has changed."""
        return all(_hash(path) == known for path, known in self.inputs.items())


def find_base(sbcl: Sbcl, systems: Sequence[str], setup: Setup, *, complete: bool = False) -> Base | None:
    """The base for ``setup`` and ``systems``, if there is one that is up to date.

    Raises lisp.sbcl.SbclError when our code does not compile.
    """
    code, folder = _place(sbcl, systems, setup)
    _drop_unfinished(folder.parent)
    base = _found(folder, sbcl, code)
    if base is None or not base.is_current() or (complete and base.lacks_dependencies):
        return None
    os.utime(folder)
    return base


def make_base(sbcl: Sbcl, systems: Sequence[str], setup: Setup, present: Present, progress: Progress) -> Base:
    """Make the base for ``setup`` and ``systems``.

    A dependency that does not load is a problem, unless the index of ``present`` has it: then
    ProjectBrokenError is raised. Raises whatever building an index raises.
    """
    code, folder = _place(sbcl, systems, setup)
    progress("loading what the project depends on")
    base = _make(folder, sbcl, code, systems, setup, present, progress)
    _prune(folder.parent)
    return base


def _place(sbcl: Sbcl, systems: Sequence[str], setup: Setup) -> tuple[Path, Path]:
    """The folder of the compiled code, and the folder of the base."""
    code = compiled_code(sbcl, user_cache_folder())
    return code, user_cache_folder() / _FOLDER / _key(sbcl, code, systems, setup)


def _key(sbcl: Sbcl, code: Path, systems: Sequence[str], setup: Setup) -> str:
    """The key of a base: the compiled code, whose name stands for the SBCL, and what is loaded."""
    registry = {name: value for name, value in os.environ.items() if name.startswith(("CL_SOURCE", "ASDF"))}
    parts = [
        str(sbcl.path),
        code.name,
        list(systems),
        sorted(setup.environment().items()),
        sorted(registry.items()),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _found(folder: Path, sbcl: Sbcl, code: Path) -> Base | None:
    try:
        facts = json.loads((folder / _FACTS).read_text(encoding="utf-8"))
        return Base(folder / _INDEX, folder / _CORE, sbcl, code, facts["inputs"], facts["lacks"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _make(
    folder: Path,
    sbcl: Sbcl,
    code: Path,
    systems: Sequence[str],
    setup: Setup,
    present: Present,
    progress: Progress,
) -> Base:
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f"{_MAKING}{os.getpid()}-", dir=folder.parent))
    try:
        inputs = _fixed_inputs(setup)
        plan = ImagePlan(sbcl, systems, setup)
        lacks = _dump_base(work, plan, present, progress)
        inputs |= {path: file_hash(path) for path in _sources(work / _INDEX)}
        base_files(work / _CORE).write_text("".join(_recorded_files(work / _INDEX)), encoding="utf-8")
        facts = {"inputs": inputs, "lacks": lacks}
        (work / _FACTS).write_text(json.dumps(facts), encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        work.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return Base(folder / _INDEX, folder / _CORE, sbcl, code, inputs, lacks)


def _dump_base(work: Path, plan: ImagePlan, present: Present, progress: Progress) -> bool:
    """Write the index and the core into the folder ``work``."""
    with Image(plan, work / _CORE, base=True) as image:
        from ..build.assemble import write_index

        def write() -> Writer:
            (work / _INDEX).unlink(missing_ok=True)
            return write_index(
                work / _INDEX, image.records(progress), Build("base", datetime.now(UTC)), progress
            )

        written = image.made(write)
        for problem in filter(present.is_broken_by, written.not_loaded):
            raise ProjectBrokenError(problem)
        progress("saving the base")
        image.wait(_SAVING_SECONDS)
        if not (work / _CORE).exists():
            reason = image.no_snapshot() or "no reason given"
            raise ImageError(f"SBCL saved no core to refresh from: {reason}.", image.printed_last())
        return image.lacks_dependencies()


def _fixed_inputs(setup: Setup) -> dict[str, str]:
    """The files that decide what is loaded, apart from the project's own sources."""
    own = project_files(setup.projects)
    definitions = [str(path) for path in own if path.suffix.lower() == ".asd"]
    return {path: file_hash(path) for path in [*fixed_files(replace(setup, projects=())), *definitions]}


def _sources(index: Path) -> Iterator[str]:
    """The source files of the dependencies; SBCL's own are left out, because they change only with SBCL."""
    with closing(sqlite3.connect(f"file:{quote(str(index))}?mode=ro", uri=True)) as connection:
        yield from (
            row[0]
            for row in connection.execute(
                "SELECT source_files.path FROM source_files JOIN roots ON roots.id = root_id"
                " WHERE roots.name <> 'sbcl' AND source_files.path IS NOT NULL"
                " UNION SELECT definition_path FROM systems WHERE definition_path IS NOT NULL"
            )
        )


def _recorded_files(index: Path) -> list[str]:
    """The names of all source files as SBCL records them, a line each."""
    with closing(sqlite3.connect(f"file:{quote(str(index))}?mode=ro", uri=True)) as connection:
        return [f"{name}\n" for (name,) in connection.execute("SELECT recorded FROM source_files")]


def _prune(bases: Path) -> None:
    """Keep only the most recently used bases: each is as large as an index and a core."""
    folders = [path for path in bases.iterdir() if not path.name.startswith(_MAKING)]
    folders.sort(key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for folder in folders[MOST_BASES:]:
        shutil.rmtree(folder, ignore_errors=True)


def _drop_unfinished(bases: Path) -> None:
    """Remove the leftovers of processes that were killed while they made a base."""
    for left in bases.glob(f"{_MAKING}*"):
        if not _is_running(left.name.split("-")[1]):
            shutil.rmtree(left, ignore_errors=True)


def _is_running(process: str) -> bool:
    return process.isdigit() and Path(f"/proc/{process}").exists()
