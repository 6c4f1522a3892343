"""A project's index that follows its sources: one refresh at a time, published by rename."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import DatabaseError
from threading import Timer
from typing import NamedTuple

from oblist.lisp.images import Setup
from oblist.lisp.sbcl import Sbcl, SbclError

from ..checksums import is_as_written
from ..disk import output_errors
from ..errors import IndexerError, OtherLibrariesError
from ..format import BROKEN, EDITED, LAST_GOOD
from ..image import ImagePlan
from ..inputs import (
    INPUTS,
    SAVED,
    FileState,
    Request,
    file_hash,
    file_state,
    has_values,
    is_unchanged,
    project_files,
)
from ..layers.core_and_index import Layer
from ..layers.last_good import LastGood
from ..layers.libraries import KnownLibraries
from ..layers.make import Progress, find_libraries, make_libraries
from ..records import Problem
from ..refresh.changes import Changes, ProjectDefinitions, changes, definitions
from ..refresh.present import Present, ProjectBrokenError, read_present
from ..refresh.project import Refresh, Refreshed
from .followed_index import FollowedIndex
from .parts import Parts
from .saving import Saving

_SLOW_SECONDS = 30.0
_UNUSUAL = 3.0  # times as long as the last refresh
_CLOSE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class RefreshStep:
    """The result of one refresh: the changes, or the error, and the seconds it took.

    Both are None when the index was up to date. ``not_loaded`` is what does not load although the index has
    all the rest; of the systems ``kept``, it has the last good state.
    """

    changes: Changes | None
    broken: IndexerError | SbclError | OSError | DatabaseError | None
    seconds: float
    not_loaded: Sequence[Problem] = ()
    kept: frozenset[str] = frozenset()


class WatchedPlaces(NamedTuple):
    """The places to watch: folders with everything below them, and single files.

    A file is watched singly when its folder is too large to watch, such as the user's home folder or a
    parent of the project.
    """

    folders: list[Path]
    files: list[str]


class Follower:
    """Keeps the index at ``output`` equal to a build of the project: each call brings it up to date."""

    def __init__(
        self,
        output: Path,
        sbcl: Sbcl,
        systems: Sequence[str],
        setup: Setup,
        *,
        command: str,
        store_sources: bool = True,
        overwrite: bool = False,
        waiting: Callable[[str], None] = lambda _: None,
    ) -> None:
        """``overwrite`` replaces any file at ``output``, otherwise only an index. Raises OutputError.

        ``waiting`` is called with a sentence before waiting for another process, and when loading takes long.
        """
        assert setup.projects
        self.index = FollowedIndex(output, overwrite=overwrite, waiting=waiting)
        self._sbcl = sbcl
        self._waiting = waiting
        self._systems = systems
        self._setup = setup
        self.projects = setup.projects
        self._command = command
        self._store_sources = store_sources
        self._base: Layer | None = None
        self._states: dict[str, FileState] = {}
        # The files that the last base was made from, with their states when no new base could be made.
        self._base_files: dict[str, FileState] = {}
        self._images_are_behind = True  # some changes have reached no image yet
        self._definitions: ProjectDefinitions | None = None
        self._saving: Saving | None = None
        self._last_good = LastGood(self.index.path)
        self._parts = Parts(systems, setup)
        self._plan: Path | None = None  # how the last refresh loaded what no longer loads
        self._build_id = ""
        self.values_are_old = True
        self._usual = 0.0  # the seconds that the last refresh loaded

    # Whether there is anything to do

    def follow(self) -> RefreshStep | None:
        """Refresh if a file of the project or of its dependencies changed since the last time."""
        began = time.monotonic()
        states = self._current_states()
        if states == self._states and not self._has_other_base():
            return None
        return self._refresh(states, began, lambda _: None)

    def _has_other_base(self) -> bool:
        """Whether a file that the last base was made from has changed."""
        if self._base is not None and not self._base.is_current():
            return True
        return any(state and file_state(path) != state for path, state in self._base_files.items())

    def _current_states(self) -> dict[str, FileState]:
        return {str(path): file_state(path) for path in project_files(self.projects)}

    def places(self) -> WatchedPlaces:
        """The places of all files that the index depends on."""
        own = {project.resolve() for project in self.projects}
        home = Path.home()
        too_wide = {home, *home.parents, *(parent for project in own for parent in project.parents)}
        folders, files = set(own), []
        for path in (*self._states, *self._base_files):
            around = {Path(path).parent, Path(path).resolve().parent}
            folders |= around - too_wide
            if around & too_wide:
                files.append(path)
        there = sorted(folder for folder in folders if folder.is_dir())
        return WatchedPlaces(
            [one for one in there if not any(other in one.parents for other in there)], files
        )

    def adopt(self) -> RefreshStep | None:
        """Continue with the current index if a refresh would produce the same one; otherwise return None."""
        began = time.monotonic()
        states, facts = self._current_states(), self.index.facts()
        base = find_libraries(self._sbcl, self._systems, self._setup, complete=True)
        if (
            base is None
            or not self.index.is_usable
            or {BROKEN, LAST_GOOD} & facts.keys()
            or not self._is_of_the_same(facts, base, list(states))
            or (present := read_present(self.index.path)).failures  # what did not load is always tried again
            or not present.systems <= self._last_good.systems(base).keys()
        ):
            return None
        self._base, self._states = base, states
        self._base_files = dict.fromkeys(base.inputs, ())
        self._images_are_behind = False
        self._build_id = facts["build_id"]
        self.values_are_old = EDITED in facts or not has_values(self._build_id, True)
        return RefreshStep(None, None, time.monotonic() - began)

    def _is_of_the_same(self, facts: Mapping[str, str], base: Layer, paths: list[str]) -> bool:
        """Whether the index with these ``facts`` was made of what a refresh on ``base`` would load.

        A watch has made it, or a build, of the files of the project at ``paths``. A damaged index is not
        the same.
        """
        if facts.get(INPUTS) == self._inputs(base, paths):
            return is_as_written(self.index.path)
        plan = ImagePlan(self._sbcl, self._systems, self._setup)
        return is_unchanged(
            self.index.path, Request(plan, facts.get("command", ""), self._store_sources, snapshot=None)
        )

    def _inputs(self, base: Layer, paths: list[str]) -> str:
        """The fact in meta about the index's inputs: base, sources, and whether the sources' text is kept."""
        files = {path: file_hash(path) for path in paths}
        return json.dumps({"base": base.identity, "files": files, "sources": self._store_sources})

    # Refreshing

    def refresh(self, progress: Progress = lambda _: None) -> RefreshStep:
        """Bring the index up to date; what no longer loads stays in its last good state, marked."""
        began = time.monotonic()
        return self._refresh(self._current_states(), began, progress)

    @contextmanager
    def _saying_if_slow(self) -> Iterator[None]:
        """If loading takes unusually long, say how long it usually takes, and for how long it may."""
        usual = f"loading usually takes {self._usual:.1f} s, and " if self._usual else ""
        limit = f"each part may take up to {self._setup.seconds:g} s (--load-timeout)"
        text = f"The project is still being loaded; {usual}{limit}."
        timer = Timer(max(_SLOW_SECONDS, _UNUSUAL * self._usual), self._waiting, [text])
        timer.daemon = True
        timer.start()
        began = time.monotonic()
        try:
            yield
            self._usual = time.monotonic() - began
        finally:
            timer.cancel()

    def _refresh(self, states: dict[str, FileState], began: float, progress: Progress) -> RefreshStep:
        if self._saving is not None:
            self._saving.cancel()
            self._saving = None
        changed = None
        if not self._images_are_behind:
            before = self._states
            changed = [path for path in states | before if states.get(path) != before.get(path)]
        self._images_are_behind = True
        present = read_present(self.index.path)
        # A dependency that did not load before may do so now.
        again = self._base is None or self._has_other_base()
        try:
            try:
                found, done = self._publish_on_libraries(present, states, changed, progress, again=again)
            except OtherLibrariesError as error:
                KnownLibraries(self._sbcl, self._systems, self._setup).note(error.libraries)
                found, done = self._publish_on_libraries(present, states, changed, progress, again=again)
            step = RefreshStep(found, None, time.monotonic() - began, done.not_loaded, done.kept)
            self._images_are_behind = False
        except (IndexerError, SbclError, OSError, DatabaseError) as error:
            step = RefreshStep(None, error, time.monotonic() - began)
            self._images_are_behind = not isinstance(error, ProjectBrokenError)
            with suppress(IndexerError, SbclError, OSError, DatabaseError):  # the mark is optional
                self._mark_broken(error)
        self._states = states
        return step

    def _publish_on_libraries(
        self,
        present: Present,
        states: dict[str, FileState],
        changed: list[str] | None,
        progress: Progress,
        *,
        again: bool,
    ) -> tuple[Changes, Refreshed]:
        """Publish the next index, on the layer with the libraries, which is made if it is not there.

        With ``again``, also if a library did not load the last time. Raises OtherLibrariesError if the
        project needs others.
        """
        self._base = find_libraries(self._sbcl, self._systems, self._setup, complete=again)
        self._base_files = {path: file_state(path) for path in self._base_files}
        made = self._base is None
        if self._base is None:
            self._base = make_libraries(
                self._sbcl, self._systems, self._setup, progress, refuse=present.refuse
            )
        if not self._base.facts.lacks_libraries:
            self._base_files = {}
        self._base_files |= dict.fromkeys(self._base.inputs, ())
        return self._publish_refreshed(self._base, present, states, changed, progress, made=made)

    def _publish_refreshed(
        self,
        base: Layer,
        present: Present,
        states: dict[str, FileState],
        changed: list[str] | None,
        progress: Progress,
        *,
        made: bool,
    ) -> tuple[Changes, Refreshed]:
        inputs = self._inputs(base, list(states))
        # What does not load is tried again by each watch, but the image of the same sources is saved once.
        before_it = self.index.facts() if self.index.is_usable else {}
        same = (
            not made
            and EDITED not in before_it
            and before_it.get(INPUTS) == inputs
            and has_values(before_it.get("build_id", ""), True)
        )
        if same:
            self._build_id = before_it["build_id"]
        facts = {"command": self._command, "build_id": self._build_id, INPUTS: inputs}
        if self._build_id and not same:
            facts[EDITED] = "1"
        above = None if changed is None else self._parts.best(base, states)
        refresh = Refresh(
            base,
            self._systems,
            self._setup,
            present=present,
            last_good=self._last_good,
            above=above,
            store_sources=self._store_sources,
            progress=progress,
        )
        with output_errors(self.index.path), self.index.next() as new:
            with self._saying_if_slow():
                done = refresh.write(new, facts, changed)
            if above is not None and refresh.above_failed:
                self._parts.drop(above, unfit=refresh.above_waited)
            before = self._definitions or self._definitions_there(base)
            self.index.publish(new)
        self.values_are_old = not same
        self._plan = done.plan
        with suppress(OSError, DatabaseError):  # keeping it is optional
            self._last_good.keep(done.loaded, base)
        now = definitions(self.index.path)
        self._definitions = now.with_texts_of(before)
        if changed and not done.kept and not done.not_loaded:
            files = [source for system in done.loaded for source, _ in system.files]
            self._parts.begin(base, self.index.path, files, changed, states)
        return changes(before, now), done

    def _definitions_there(self, base: Layer) -> ProjectDefinitions:
        """The project's definitions in the index, or in its ``base`` if there is none that can be read."""
        if self.index.is_usable:
            with suppress(DatabaseError):  # a damaged index is replaced
                return definitions(self.index.path)
        return definitions(base.index)

    def _mark_broken(self, error: Exception) -> None:
        """Record in the last good index, or else in a copy of the base, why the project does not load."""
        if self.index.is_usable:
            last_good = self.index.path
        elif self._base is not None:
            last_good = self._base.index
        else:
            return
        problem = error.problem if isinstance(error, ProjectBrokenError) else None
        facts = {
            "message": str(error),
            "condition": problem.condition if problem else None,
            "path": problem.path if problem else None,
            "line": problem.line if problem else None,
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self.index.set_facts({BROKEN: json.dumps(facts)}, of=last_good)

    # Values

    def begin_saving_values(self) -> None:
        """Start saving the current image for the values of variables; a refresh cancels the saving."""
        if self._base is not None and self.index.is_usable and self._saving is None:
            present = read_present(self.index.path)
            loaded = present.systems | present.definition_files
            self._saving = Saving(self._base, self.index.path, self._systems, self._setup, loaded, self._plan)
            self.values_are_old = False

    def adopt_saved_values(self, *, wait: bool = False) -> None:
        """Make the index name the saved image once that is complete, unless something changed meanwhile."""
        saving = self._saving
        if saving is None or not (wait or saving.is_done):
            return
        self._saving = None
        if (build_id := saving.result()) is not None:
            self._build_id = build_id
            self.index.set_facts({"build_id": build_id, EDITED: None})

    def begin_part(self) -> None:
        """Begin to make the layer below the source that was saved last, which is likely to be the next."""
        if self._base is None or {BROKEN, LAST_GOOD} & self.index.facts().keys():
            return
        systems = self._last_good.systems(self._base).values()
        files = [file.source for system in systems for file in system]
        if saved := [path for path in files if self._states.get(path)]:
            last = max(saved, key=lambda path: self._states[path][SAVED])
            self._parts.begin(self._base, self.index.path, files, [last], self._states)

    def wait_for_parts(self) -> None:
        """Wait until the layer that the last refresh began to make is made."""
        self._parts.wait()

    def close(self) -> None:
        """Give up what is being made beside the refreshes, so that none of its processes is left.

        Trying a saved core may outlast this, and ends with us.
        """
        self._parts.cancel(0)  # both are told before either is waited for
        if self._saving is not None:
            self._saving.cancel(_CLOSE_SECONDS)
        self._parts.cancel(_CLOSE_SECONDS)
