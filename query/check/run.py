"""A check from beginning to end: files, both passes, the rules about projects, silenced findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from ..index.reading import Reading
from ..syntax.mentions import bare_names
from .choice.not_checked import not_checked
from .choice.project import FAILED
from .declare.declarations import Declarations
from .declare.lost import Lost, without_lost
from .declare.standard_names import may_hide
from .files import files_below, is_document, siblings
from .findings import CheckOutcome, SourceFinding
from .rules.names import unknown_symbol
from .rules.project.whole import CheckedProject, ProjectRule
from .rules.table import OFF, RULES
from .settings import Settings
from .silence import Silenced
from .workers import CheckTask, Judged, LoadedFile, Worker, Workers, chunked

CheckProgress = Callable[[str, int, int], None]
"""Called with the current step, the number of files done, and the total number of files."""


class Check:
    """One check of files against an index."""

    def __init__(
        self,
        index: Path,
        settings: Settings,
        jobs: int,
        progress: CheckProgress,
        *,
        all_files: bool = False,
        texts: dict[str, str] | None = None,
        reading: Reading | None = None,
    ) -> None:
        """``all_files`` are judged, also those that nothing loads; ``texts`` are contents of files.

        ``reading`` is the index, if it is open already; then everything is done in this process.
        """
        self._task = CheckTask(index, settings.assumed, texts=texts or {}, reading=reading)
        self._settings = settings
        self._jobs = jobs if reading is None else 1
        self._all_files = all_files
        self._progress = progress
        self._outcome = CheckOutcome()
        self._sizes: dict[str, int] = {}

    def run(self, paths: list[str]) -> CheckOutcome:
        """Check the files and folders ``paths``. Raises CheckError, or the error of an unusable index."""
        outcome = self._outcome
        there = [path for path in paths if path not in self._task.texts]
        found_files = files_below(there, self._settings.leaves_out, outcome.unreadable)
        found_files += [path for path in paths if path in self._task.texts and path not in found_files]
        by_file = self._read(found_files, "Reading")
        by_file |= self._read_by_symbol(by_file)
        task, left = self._chosen([path for path in found_files if path not in outcome.unreadable], paths)
        files = [path for path in found_files if path not in left and path not in outcome.unreadable]
        declarations = _joined(by_file, files)
        # What is not checked may still define packages that are used.
        others_packages = frozenset(
            name for path in left if path in by_file for name in by_file[path].packages
        )
        unsure = frozenset(name for path in task.partial & by_file.keys() for name in by_file[path].entered)
        task = replace(task, declarations=declarations, assumed=task.assumed | others_packages, unsure=unsure)
        task = replace(task, lost=self._lost(task, by_file))
        outcome.lost = not set(task.recorded.values()).isdisjoint(task.lost.names.values())
        found = self._judged(task, files)
        # Nothing but the other files says what a system defines that did not load.
        again = sorted({one.path for one in found if RULES[one.rule].refutable} | task.partial)
        others = siblings(found_files, self._settings.leaves_out) if again or task.lost.names else []
        if others:
            read = self._read(others, "Reading other files of the project", count=False)
            loaded = self._loaded(task, others)
            if task.lost:
                read = without_lost(read, task.lost, loaded)
            more = _joined({**by_file, **read}, [*files, *others])
            task = replace(task, declarations=replace(more, entered=declarations.entered))
            found = [one for one in found if one.path not in set(again)] + self._judged(task, again)
            found += self._uses_of_lost(task, loaded, read)
        files = [path for path in files if path not in outcome.unreadable]
        outcome.files = len(files)
        found = self._without_interned(found, task.declarations, files)
        found += self._project_findings(task, declarations, files)
        weighed = [kept for one in found if (kept := self._settings.weighed(one)) is not None]
        outcome.findings = sorted(weighed)
        outcome.of_lost = [one for one in outcome.findings if task.lost.are_named_in(one.written)]
        return outcome

    def _chosen(self, files: list[str], named: list[str]) -> tuple[CheckTask, set[str]]:
        """Choose what is judged: the task for it, and the files that are left out."""
        worker = Worker(self._task)
        try:
            project = worker.project(files)
            verdicts = {path: project.verdict(path) for path in files}
            # What is named by itself is judged, whatever the index knows of it.
            forced = set(files if self._all_files else named)
            for path in forced & verdicts.keys():
                plain = verdicts[path].plain or (verdicts[path].reason == FAILED and not self._all_files)
                verdicts[path] = verdicts[path]._replace(plain=plain)
            left = {
                path for path, one in verdicts.items() if one.reason and not one.plain and path not in forced
            }
            self._outcome.not_checked = not_checked(
                {path: one for path, one in verdicts.items() if path in left or one.partial}, project.why
            )
            partial = frozenset(path for path, one in verdicts.items() if one.partial)
            self._outcome.project_failed = project.failed
            return (
                replace(
                    self._task,
                    recorded={
                        path: project.recorded(path) for path, one in verdicts.items() if not one.reason
                    },
                    partial=partial,
                    plain=frozenset(path for path, one in verdicts.items() if one.plain and path not in left),
                    missing=project.missing_systems(),
                    systems={
                        path: one.system for path, one in verdicts.items() if one.system and not one.reason
                    },
                ),
                left,
            )
        finally:
            worker.close()

    def _lost(self, task: CheckTask, read: dict[str, Declarations]) -> Lost:
        with closing(Worker(task)) as worker:
            return worker.lost(read)

    def _loaded(self, task: CheckTask, files: list[str]) -> dict[str, LoadedFile]:
        """The files among ``files`` that load, if that matters: when something is lost."""
        if not task.lost:
            return {}
        with closing(Worker(task)) as worker:
            return worker.loaded(files)

    def _uses_of_lost(
        self, task: CheckTask, loaded: dict[str, LoadedFile], read: dict[str, Declarations]
    ) -> list[SourceFinding]:
        """The uses, in other files that load, of what the checked files define no more."""
        checked = set(task.recorded.values())
        using = {
            path: one for path, one in loaded.items() if task.lost.are_named_in(self._text(path), checked)
        }
        entered = [name for path in using if path in read for name in read[path].entered]
        task = replace(
            task,
            declarations=replace(task.declarations, entered=[*task.declarations.entered, *entered]),
            recorded=task.recorded | {path: one.recorded for path, one in using.items()},
            systems=task.systems | {path: one.system for path, one in using.items() if one.system},
        )
        found = self._judged(task, list(using)) if using else []
        return [one for one in found if task.lost.are_named_in(one.written, checked)]

    def _read_by_symbol(self, by_file: Mapping[str, Declarations]) -> dict[str, Declarations]:
        """Read the files again that are in a package of another file in which IN-PACKAGE, say, is hidden."""
        packages = _joined(by_file, by_file).packages
        hiding = {name for name, package in packages.items() if may_hide(package)}
        again = [
            path
            for path, one in by_file.items()
            if any(name in hiding and not one.defines(name) for name in one.entered)
        ]
        if not again:
            return {}
        task = replace(self._task, declarations=Declarations(packages=packages))
        return self._read(again, "Reading again", count=False, task=task)

    def _read(
        self, files: list[str], doing: str, *, count: bool = True, task: CheckTask | None = None
    ) -> dict[str, Declarations]:
        """Make the first pass over the files, and return their definitions."""
        for path in files:
            try:
                self._sizes[path] = len(self._task.texts.get(path, "")) or Path(path).stat().st_size
            except OSError:
                self._sizes[path] = 0
        by_file: dict[str, Declarations] = {}
        done = 0
        for read in self._workers(task or self._task).run(Worker.read, *self._chunks(files)):
            done += read.files
            self._progress(doing, done, len(files))
            by_file |= read.declarations
            if count:
                self._outcome.unreadable |= read.unreadable
                self._outcome.characters += read.characters
        return by_file

    def _judged(self, task: CheckTask, files: list[str]) -> list[SourceFinding]:
        """Make the second pass over the files, and return its findings."""
        found: list[SourceFinding] = []
        done = 0
        for judged in self._workers(task).run(Worker.judge, *self._chunks(files)):
            done += judged.files
            self._progress("Checking", done, len(files))
            found += judged.findings
            self._outcome.unreadable |= judged.unreadable
            self._count(judged)
        return found

    def _count(self, judged: Judged) -> None:
        self._outcome.calls += judged.calls
        self._outcome.symbols += judged.symbols
        self._outcome.suppressed += judged.silenced

    def _workers(self, task: CheckTask) -> Workers:
        return Workers(task, self._jobs)

    def _chunks(self, files: list[str]) -> tuple[list[list[str]], int]:
        return chunked(files, self._sizes), sum(self._sizes[path] for path in files)

    def _without_interned(
        self, found: list[SourceFinding], declarations: Declarations, files: list[str]
    ) -> list[SourceFinding]:
        """The findings, without those about symbols that the files themselves intern.

        Reading a file interns every symbol it mentions in its package, so ``package::name`` exists if any of
        the checked files mentions ``name``.
        """
        wanted = {name for one in found if (name := _internal_name(one, declarations))}
        if not wanted:
            return found
        mentioned: set[str] = set()
        for text in self._texts(files):
            mentioned |= wanted.intersection(map(str.upper, bare_names(text)))
        return [one for one in found if _internal_name(one, declarations) not in mentioned]

    def _texts(self, files: list[str]) -> Iterator[str]:
        for path in files:
            try:
                yield self._task.text(path)
            except OSError:
                continue

    def _text(self, path: str) -> str:
        """The text of a file that was read before; empty if it is gone."""
        try:
            return self._task.text(path)
        except OSError:
            return ""

    def _project_findings(
        self, task: CheckTask, declarations: Declarations, files: list[str]
    ) -> list[SourceFinding]:
        """The findings of the rules about the project as a whole, in the checked files."""
        wanted = [
            rule
            for rule in RULES.values()
            if isinstance(rule, ProjectRule)
            and any(
                self._settings.severity(rule.name, path) != OFF for path in files if not is_document(path)
            )
        ]
        if not wanted:
            return []
        worker = Worker(task)
        try:
            known = worker.knowledge()
            project = CheckedProject(
                declarations,
                known.world,
                known.operators,
                known.suggestions,
                task.systems,
                lambda: self._texts(files),
            )
            found = [one for rule in wanted for one in rule.findings(project)]
        finally:
            worker.close()
        return self._spoken(found)

    def _spoken(self, found: list[SourceFinding]) -> list[SourceFinding]:
        """The findings that no comment in their files silences."""
        silenced = {path: Silenced(self._text(path)) for path in {one.path for one in found}}
        kept = [one for one in found if not silenced[one.path].silences(one)]
        self._outcome.suppressed += len(found) - len(kept)
        return kept


def _joined(by_file: Mapping[str, Declarations], files: Iterable[str]) -> Declarations:
    """The definitions of the files together, in the order of the files."""
    found = Declarations()
    for path in files:
        if path in by_file:
            found.add(by_file[path])
    return found


def _internal_name(finding: SourceFinding, declarations: Declarations) -> str:
    """The name in a finding about ``package::name``, in a package of the files; otherwise empty."""
    if finding.rule != unknown_symbol.RULE.name or "::" not in finding.written:
        return ""
    package, _, name = finding.written.upper().rpartition("::")
    return name if package in declarations.entered else ""
