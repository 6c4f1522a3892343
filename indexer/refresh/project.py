"""Refresh: the base of a project -> its index, with the project as it is now.

An image of the base loads the project, just as a build does when everything is already compiled
(lisp/prepare/refresh.lisp). The result replaces the index by rename.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import DatabaseError
from threading import Event
from typing import TypeGuard

from oblist.lisp.images import Setup, start_refresh

from ..copying import copy_file
from ..errors import IndexerError
from ..format import LAST_GOOD
from ..image import Image, ImagePlan
from ..layers.core_and_index import Layer, Split
from ..layers.last_good import GoodSystems, LastGood
from ..layers.make import Progress
from ..records import TRANSIENT, Header, Loaded, Problem, Record
from ..write.facts import moment
from .present import Present, ProjectBrokenError, failure_text, read_present

_NOTHING: GoodSystems = {}
_PATIENCE_SECONDS = 5.0  # with each thing loaded above a layer that lacks threads


class RefreshImage(Image):
    """A saved base that loads the project and dumps it, or saves it as ``core``."""

    def __init__(
        self,
        base: Layer,
        systems: Sequence[str],
        setup: Setup,
        *,
        changed: Sequence[str] | None = None,
        loaded: Iterable[str] = (),
        plan: Path | None = None,
        core: Path | None = None,
        split: Split | None = None,
        cancelled: Event | None = None,
    ) -> None:
        """``loaded`` are the systems and definition files of the present index: it ends if one does not load.

        ``plan`` says which of them to load from their last good state. With ``split``, only what comes before
        that is loaded, and ``core`` is that of a layer. Once ``cancelled`` is set, whatever waits for the
        image raises CancelledError, and no SBCL is started any more.
        """
        assert setup.projects, "only projects have a base"
        self._start(
            ImagePlan(base.sbcl, systems, setup),
            lambda records, output, earlier: start_refresh(
                base.sbcl,
                base.code,
                base.core,
                systems,
                setup,
                records,
                output,
                changed=() if earlier.compiled else changed,
                loaded=loaded,
                last_good=plan,
                snapshot=core,
                below=split.below if split else "",
                deferred=split.deferred if split else (),
                owners=split.owners if split else (),
                earlier=earlier,
            ),
            cancelled,
        )


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The outcome of a refresh.

    ``not_loaded`` are the problems of the new index that something did not load; ``kept`` are the systems
    among them of which it has the last good state, and ``plan`` says how they were loaded, if there are any;
    ``loaded`` are the project's systems, with their files.
    """

    not_loaded: Sequence[Problem]
    kept: frozenset[str]
    plan: Path | None
    loaded: Sequence[Loaded]


class Refresh:
    """A refresh of one project: the index of its ``base`` plus the project as it is now."""

    def __init__(
        self,
        base: Layer,
        systems: Sequence[str],
        setup: Setup,
        *,
        present: Present,
        last_good: LastGood,
        above: Layer | None = None,
        store_sources: bool = True,
        progress: Progress = lambda _: None,
    ) -> None:
        """``present`` is what the present index has loaded, ``last_good`` how to load it again.

        ``above`` is a layer on the ``base`` with a part of the project, to start from if that does.
        """
        self._base = base
        self._above = above
        self.above_failed = False
        self.above_waited = False  # for threads that the layer lacks, as it seems
        self._systems = systems
        self._setup = setup
        self._present = present
        self._last_good = last_good
        self._store_sources = store_sources
        self._progress = progress

    def write(self, new: Path, facts: Mapping[str, str], changed: Sequence[str] | None = None) -> Refreshed:
        """Write the index to the file ``new``, on a copy of the base.

        A system of the present index that no longer loads is written in its last good state, if that can
        be loaded, with all that it needs; if not, ProjectBrokenError is raised. Whatever else fails is a
        problem of the new index. OtherLibrariesError says that the project needs another base.

        ``facts`` are further rows of its table meta; ``changed`` are the sources whose compiled files may be
        out of date, None when that is not known. Raises ProjectBrokenError, ImageError, ContradictionError,
        and whatever the driver raises.
        """
        broken, done = self._attempt_above(new, facts, changed) or self._attempt(new, facts, changed)
        if not broken:
            return done
        good = self._last_good.systems(self._base)
        if any(problem.part != "system" or problem.subject not in good for problem in broken):
            raise ProjectBrokenError(broken[0])
        kept = frozenset(problem.subject for problem in broken)
        # Those to keep, and those that have never loaded; neither is tried again in the second attempt.
        failed = [problem for problem in done.not_loaded if problem.part == "system"]
        plan = self._last_good.plan(good, kept, {problem.subject for problem in failed} - kept)
        self._progress("loading the last good state of systems that no longer load")
        reasons = {problem.subject: failure_text(problem) for problem in broken}
        facts = {**facts, LAST_GOOD: json.dumps(reasons)}
        new.unlink(missing_ok=True)
        broken_again, done = self._attempt(new, facts, (), plan, good, failed)
        now = read_present(new)
        if broken_again or not self._present.others <= now.systems | now.others:
            raise ProjectBrokenError(broken[0])
        others = [problem for problem in done.not_loaded if problem not in failed]
        return replace(done, not_loaded=[*others, *failed], kept=kept, plan=plan)

    def _attempt_above(
        self, new: Path, facts: Mapping[str, str], changed: Sequence[str] | None
    ) -> tuple[list[Problem], Refreshed] | None:
        """What ``_attempt`` does, on the layer above the base; None if there is none, or it will not do."""
        if self._above is None:
            return None
        try:
            broken, done = self._attempt(new, facts, changed, base=self._above)
            self.above_waited = self._above.facts.ended_threads and any(
                problem.condition in TRANSIENT for problem in done.not_loaded
            )
            if not self.above_waited:
                return broken, done
        except (IndexerError, OSError, DatabaseError):  # it does not do, or was dropped from the cache
            pass
        self.above_failed = True
        new.unlink(missing_ok=True)
        return None

    def _attempt(
        self,
        new: Path,
        facts: Mapping[str, str],
        changed: Sequence[str] | None,
        plan: Path | None = None,
        good: GoodSystems = _NOTHING,
        failed: Sequence[Problem] = (),
        base: Layer | None = None,
    ) -> tuple[list[Problem], Refreshed]:
        """Load the project, by ``plan``, and write it to ``new``, with the problems ``failed``.

        Returns what is in the present index and no longer loads, in which case nothing is written.
        """
        self._progress("loading")
        setup = self._setup
        if base and base.facts.ended_threads:
            setup = replace(setup, seconds=min(setup.seconds, _PATIENCE_SECONDS))
        with RefreshImage(
            base or self._base,
            self._systems,
            setup,
            changed=changed,
            loaded=self._present.systems | self._present.definition_files,
            plan=plan,
        ) as image:
            return image.made(lambda: self._translate(base, image, new, facts, good, failed))

    def _translate(
        self,
        above: Layer | None,
        image: Image,
        new: Path,
        facts: Mapping[str, str],
        good: GoodSystems,
        failed: Sequence[Problem],
    ) -> tuple[list[Problem], Refreshed]:
        """Write what ``image`` dumps to ``new``; returns what ``_attempt`` does."""
        started = datetime.now(UTC)
        not_loaded: list[Problem] = []
        broken: list[Problem] = []
        loaded: list[Loaded] = []
        texts: dict[str, str] = {}
        copy_file((above or self._base).index, new)  # while the image loads
        # Imported while SBCL loads: SQLAlchemy takes 0.2 s.
        from ..layers.write import part_below, translator_on

        with translator_on(
            new,
            store_sources=self._store_sources,
            texts=texts,
            fixed=part_below(above) if above else None,
        ) as translator:
            for record in image.records(self._progress):
                if _is_failure(record):
                    not_loaded.append(record)
                    if translator.is_new(record) and self._present.is_broken_by(record):
                        broken.append(record)
                if isinstance(record, Loaded):
                    loaded.append(record)
                    if record.kept:
                        texts |= {file.source: file.text for file in good[record.system]}
                if not broken:
                    translator.write(record)
                    if isinstance(record, Header):
                        for problem in failed:
                            translator.write(problem)
            if not broken:
                translator.conclude(
                    {
                        **facts,
                        "features": " ".join(translator.header.features),
                        "started": moment(started),
                        "built": moment(datetime.now(UTC)),
                        "complete": "1",
                    }
                )
        return broken, Refreshed(not_loaded, frozenset(), None, loaded)


def _is_failure(record: Record) -> TypeGuard[Problem]:
    return isinstance(record, Problem) and record.stage == "load"
