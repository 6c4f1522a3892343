"""What the present index has loaded: the systems that a refresh must not lose."""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from ..errors import IndexerError
from ..format import index_is_usable
from ..records import Problem
from ..same_failures import cause, names_of

_SYSTEMS = "SELECT name, definition_path FROM systems WHERE asked"
_OTHERS = "SELECT name FROM systems WHERE NOT asked"
_COMPILER_ENDED = "COMPILER-ENDED"  # lisp/prepare/compile.lisp says so
_FAILURES = "SELECT subject, part FROM problems WHERE stage = 'load'"


def failure_cause(problem: Problem) -> Hashable:
    """A key that is equal for failures of one cause."""
    return cause(problem.part, problem.condition, problem.message, problem.path, problem.line)


def failure_text(problem: Problem) -> str:
    """What did not load, and why and where, in one line."""
    return _failure_text(problem.subject, problem)


def failures_text(same: list[Problem]) -> str:
    """What did not load for one reason, and why and where, in one line."""
    if len(same) == 1:
        return failure_text(same[0])
    return _failure_text(names_of(same[0].part, [problem.subject for problem in same]), same[0])


def _failure_text(names: str, problem: Problem) -> str:
    place = f" ({problem.path}, line {problem.line})" if problem.path and problem.line else ""
    message = " ".join(problem.message.split())
    return f"{names} did not load: {problem.condition}: {message}{place}"


class ProjectBrokenError(IndexerError):
    """The project does not compile or load; ``problem`` says why and where."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(failure_text(problem))
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Present:
    """The systems of the present index, their definition files, other systems, and what did not load into it.

    Without an index, all are empty and ``exists`` is false.
    """

    exists: bool = False
    systems: frozenset[str] = frozenset()
    definition_files: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    failures: frozenset[tuple[str, str]] = frozenset()

    def is_broken_by(self, problem: Problem) -> bool:
        """Whether ``problem`` is that something in the index no longer loads.

        A system that has never loaded is only a problem of the new index. Nothing is when the compiler was
        lost: the image ended without loading the rest.
        """
        if problem.condition == _COMPILER_ENDED:
            return True
        if not self.exists:
            return False
        if problem.part == "system":
            return problem.subject in self.systems
        if problem.part == "definition file":
            return problem.subject in self.definition_files
        return (problem.subject, problem.part) not in self.failures

    def refuse(self, problem: Problem) -> None:
        """Raise ProjectBrokenError if ``problem`` is that something in the index no longer loads."""
        if self.is_broken_by(problem):
            raise ProjectBrokenError(problem)


def read_present(index: Path) -> Present:
    """Return what the index at ``index`` has loaded; nothing if there is no index, or it cannot be read."""
    if not index_is_usable(index):
        return Present()
    try:
        with closing(sqlite3.connect(f"file:{quote(str(index))}?mode=ro", uri=True)) as connection:
            systems = connection.execute(_SYSTEMS).fetchall()
            others = connection.execute(_OTHERS).fetchall()
            failures = connection.execute(_FAILURES).fetchall()
    except sqlite3.DatabaseError:
        return Present()
    return Present(
        True,
        frozenset(name for name, _ in systems),
        frozenset(path for _, path in systems if path is not None),
        frozenset(name for (name,) in others),
        frozenset((subject, part) for subject, part in failures),
    )
