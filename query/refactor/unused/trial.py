"""Trying deletions: a copy of the project is built without some definitions, and compared with the whole."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...edit.changes import change_of
from ...index.reading import Reading
from ...index.relations import RELATIONS
from ...index.shown import counted
from ...index.written import own_name
from ..errors import RefactorError
from ..project.texts import ProjectTexts
from ..proof import sql
from ..proof.built import A_SECOND, built, differences, systems_below
from ..proof.testing import TestRun, differences_of_tests, tested
from .deletion import DeletedName, Deletion, edits_of

_TESTS_TOO = "--tests"
_NAMING = frozenset(("mentions", "exports", "imports", "declares"))
"""Relations that need no definition, but that an index may have only while there is one."""
_DEFINES = "defines"
_ENTERING = ("macroexpands", "COMMON-LISP", "IN-PACKAGE")
"""A use that disappears with the last definition of a file: an index omits files that define nothing."""
PlacedFacts = Mapping[str, Sequence[tuple[Any, ...]]]
"""What an index says, by what it is about: rows that begin with a place."""


class OutOfTimeError(RefactorError):
    """The time for a proof has passed."""


@dataclass(frozen=True, slots=True)
class _State:
    """What a build says of the copy: its facts, what did not load, and how its tests went."""

    facts: PlacedFacts
    not_loaded: str
    tests: dict[str, TestRun]


class TrialCopy:
    """A copy of a project, which is built as it is, and then without definitions as often as asked."""

    def __init__(
        self,
        project: ProjectTexts,
        copy: Path,
        stage: Callable[[str], None],
        deadline: float,
        *,
        test: bool = False,
    ) -> None:
        """``deadline`` is of the monotonic clock. This runs the project's code."""
        self._project, self._copy, self._stage, self._deadline = project, copy, stage, deadline
        self._test = test
        self._original: dict[str, bytes] = {}
        self._written: dict[str, bytes] = {}
        """The contents of the files that any trial has changed, originally and now."""
        self._systems: list[str] = []
        self.builds = 0
        stage("building the project as it is")
        self._before = self._state()

    def differences(self, deletions: Sequence[Deletion]) -> list[str]:
        """What differs without some definitions, except facts about these; nothing if all is well.

        Raises OutOfTimeError.
        """
        try:
            self._write(deletions)
        except RefactorError as error:  # what the form of a package exports, say
            return [str(error)]
        count = len(deletions)
        self._stage(f"building it without {counted(count, 'definition')}")
        try:
            after = self._state()
        except OutOfTimeError:
            raise
        except RefactorError as error:
            return [self._here(str(error))]
        found = [*self._compared(deletions, after)]
        if found and after.not_loaded and after.not_loaded != self._before.not_loaded:
            return [self._here(f"the project no longer loads: {after.not_loaded}")]
        return found or [*differences_of_tests(self._before.tests, after.tests)]

    def _here(self, said: str) -> str:
        """What a build of the copy says, about the project."""
        return said.replace(str(self._copy), self._project.folder)

    def _state(self) -> _State:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise OutOfTimeError("the time limit was reached first")
        self.builds += 1
        try:
            index, not_loaded = built(self._copy, self._stage, left, _TESTS_TOO)
        except RefactorError:
            if time.monotonic() >= self._deadline:
                raise OutOfTimeError("the time limit was reached first") from None
            raise
        below = f"{self._copy}/"
        with Reading(index) as reading:
            facts = {what: [*reading.rows(each, below=below)] for what, each in sql.FACTS.items()}
        tests: dict[str, TestRun] = {}
        if self._test:
            self._systems = self._systems or systems_below(index, self._copy)
            self._stage("running the tests")
            fasls = self._copy.parent / f"fasls-{self.builds}"
            tests = tested(self._copy, self._systems, fasls, lambda said: said)
        return _State(facts, not_loaded, tests)

    def _write(self, deletions: Sequence[Deletion]) -> None:
        """Write the texts without some definitions, where they are not as they are now.

        Raises EditError if a file of the project has changed since it was read.
        """
        texts = self._project
        wanted = {
            path: change_of(path, texts.file(path).text, edits).after
            for path, edits in edits_of(texts, deletions).items()
        }
        for path in wanted:
            self._written.setdefault(path, self._there(path).read_bytes())
            self._original.setdefault(path, self._written[path])
        new = {path: wanted.get(path, original) for path, original in self._original.items()}
        changed = [path for path, octets in new.items() if octets != self._written[path]]
        time.sleep(A_SECOND)
        for path in changed:
            self._there(path).write_bytes(new[path])
        self._written = new

    def _there(self, path: str) -> Path:
        return self._copy / Path(path).relative_to(self._project.folder)

    def _compared(self, deletions: Sequence[Deletion], after: _State) -> Iterator[str]:
        """Yield what differs from what the index says of the project before, without what is deleted."""
        theirs = _Theirs(self._project, str(self._copy), deletions)
        expected = {what: theirs.left(rows) for what, rows in self._before.facts.items()}
        found = {what: Counter(row[sql.PLACE :] for row in rows) for what, rows in after.facts.items()}
        defined = {row[:2] for row in found["definition"]}
        yield from theirs.still_used(found["use"], defined)
        gone = {what: facts - found[what] for what, facts in expected.items()}
        new = {what: facts - expected[what] for what, facts in found.items()}
        gone["problem"].clear()
        for what, facts in gone.items():
            for row in [row for row in facts if theirs.may_go(what, row)]:
                del facts[row]
        for row in [row for row in new["definition"] if theirs.may_be_elsewhere(row)]:
            del new["definition"][row]
        yield from differences(gone, new)


class _Theirs:
    """What belongs to definitions that are deleted, among the rows about a copy."""

    def __init__(self, project: ProjectTexts, copy: str, deletions: Sequence[Deletion]) -> None:
        self._upcase = project.index.upcase
        self._extents: dict[str, list[Any]] = {}
        for one in deletions:
            for extent in one.extents:
                there = copy + extent.file.path.removeprefix(project.folder)
                self._extents.setdefault(there, []).append(extent)
        self._own = {name for one in deletions for name in one.names}
        self._names = {(name.package, name.name) for name in self._own}
        self._exports = {export for one in deletions for export in one.exports}
        self._left_out: set[tuple[Any, ...]] = set()

    def left(self, rows: Sequence[tuple[Any, ...]]) -> Counter[tuple[Any, ...]]:
        """Count the rows whose places are not in what is deleted, without the places."""
        found: Counter[tuple[Any, ...]] = Counter()
        for row in rows:
            path, line, column = row[: sql.PLACE]
            extents = self._extents.get(path, ())
            if line is not None and any(one.holds(line, column) for one in extents):
                self._left_out.add(row[sql.PLACE :])
            else:
                found[row[sql.PLACE :]] += 1
        return found

    def may_go(self, what: str, row: tuple[Any, ...]) -> bool:
        """Whether a fact may disappear: it only says that something names what is deleted."""
        if what == "export":
            return row in self._exports
        if what != "use":
            return False
        return row[2:5] == _ENTERING or (row[2] in _NAMING and row[3:5] in self._names)

    def may_be_elsewhere(self, row: tuple[Any, ...]) -> bool:
        """Whether a definition of a deleted form may now be another form's: that of a reader, say."""
        return row in self._left_out

    def still_used(
        self, uses: Collection[tuple[Any, ...]], defined: Collection[tuple[Any, ...]]
    ) -> Iterator[str]:
        """Yield the uses of what is no longer defined."""
        own = {(one.package, one.name, one.operator): one for one in self._own}
        for by, _, relation, package, name, operator, _ in uses:
            one = own.get((package, name, operator))
            if one is None or (package, name) in defined or relation in _NAMING:
                continue
            if _needs(one, relation):
                user = own_name(by, self._upcase) if by is not None else "a toplevel form"
                yield f"{user} {relation} {own_name(name, self._upcase)}"


def _needs(one: DeletedName, relation: str) -> bool:
    return relation != _DEFINES and not one.types.isdisjoint(RELATIONS[relation].refers_to)
