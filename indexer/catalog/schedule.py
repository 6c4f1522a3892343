"""The order of the tasks: every release is surveyed, then made after what it depends on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from oblist.lisp.sbcl import Sbcl, code_fingerprint

from ..errors import IndexerError
from ..format import FEATURE, FORMAT
from .places import SystemPlaces, primary
from .releases import Contents, Release
from .store import Store, key_of
from .tasks import Limits, Order, Report, Survey
from .workers import Workers

_WEAK = "weakly-depends-on"


@dataclass(slots=True)
class Work:
    """A release on its way through the build; ``needs`` are the releases that it depends on."""

    release: Release
    survey: Survey | None = None
    report: Report | None = None
    key: str = ""
    needs: list[Release] = field(default_factory=list)
    base: list[str] = field(default_factory=list)
    wanted_first: list[str] = field(default_factory=list)
    cached: bool = False

    @property
    def is_done(self) -> bool:
        """Whether its slice is made, or there will be none."""
        return self.report is not None


Done = Callable[[Work], None]


class Schedule:
    """Runs the tasks of all ``releases``."""

    def __init__(
        self,
        releases: Sequence[Release],
        places: SystemPlaces,
        modules: frozenset[str],
        sbcl: Sbcl,
        store: Store,
        limits: Limits,
        *,
        tests: bool = False,
    ) -> None:
        """``modules`` are the systems that come with SBCL."""
        self._places = places
        self._modules = modules
        self._sbcl = sbcl
        self._store = store
        self._limits = limits
        self._tests = tests
        self._contents = Contents()
        self._compiler = [code_fingerprint(sbcl), sbcl.version, version("oblist"), FORMAT, FEATURE]
        self._wanted: set[Path] = set()
        self.work: dict[Path, Work] = {one.definition: Work(one) for one in releases}

    @property
    def total(self) -> int:
        """The number of releases that are to be done, as far as that is known."""
        return len(self._wanted)

    def run(self, workers: Workers, done: Done, chosen: Sequence[Release]) -> None:
        """Run all tasks for the releases ``chosen``, and for those that they depend on.

        ``done`` is called with each release that is done.
        """
        self._wanted = {one.definition for one in chosen}
        waiting = [self._of(one) for one in chosen]
        running: set[Path] = set()
        self._places.write()
        while waiting or running:
            started = [one for one in waiting if self._start(one, workers)]
            if not started and not running:
                # Releases that depend on each other: one of them is made without the others' slices.
                first = min(waiting, key=lambda one: (len(self._missing(one)), str(one.release.definition)))
                self._begin(first, workers)
                started = [first]
            for one in started:
                waiting.remove(one)
                if not one.is_done:
                    running.add(one.release.definition)
                else:
                    done(one)
            if running:
                definition, result = workers.next_result()
                running.discard(definition)
                one = self.work[definition]
                if self._take(one, result):
                    done(one)
                else:
                    waiting.append(one)
                new = [need for need in one.needs if need.definition not in self._wanted]
                self._wanted.update(need.definition for need in new)
                waiting += map(self._of, new)

    # Starting tasks

    def _start(self, work: Work, workers: Workers) -> bool:
        if not workers.has_room or self._missing(work):
            return False
        self._begin(work, workers)
        return True

    def _missing(self, work: Work) -> list[Release]:
        """What the release needs and is not done yet."""
        return [one for one in work.needs if not self._of(one).is_done]

    def _of(self, release: Release) -> Work:
        return self.work[release.definition]

    def _begin(self, work: Work, workers: Workers) -> None:
        release = work.release
        if work.survey is None:
            base = tuple(work.wanted_first)
            key = self._key("survey", work, self._contents.of(release), base)
            workers.survey(release.definition, self._order(work, base, key))
            return
        files = [path for system in work.survey.systems.values() for path in system.files]
        omitted = self._omitted(work)
        base = tuple(one for one in work.base if self._loads(one, release) and not self._needs(one, release))
        work.key = self._key("slice", work, self._contents.of(release, files), base, omitted)
        workers.slice(release.definition, self._order(work, base, work.key), omitted)

    def _order(self, work: Work, base: tuple[str, ...], key: str) -> Order:
        release = work.release
        closure = tuple(
            self._of(one).key for one in self._closure(work, but_itself=True) if self._of(one).key
        )
        return Order(
            self._sbcl,
            self._store,
            self._places.file(release.root),
            release.name,
            release.definition,
            base,
            closure,
            key,
            self._limits,
            self._tests,
        )

    def _key(self, kind: str, work: Work, contents: str, base: tuple[str, ...], *more: object) -> str:
        keys = sorted(
            self._of(one).key or self._contents.of(one) for one in self._closure(work, but_itself=True)
        )
        definition = str(work.release.definition)
        return key_of(kind, self._compiler, definition, contents, base, keys, self._tests, *more)

    def _closure(self, work: Work, *, but_itself: bool = False) -> list[Release]:
        """All that the release depends on, directly or not; itself too, if others depend on it in turn."""
        found: dict[Path, Release] = {}
        waiting = list(work.needs)
        while waiting:
            one = waiting.pop()
            if one.definition not in found:
                found[one.definition] = one
                waiting += self._of(one).needs
        return [found[one] for one in sorted(found) if not (but_itself and one == work.release.definition)]

    def _loads(self, system: str, release: Release) -> bool:
        """Whether a system that ``release`` depends on loads, or comes with SBCL."""
        found = self._places.find(system, release.root)
        if found is None:
            return primary(system) in self._modules
        report = self._of(found).report
        return report is None or (report.state != "failed" and system not in report.failures)

    def _needs(self, system: str, release: Release) -> bool:
        """Whether a system is of a release that depends on ``release`` itself."""
        found = self._places.find(system, release.root)
        return found is not None and release in self._closure(self._of(found))

    def _omitted(self, work: Work) -> dict[str, str]:
        """The systems of the release that cannot load, because what they depend on did not, and why."""
        assert work.survey is not None
        systems = work.survey.systems
        omitted: dict[str, str] = {}
        while True:
            more = {
                name: reason
                for name, facts in systems.items()
                if name not in omitted
                for relation, needed in facts.dependencies
                if relation != _WEAK and (reason := self._why_not(needed, omitted, work.release))
            }
            if not more:
                return omitted
            omitted |= more

    def _why_not(self, needed: str, omitted: Mapping[str, str], release: Release) -> str | None:
        if needed in omitted:
            return f"It depends on {needed}, which did not load either."
        found = self._places.find(needed, release.root)
        if found is None or found is release or self._loads(needed, release):
            return None
        report = self._of(found).report
        assert report is not None
        reason = report.failures.get(needed) or next(iter(report.failures.values()), "")
        return f"It depends on {needed}, which did not load: {reason}"

    # Taking results

    def _take(self, work: Work, result: Survey | Report | IndexerError) -> bool:
        """Take the result of a task; returns whether the release is done."""
        if isinstance(result, IndexerError):
            work.report = Report("failed", [], {work.release.name: str(result)}, 0.0, transient=True)
            work.key = ""
            return True
        if isinstance(result, Report):
            work.report = result
            return True
        if result.needed and result.needed not in work.wanted_first:
            found = self._places.find(result.needed, work.release.root)
            if found is not None and found is not work.release:
                work.wanted_first.append(result.needed)
                work.needs.append(found)
                return False
        work.survey = result
        self._places.learn(work.release, result.defined)
        self._places.write()
        self._find_needs(work, result)
        return False

    def _find_needs(self, work: Work, survey: Survey) -> None:
        """Find the systems to load before the release, and their releases."""
        own = {*survey.defined, *survey.systems}
        needed = [
            name
            for facts in survey.systems.values()
            for _, name in facts.dependencies
            if name not in own and primary(name) != work.release.name
        ]
        work.base = list(dict.fromkeys([*work.wanted_first, *needed]))
        found = (self._places.find(name, work.release.root) for name in work.base)
        releases = {one.definition: one for one in found if one is not None and one is not work.release}
        work.needs = [one for one in releases.values() if one.definition in self.work]


def in_order(schedule: Schedule) -> Iterator[Work]:
    """The releases by name and place."""
    yield from sorted(schedule.work.values(), key=lambda one: (one.release.name, str(one.release.definition)))
