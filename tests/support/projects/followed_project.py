"""A project whose index follows it as a watcher's does, and a full rebuild to compare that with."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer.build.index import build_index
from oblist.indexer.check.contradictions import contradictions
from oblist.indexer.check.differences import differences
from oblist.indexer.errors import IndexerError
from oblist.indexer.image import ImagePlan
from oblist.indexer.layers.make import Untried
from oblist.indexer.refresh.present import ProjectBrokenError, failure_text
from oblist.indexer.watch.follower import Follower
from oblist.lisp.images import Setup
from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import XrefAnswer
from support.builds.shared_code import cache_of_lowest_layers

# Symbols that nearly all code uses, whose lists of uses a refresh has to keep in order.
_USED_EVERYWHERE = ("defun", "let", "car", "list", "t", "setf", "print-object", "format", "error", "string")
_COMPARED = 500


class NotCompilableError(Exception):
    """The project does not compile or load as it is; the message says why."""


class FollowedProject:
    """A project in ``project``; in ``work`` its index, and the full rebuild."""

    def __init__(
        self,
        sbcl: Sbcl,
        project: Path,
        work: Path,
        environment: pytest.MonkeyPatch,
        *,
        index: str = "followed",
        seconds: float = 600.0,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        """``environment`` is where compiled files go.

        Projects that share ``work`` each need another ``index``. ``seconds`` limits the time of loading one
        thing; ``say`` is called with each message about waiting.
        """
        work.mkdir(parents=True, exist_ok=True)
        # The project's compiled files only; those of what it depends on are the user's, as always.
        environment.setenv("ASDF_OUTPUT_TRANSLATIONS", f"{project.resolve()}/:{work / 'fasl'}/:")
        self.project = project
        self.work = work
        self.rebuilt = work / "rebuilt.db"
        self.output = ""  # what did not load when it was rebuilt
        self._sbcl = sbcl
        setup = Setup([project], (), None, user_init=False, seconds=seconds)
        self.follower = Follower(work / f"{index}.db", sbcl, (), setup, command="tests", waiting=say)

    def refresh(self) -> None:
        """Bring the index up to date; NotCompilableError when a part of it no longer compiles or loads."""
        step = self.follower.refresh()
        broken = step.broken
        if isinstance(broken, ProjectBrokenError):
            raise NotCompilableError(str(broken)) from broken
        if broken is not None:
            broken.add_note(getattr(broken, "output", ""))  # what SBCL printed last
            raise broken
        for problem in step.not_loaded:
            if problem.subject in step.kept:
                raise NotCompilableError(failure_text(problem))

    def rebuild(self, fasls: Path | None = None, *, from_scratch: bool = False) -> bool:
        """Index the project, with compiled files in ``fasls``; whether all of it loaded.

        The build stands on the layers of SBCL and ASDF, which all tests share: those that the project's index
        stands on have no part in it. A build from scratch takes ten times as long.
        """
        self.follower.wait_for_parts()  # a layer is made in the cache that the environment names
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Untried, "settled", lambda _: None)
            patch.setenv("XDG_CACHE_HOME", str(cache_of_lowest_layers()))
            if fasls is not None:
                patch.setenv("ASDF_OUTPUT_TRANSLATIONS", f"{self.project.resolve()}/:{fasls}/:")
            plan = ImagePlan(self._sbcl, (), Setup([self.project]))
            try:
                summary = build_index(self.rebuilt, plan, command="tests", from_scratch=from_scratch)
            except IndexerError as error:
                self.output = f"{error}\n{getattr(error, 'output', '')}"
                return False
        self.output = "\n".join(failure_text(one.problem) for one in summary.not_loaded)
        return not summary.not_loaded

    def findings(self) -> list[str]:
        """The differences between the index and the rebuilt one, and its contradictions."""
        return list(self._findings())

    def _findings(self) -> Iterator[str]:
        with (
            closing(sqlite3.connect(self.follower.index.path)) as followed,
            closing(sqlite3.connect(self.rebuilt)) as rebuilt,
        ):
            yield from differences(followed, rebuilt)
            yield from contradictions(followed)
        yield from self._other_answers()

    def _other_answers(self) -> Iterator[str]:
        """What xref answers differently from the two indexes: totals and order, in both directions."""
        with open_index(self.follower.index.path) as followed, open_index(self.rebuilt) as rebuilt:
            for name in _USED_EVERYWHERE:
                for callees in (False, True):
                    refreshed, built = (
                        one.xref(name, callees=callees, limit=_COMPARED) for one in (followed, rebuilt)
                    )
                    if refreshed != built:
                        assert isinstance(refreshed, XrefAnswer) and isinstance(built, XrefAnswer)
                        pairs = zip(refreshed.references, built.references, strict=False)
                        first = next((pair for pair in pairs if pair[0] != pair[1]), None)
                        yield f"xref {name} {callees=}: {refreshed.total}, {built.total}; {first!r:.3000}"
