"""The two passes over many files, in this process or in several."""

from __future__ import annotations

import gc
import hashlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from oblist.indexer.source_text import source_octets

from ..errors import QueryError
from ..index.damage import raise_damage
from ..index.meanings import IndexMeanings
from ..index.reading import Reading
from ..processes.collection import without_collection
from ..syntax.features import Features
from ..syntax.texts import ReadTexts
from ..syntax.tokens import Tokens
from . import sql
from .choice.project import ProjectFiles
from .code.expansions import MacroExpansions
from .declare.declarations import Declarations
from .declare.first_reading import declarations_of, package_of
from .declare.lost import NOTHING_LOST, Lost
from .errors import CheckError
from .evidence.definitions import CalledInDefinitions
from .evidence.lost import LostDefinitions
from .evidence.recorded import RecordedCalls
from .evidence.uses_of_lost import UsesOfLost
from .files import MARKDOWN, is_document, read_text
from .findings import SourceFinding
from .judge import FileCheck
from .knowledge import Knowledge
from .memory import Memories, Memory
from .rules.suggestions import Suggestions
from .silence import Silenced
from .text.markdown import markdown_segments
from .text.org import org_segments
from .text.segments import CodeSegment
from .text.triple_quotes import without_triple_quotes
from .world.meanings import WorldMeanings
from .world.operators import Operators
from .world.packages import World

# With fewer bytes, starting processes takes more time than it saves.
_WORTH_A_PROCESS = 3_000_000
_CHUNK = 600_000
# The packages that are nobody's own; then those that people type into, whose names anything may define.
_NOBODYS = frozenset({"KEYWORD", "COMMON-LISP"})
_OWN_NOT = _NOBODYS | {"COMMON-LISP-USER", "ASDF-USER"}
_State = tuple[int, int, int, int] | str
_MOST_KEPT = 1_000
_DECLARATIONS, _MEMORIES, _KNOWLEDGE = "declarations", "memories", "knowledge"
_TEXTS_OF_A_SERVER = 2  # the one that is edited, and what it was when it was indexed
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class CheckTask:
    """The facts that every process needs."""

    index: Path
    assumed: frozenset[str]
    declarations: Declarations = field(default_factory=Declarations)
    recorded: dict[str, str] = field(default_factory=dict)
    """The paths of the files that load, as the index has them."""
    plain: frozenset[str] = frozenset()
    """The files that are judged only as far as that needs no knowledge of the project."""
    partial: frozenset[str] = frozenset()
    """The files of systems with a file that did not compile or load."""
    unsure: frozenset[str] = frozenset()
    """The packages of these files, not all of whose names are known."""
    systems: dict[str, str] = field(default_factory=dict)
    """The systems that files were loaded with."""
    texts: dict[str, str] = field(default_factory=dict)
    """The texts that stand for the content of files."""
    packages: dict[str, str] = field(default_factory=dict)
    """The packages in which texts start that have no place in a file yet."""
    missing: dict[str, str] = field(default_factory=dict)
    """The systems that the project needs and the index does not have, each with what is known of it."""
    lost: Lost = NOTHING_LOST
    """What the index has and the present texts of its files no longer define."""
    reading: Reading | None = None
    """The index, if it is open already; then there are no other processes."""

    def package(self, path: str) -> str:
        """The package that a file starts in."""
        return self.packages.get(path) or package_of(path)

    def text(self, path: str) -> str:
        """The text of a file. Raises OSError."""
        given = self.texts.get(path)
        return without_triple_quotes(read_text(path) if given is None else given)


class LoadedFile(NamedTuple):
    """A file that loads: its path in the index, and the system that it was loaded with, if known."""

    recorded: str
    system: str


@dataclass(slots=True)
class Read:
    """The result of the first pass over some files."""

    declarations: dict[str, Declarations] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    characters: int = 0
    files: int = 0


@dataclass(slots=True)
class Judged:
    """The result of the second pass over some files."""

    findings: list[SourceFinding] = field(default_factory=list)
    silenced: int = 0
    calls: int = 0
    symbols: int = 0
    files: int = 0
    unreadable: dict[str, str] = field(default_factory=dict)


def forget_file(reading: Reading, path: str) -> None:
    """Drop what a server keeps from its checks of a file that it no longer checks."""
    for kept in (_DECLARATIONS, _MEMORIES):
        reading.kept.get(kept, {}).pop(path, None)
    reading.kept.pop(_KNOWLEDGE, None)  # it has the texts that the last check was given


class Worker:
    """Reads and judges files one after the other."""

    def __init__(self, task: CheckTask) -> None:
        self._index = task.reading or Reading(task.index)
        self._task = task
        self._tokens = Tokens(self._index.upcase)
        self._features = Features(self._index.facts.get("features", ""), self._tokens)
        read = ReadTexts(self._features, 1 if task.reading is None else _TEXTS_OF_A_SERVER)
        self._texts: ReadTexts = self._index.kept.setdefault("read texts", read)
        self._meanings: IndexMeanings = self._index.kept.setdefault("meanings", IndexMeanings(self._index))
        self._check: FileCheck | None = None
        self._kept: dict[str, tuple[_State, Declarations]] = self._index.kept.setdefault(_DECLARATIONS, {})
        """The declarations of files on the disk, for a server, which reads them at every keystroke."""

    def knowledge(self) -> Knowledge:
        """The facts from the index and from the declarations in the files, combined once for a task."""
        known: tuple[CheckTask, Knowledge] | None = self._index.kept.get(_KNOWLEDGE)
        if known is None or known[0] is not self._task:
            known = self._index.kept[_KNOWLEDGE] = self._task, self._combined()
        return known[1]

    def _combined(self) -> Knowledge:
        declarations = self._task.declarations
        world = World(self._index, declarations, self._task.lost)
        named = {*declarations.entered, *self._task.packages.values()}
        unsure = frozenset(map(world.real_name, self._task.unsure))
        own = frozenset(map(world.real_name, named)) - (_NOBODYS if self._task.packages else _OWN_NOT)
        own -= unsure
        operators = Operators(self._index, declarations, world, self._tokens, self._features, self._task.lost)
        symbols = WorldMeanings(world, operators)
        return Knowledge(
            self._tokens,
            self._features,
            self._texts,
            world,
            operators,
            symbols,
            Suggestions(world, self._tokens),
            self._meanings,
            own,
            own if self._task.packages else frozenset(),
            self._task.assumed,
            unsure,
            self._task.missing,
            RecordedCalls(
                self._index,
                self._tokens,
                self._features,
                self._task.recorded,
                self._index.kept.setdefault("calls", {}),
            ),
            CalledInDefinitions(self._index, world, self._tokens, self._features)
            if self._task.packages
            else None,
            MacroExpansions(self._index, symbols, operators, self._tokens, self._features),
            UsesOfLost(self._index, self._task.lost, self._task.recorded, self._features),
            self._memories(),
        )

    def _memories(self) -> Memories | None:
        """What was found before, for a server."""
        if self._task.reading is None or self._task.packages:
            return None
        kept: dict[str, list[Memory]] = self._index.kept.setdefault(_MEMORIES, {})
        return Memories(kept, self._task.declarations, self._task.lost)

    def project(self, files: list[str]) -> ProjectFiles:
        """The files of the projects in the index, compared with ``files``."""
        return ProjectFiles(self._index, files, self._features, self._tokens)

    def lost(self, read: Mapping[str, Declarations]) -> Lost:
        """What the index has and the present texts no longer define.

        These are the texts of the files that load, and of those sources in the index that have changed since,
        or are gone, whether or not they are checked. ``read`` are the declarations in files, by their paths.
        """
        task, texts = self._task, {}
        for path, recorded in task.recorded.items():
            if not is_document(path) and self._has_changed(path, recorded):
                with suppress(OSError):
                    texts[recorded] = task.text(path)
        judged = set(task.recorded.values())
        for path, (recorded, state) in self._changed_components().items():
            if recorded not in judged:
                with suppress(OSError):
                    texts[recorded] = "" if state == "gone" else task.text(path)
        known = {recorded: read[path] for path, recorded in task.recorded.items() if path in read}
        return LostDefinitions(self._index, self._texts, self._tokens, self._meanings).of(texts, known)

    def changed_files(self) -> list[str]:
        """The sources of systems in the index that have changed since, or are gone."""
        return list(self._changed_components())

    def _changed_components(self) -> dict[str, tuple[str, str]]:
        """These sources by their paths here: the path in the index, and "changed" or "gone"."""
        recorded = {row.path for row in map(sql.ComponentRow._make, self._index.remembered(sql.COMPONENTS))}
        here = {self._index.local_path(path) or path: path for path in recorded}
        states = self._index.source_states(list(here))
        states |= {path: "changed" for path in self._task.texts if path in here}
        return {path: (here[path], state) for path, state in states.items()}

    def _has_changed(self, path: str, recorded: str) -> bool:
        if path in self._task.texts:
            return True
        here = self._index.local_path(recorded)
        if here is not None and os.path.realpath(path) == os.path.realpath(here):
            return bool(self._index.source_states([here]))  # a stat, as a rule
        with suppress(OSError):
            digest = hashlib.sha256(source_octets(path)).hexdigest()
            rows = self._index.remembered(sql.DIGEST, path=recorded)
            return bool(rows) and rows[0][0] != digest
        return False

    def loaded(self, files: list[str]) -> dict[str, LoadedFile]:
        """Those of ``files`` that load."""
        project = self.project(files)
        verdicts = {path: project.verdict(path) for path in files}
        return {
            path: LoadedFile(project.recorded(path), one.system)
            for path, one in verdicts.items()
            if not one.reason
        }

    def close(self) -> None:
        """Close the index, unless it was given open."""
        if self._task.reading is None:
            self._index.close()

    def read(self, paths: list[str]) -> Read:
        """The first pass: collect the definitions in the files."""
        found = Read(files=len(paths))
        for path in paths:
            state = self._state(path)
            if (kept := self._kept.get(path)) is not None and state is not None and kept[0] == state:
                found.declarations[path] = kept[1]
                continue
            try:
                text = self._task.text(path)
            except OSError as error:
                found.unreadable[path] = error.strerror or str(error)
                continue
            found.characters += len(text)
            with _recording_errors(self._index, path, found.unreadable):
                if not is_document(path):
                    found.declarations[path] = declarations_of(
                        text,
                        path,
                        self._texts,
                        self._tokens,
                        self._meanings,
                        self._task.package(path),
                        self._task.declarations.packages,
                    )
                    self._keep(path, state, found.declarations[path])
        return found

    def _state(self, path: str) -> _State | None:
        """What tells whether a file has changed since a server read it; None if nothing is kept of it."""
        task = self._task
        if task.reading is None or task.declarations.packages or task.packages:
            return None
        if (given := task.texts.get(path)) is not None:
            return given
        try:
            status = os.stat(path)  # noqa: PTH116
        except OSError:
            return None
        return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino

    def _keep(self, path: str, state: _State | None, declarations: Declarations) -> None:
        if state is not None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[path] = state, declarations

    def judge(self, paths: list[str]) -> Judged:
        """The second pass: find the faults in the files."""
        if self._check is None:
            self._check = FileCheck(self.knowledge())
        check = self._check
        before = check.calls, check.symbols
        found = Judged(files=len(paths))
        for path in paths:
            try:
                text = self._task.text(path)
            except OSError:
                continue  # the first pass reported it
            wrong: list[SourceFinding] = []
            with _recording_errors(self._index, path, found.unreadable):
                wrong = self._judged(check, path, text)
            silenced = Silenced(text, prose=is_document(path))
            wrong += [one.finding(path) for one in silenced.unknown]
            kept = [one for one in wrong if not silenced.silences(one)]
            found.findings += kept
            found.silenced += len(wrong) - len(kept)
        found.calls, found.symbols = check.calls - before[0], check.symbols - before[1]
        return found

    def _judged(self, check: FileCheck, path: str, text: str) -> list[SourceFinding]:
        if is_document(path):
            return self._document(check, path, text)
        task = self._task
        return check.source(
            path,
            text,
            task.package(path),
            loads=(path in task.recorded and path not in task.partial) or path in task.packages,
            plain=path in task.plain,
        )

    def _document(self, check: FileCheck, path: str, text: str) -> list[SourceFinding]:
        extract = markdown_segments if path.lower().endswith(MARKDOWN) else org_segments
        segments: list[CodeSegment] = list(extract(text))
        local = Declarations()
        for segment in segments:
            if not segment.inline:
                local.add(
                    declarations_of(
                        segment.text, path, self._texts, self._tokens, self._meanings, package_of(path)
                    )
                )
        return check.document(path, text, segments, local, plain=path in self._task.plain)


class Workers:
    """Worker processes, or only this process when there is little to do."""

    def __init__(self, task: CheckTask, jobs: int) -> None:
        self._task = task
        self._jobs = jobs

    def run(
        self, work: Callable[[Worker, list[str]], _T], chunks: list[list[str]], size: int
    ) -> Iterator[_T]:
        """Yield the result of ``work`` for each chunk, in order; ``size`` is the total size, in bytes."""
        if self._jobs < 2 or len(chunks) < 2 or size < _WORTH_A_PROCESS:
            yield from self._alone(work, chunks)
            return
        context = multiprocessing.get_context("spawn")
        try:
            with ProcessPoolExecutor(
                min(self._jobs, len(chunks)), mp_context=context, initializer=_start, initargs=(self._task,)
            ) as pool:
                yield from pool.map(_worked, [work] * len(chunks), chunks)
        except BrokenProcessPool as error:
            raise CheckError("A process of the check was killed; try --jobs 1.") from error

    def _alone(self, work: Callable[[Worker, list[str]], _T], chunks: list[list[str]]) -> Iterator[_T]:
        """Do the work in this process."""
        worker = Worker(self._task)
        try:
            with without_collection():  # which would take a third of the time; forms have no cycles
                for chunk in chunks:
                    yield work(worker, chunk)
        finally:
            worker.close()


@contextmanager
def _recording_errors(reading: Reading, path: str, unreadable: dict[str, str]) -> Iterator[None]:
    """Record an error with one file as the reason why it was not checked, and go on."""
    try:
        yield
    except (QueryError, MemoryError):  # not about the file
        raise
    except RecursionError:
        unreadable[path] = "it is nested too deeply"
    except Exception as error:  # noqa: BLE001 - any fault in the checker
        raise_damage([reading], error)
        unreadable[path] = f"a bug in oblist, please report it: {error!r}"


_own: list[Worker] = []
"""The worker of this process, if the process belongs to a pool."""


def _start(task: CheckTask) -> None:
    gc.disable()  # as in Workers._alone
    _own[:] = [Worker(task)]


def _worked(work: Callable[[Worker, list[str]], _T], chunk: list[str]) -> _T:
    return work(_own[0], chunk)


def chunked(paths: list[str], sizes: dict[str, int]) -> list[list[str]]:
    """The paths in groups of about equal size, the largest files first."""
    groups: list[list[str]] = []
    group: list[str] = []
    filled = 0
    for path in sorted(paths, key=lambda one: (-sizes.get(one, 0), one)):
        group.append(path)
        filled += sizes.get(path, 0)
        if filled >= _CHUNK:
            groups.append(group)
            group, filled = [], 0
    return [*groups, group] if group else groups
