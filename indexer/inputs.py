"""The inputs of an index, recorded so that a build that would change nothing can be skipped."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from oblist.lisp.build_records import BuildRecords, runtime_facts
from oblist.lisp.images import Setup
from oblist.lisp.sbcl import code_fingerprint

from .checksums import is_as_written
from .errors import IndexerError
from .format import BROKEN, FEATURE, index_is_usable, user_cache_folder
from .image import ImagePlan
from .records import OTHER_TEXT
from .source_text import source_octets

INPUTS = "inputs"
_REGISTRY = ("CL_SOURCE_REGISTRY", "ASDF_OUTPUT_TRANSLATIONS", "SBCL_HOME")
_UNKNOWN = "unknown"  # in place of a hash: no file has it
# The sources with their hashes, and whether the index doubts that their text is the text that was compiled.
_SOURCES = f"""
SELECT path,
       CASE WHEN recorded IN (SELECT subject FROM problems WHERE condition = '{OTHER_TEXT}')
            THEN '{_UNKNOWN}' ELSE sha256 END,
       size, recorded IN (SELECT subject FROM problems WHERE stage = 'source' AND part = 'file')
FROM source_files WHERE path IS NOT NULL
"""
_NOT_OF_SBCL = "root_id IN (SELECT id FROM roots WHERE name <> 'sbcl')"
_DEFINITIONS = "SELECT definition_path FROM systems WHERE definition_path IS NOT NULL"
_SUFFIXES = {".lisp", ".lsp", ".cl", ".l", ".asd", ".sexp"}


def file_hash(path: str) -> str:
    """The SHA-256 of the file at ``path``, empty when it cannot be read."""
    try:
        return hashlib.sha256(source_octets(path)).hexdigest()
    except OSError:
        return ""


FileState = tuple[int, ...]
SAVED = 2  # the place in it of when the file was saved


def file_state(path: str | Path) -> FileState:
    """A value that changes whenever the file at ``path`` is written or replaced; empty for no file."""
    try:
        status = Path(path).stat()
    except OSError:
        return ()
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


class Hashes:
    """Hashes of files; a file is read again only after it has changed."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[FileState, str]] = {}

    def __call__(self, path: str) -> str:
        """The hash, as ``file_hash`` gives it."""
        state = file_state(path)
        known = self._known.get(path)
        if known is None or known[0] != state:
            self._known[path] = known = (state, file_hash(path))
        return known[1]


def project_files(projects: Iterable[Path]) -> Iterator[Path]:
    """The files below ``projects`` that may matter for their index: sources and system definitions."""
    for project in projects:
        for folder, folders, names in os.walk(project.resolve(), followlinks=False):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            yield from (
                Path(folder, name) for name in sorted(names) if Path(name).suffix.lower() in _SUFFIXES
            )


def has_definitions(project: Path) -> bool:
    """Whether a system definition file is somewhere below ``project``, hidden folders left out."""
    seen = set()
    for folder, folders, names in os.walk(project, followlinks=True):  # as ASDF does
        real = os.path.realpath(folder)
        folders[:] = [] if real in seen else [name for name in folders if not name.startswith(".")]
        seen.add(real)
        if any(name.lower().endswith(".asd") for name in names):
            return True
    return False


def is_utf8(name: str) -> bool:
    """Whether the name of a file, as Python has it, is UTF-8 on disk."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def require_names(folders: Sequence[Path]) -> None:
    """Raise IndexerError if SBCL cannot be given the name of a folder: lists of them are lines of UTF-8."""
    for folder in folders:
        name = str(folder.resolve())
        if not is_utf8(name) or "\n" in name or "\r" in name:
            what = "contains a line break" if is_utf8(name) else "is not UTF-8"
            raise IndexerError(
                f"{name!r}: SBCL cannot load a project from a folder whose name {what}. Rename the folder."
            )


def require_definitions(projects: Sequence[Path]) -> None:
    """Raise IndexerError unless one of the ``projects``, if there are any, has a system definition file."""
    if projects and not any(map(has_definitions, projects)):
        where = " or ".join(str(project.resolve()) for project in projects)
        raise IndexerError(
            f"There is no system definition (.asd) in or below {where}. "
            "Name the project's folder with --project, or a file to load with --load."
        )


@dataclass(frozen=True, slots=True)
class Request:
    """The parameters of a build: what it loads, and what it keeps."""

    plan: ImagePlan
    command: str
    store_sources: bool
    snapshot: bool | None


def inputs_fact(
    request: Request, first: Mapping[str, str], definition_paths: Iterable[str], started: float
) -> str:
    """The fact that a build records in meta: the request, and the files missing from ``source_files``.

    ``first`` are the ``first_hashes`` from before anything was loaded, ``definition_paths`` the files that
    define the systems, and ``started`` is when the build began, in seconds since 1970.
    """
    new = [path for path in fixed_files(request.plan.setup) if path not in first]
    definitions = {*definition_paths, *filter(_is_definition, new)} - first.keys()
    files = {
        **{path: file_hash(path) for path in new if path not in definitions},
        **_definition_hashes(definitions, started),
        **first,
    }
    return json.dumps({"request": _facts(request), "files": files}, sort_keys=True)


def first_hashes(setup: Setup) -> dict[str, str]:
    """The hashes of the ``fixed_files`` but for the sources of projects, which a load may write."""
    loaded = fixed_files(replace(setup, projects=()))
    definitions = filter(_is_definition, map(str, project_files(setup.projects)))
    return {path: file_hash(path) for path in (*loaded, *definitions)}


def _is_definition(path: str) -> bool:
    return path.lower().endswith(".asd")


def _definition_hashes(paths: Iterable[str], started: float) -> dict[str, str]:
    """The hashes of files that were read after a moment; it is not known of one that was saved since then."""
    # The hash comes first: a file that is saved between the two has none.
    hashes = {path: file_hash(path) for path in paths}
    return {
        path: _UNKNOWN if known and was_saved_since(path, started) else known
        for path, known in hashes.items()
    }


def compiled_texts(index: Path) -> dict[str, str | None]:
    """The hashes of the sources in ``index``, by path; None for a text that may not be the one compiled."""
    with closing(sqlite3.connect(f"file:{quote(str(index))}?mode=ro", uri=True)) as connection:
        return {
            path: None if doubted else sha256 for path, sha256, _, doubted in connection.execute(_SOURCES)
        }


@dataclass(frozen=True, slots=True)
class IndexedFiles:
    """The files that an index was made from, but for SBCL's own, with their hashes.

    The text of those ``doubted`` may not be the text that was compiled: once they are touched, ASDF compiles
    them again.
    """

    hashes: dict[str, str]
    doubted: list[str]


def indexed_files(index: Path, started: float) -> IndexedFiles:
    """The files that ``index`` was made from, from the moment ``started`` on, in seconds since 1970."""
    with closing(sqlite3.connect(f"file:{quote(str(index))}?mode=ro", uri=True)) as connection:
        sources = connection.execute(f"{_SOURCES} AND {_NOT_OF_SBCL}").fetchall()
        definitions = [path for (path,) in connection.execute(_DEFINITIONS)]
    return IndexedFiles(
        {
            **{path: sha256 or "" for path, sha256, _, _ in sources},
            **_definition_hashes(definitions, started),
        },
        [path for path, _, _, doubted in sources if doubted],
    )


def was_saved_since(path: str, moment: float) -> bool:
    """Whether the file at ``path`` was written, replaced or touched at a ``moment`` or later, or is missing.

    Programs can set its other dates, but not that of its inode.
    """
    try:
        return Path(path).stat().st_ctime >= moment
    except OSError:
        return True


def is_unchanged(output: Path, request: Request) -> bool:
    """Whether the index at ``output`` is what a build on ``request`` would make.

    Nothing may have changed: SBCL, oblist, the contents of the files, the environment that ASDF reads.
    Whatever did not load is always tried again, and a damaged index is rebuilt.
    """
    if not index_is_usable(output):
        return False
    with closing(sqlite3.connect(f"file:{quote(str(output))}?mode=ro&immutable=1", uri=True)) as connection:
        try:
            facts = _meta(connection)
            files = _recorded(facts, request)
            sources = connection.execute(_SOURCES).fetchall()
            failed = connection.execute("SELECT 1 FROM problems WHERE stage = 'load'").fetchone()
            started = _started(facts)
        except (sqlite3.DatabaseError, KeyError, ValueError):
            return False
    if files is None or failed or "complete" not in facts or BROKEN in facts:
        return False
    if request.snapshot is not None and not has_values(facts.get("build_id", ""), request.snapshot):
        return False
    return (
        set(fixed_files(request.plan.setup)) <= set(files)
        and all(file_hash(path) == known for path, known in files.items())
        and all(_is_as_it_was(*source, started=started) for source in sources)
        and is_as_written(output)
    )


def _meta(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(connection.execute("SELECT name, value FROM meta").fetchall())


def _started(facts: Mapping[str, str]) -> float:
    return datetime.fromisoformat(facts["started"]).timestamp()


def _recorded(facts: Mapping[str, str], request: Request) -> dict[str, str] | None:
    """The hashes of the files that an index with these ``facts`` recorded, if it was built on ``request``."""
    inputs = json.loads(facts[INPUTS])
    return inputs["files"] if inputs.get("request") == _facts(request) else None


def has_values(build_id: str, saved: bool) -> bool:
    """Whether the build record still exists and, if ``saved``, its image, unless that could not be saved."""
    records = BuildRecords(user_cache_folder())
    record = records.find(build_id)
    if record is None:
        return False
    return not saved or record.no_core is not None or records.core(build_id) is not None


def _facts(request: Request) -> dict[str, object]:
    plan = request.plan
    return {
        "command": request.command,
        "systems": list(plan.systems),
        "setup": plan.setup.environment(),
        "sources": request.store_sources,
        "oblist": version("oblist"),
        "feature": FEATURE,
        "sbcl": [str(plan.sbcl.path), plan.sbcl.version, *runtime_facts(plan.sbcl.path)],
        "environment": {name: os.environ.get(name, "") for name in _REGISTRY},
        "code": code_fingerprint(plan.sbcl),
    }


def fixed_files(setup: Setup) -> list[str]:
    """The files that decide what is loaded: the named files, the init file and the projects' files."""
    paths = [str(file.absolute()) for file in setup.files]
    if setup.init is not None:
        paths.append(str(setup.init.absolute()))
    elif setup.user_init:
        paths.append(str(Path.home() / ".sbclrc"))
    return paths + [str(path) for path in project_files(setup.projects)]


def _is_as_it_was(path: str, sha256: str | None, size: int | None, doubted: int, *, started: float) -> bool:
    """Whether a source file still has the contents that it had for the index; an older one need not be read.

    If the index does not have what was compiled from the file (``doubted``), a build finds the same again
    until the file is touched.
    """
    try:
        status = Path(path).stat()
    except OSError:
        return sha256 is None
    if sha256 in (None, _UNKNOWN) or status.st_size != size:
        return False
    return status.st_ctime < started or (not doubted and file_hash(path) == sha256)
