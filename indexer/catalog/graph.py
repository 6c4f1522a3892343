"""The graph of a catalog's tasks: every release is surveyed, then made after what it depends on.

What a release depends on is known only once it is surveyed. So tasks come in rounds: surveys of all releases
that are known to be needed; then slices of what the definitions of some cannot be read without, and surveys
of those; and when all are surveyed, the slices of all, as one graph. Slices that no later survey can change
are handed out with those that surveys wait for, so that no worker is idle. What the store has already is
never handed out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from .making.orders import Needed, Order, SentFolder, SliceOrder, SliceOutcome, Survey, Terms
from .making.plans import known_outcome, known_survey, slice_plan, survey_plan
from .making.sent import ALL, packed, sent_files, sources_name
from .making.tasks import make_slice, survey
from .places import SystemPlaces, primary
from .releases import Contents, Release, sent_folder
from .running.runner import CatalogTask, Runner


@dataclass(slots=True)
class Work:
    """A release on its way through the build.

    ``needs`` are the releases that it depends on, ``base`` the systems to load before it, and ``first`` those
    that must be loaded before its definitions can be read.
    """

    release: Release
    survey: Survey | None = None
    outcome: SliceOutcome | None = None
    needs: list[Release] = field(default_factory=list)
    base: list[str] = field(default_factory=list)
    first: list[str] = field(default_factory=list)
    handed_out: bool = False

    @property
    def name(self) -> str:
        """What the work is called among all works: the path of its definition file."""
        return str(self.release.definition)


Done = Callable[[Work], None]

# More urgent than all that nothing but the end waits for; sources have fewer bytes.
_AT_ONCE = 1e15
_SURVEY = "survey "


class Graph:
    """Hands out the tasks of all ``releases`` that are needed, and takes their results."""

    def __init__(
        self,
        releases: Sequence[Release],
        places: SystemPlaces,
        modules: frozenset[str],
        terms: Terms,
        runner: Runner,
        *,
        done: Done = lambda _: None,
        wanted: Callable[[int], None] = lambda _: None,
    ) -> None:
        """``modules`` are the systems that come with SBCL.

        ``done`` is called with each release that is done, ``wanted`` with the number of those to do.
        """
        self._places = places
        self._modules = modules
        self._terms = terms
        self._runner = runner
        self._done = done
        self._tell_wanted = wanted
        self._contents = Contents()
        self._closures: dict[Path, list[Release]] = {}
        self._submitted: dict[str, Work] = {}
        self._sent: dict[Path, SentFolder] = {}
        self._list_of_places: dict[Path | None, str] = {}
        self.work: dict[Path, Work] = {one.definition: Work(one) for one in releases}
        self.wanted: dict[Path, Work] = {}

    def run(self, chosen: Sequence[Release]) -> list[Work]:
        """Run all tasks for the releases ``chosen``, and for those that they depend on; returns them."""
        self._want(chosen)
        while True:
            self._survey_all()
            stuck = [one for one in self.wanted.values() if self._lacks(one)]
            if not stuck:
                break
            self._survey_after(stuck)
        self._make(self.wanted.values())
        while self._submitted:
            self._take_next()
        return sorted(self.wanted.values(), key=lambda one: (one.release.name, one.name))

    def _want(self, releases: Iterable[Release]) -> list[Work]:
        new = [self._of(one) for one in releases if one.definition not in self.wanted]
        self.wanted.update((one.release.definition, one) for one in new)
        if new:
            self._tell_wanted(len(self.wanted))
        return new

    def _of(self, release: Release) -> Work:
        return self.work[release.definition]

    # Surveys

    def _survey_all(self) -> None:
        """Survey all that is wanted, and all that this depends on."""
        while unknown := [one for one in self.wanted.values() if one.survey is None]:
            self._hand_out_surveys(unknown)
            self._await_surveys()
            self._learn(unknown)
            self._find_needs()

    def _hand_out_surveys(self, works: Sequence[Work]) -> None:
        self._write_places()
        for one in works:
            self._hand_out_survey(one)

    def _await_surveys(self) -> None:
        while any(key.startswith(_SURVEY) for key in self._submitted):
            self._take_next()

    def _hand_out_survey(self, work: Work) -> None:
        needs = [self._of(one) for one in work.needs if self._of(one).handed_out]
        order = self._order(work, self._contents.of(work.release))
        outcomes = _outcomes(needs)
        if outcomes is not None and (known := known_survey(order, survey_plan(order, outcomes))):
            work.survey = known
        else:
            self._submit(work, f"{_SURVEY}{len(work.first)} {work.name}", survey, order, needs, _AT_ONCE)

    def _lacks(self, work: Work) -> bool:
        """Whether the release is to be surveyed again, after something else is loaded."""
        needed = work.survey.needed if work.survey else None
        if needed is None or needed in work.first:
            return False
        found = self._places.find(needed, work.release.root)
        return found is not None and found is not work.release

    def _survey_after(self, stuck: Sequence[Work]) -> None:
        """Make what some of the releases ``stuck`` need first, and survey these again."""
        first = {one.name: self._needed_first(one) for one in stuck}
        self._want(first.values())
        self._survey_all()
        settled = self._settled()
        # What one of them needs first may be stuck too, and is then surveyed before.
        names = {one.release.definition for one in stuck}
        ready = [
            one
            for one in stuck
            if not names & {need.definition for need in self._with_closure(first[one.name])}
        ]
        for one in ready or stuck:
            assert one.survey is not None and one.survey.needed is not None
            one.first.append(one.survey.needed)
            one.needs = list(dict.fromkeys(self._first_of(one)))
        self._closures.clear()
        needed = {need.definition: self._of(need) for one in ready or stuck for need in one.needs}
        closure = {need.definition: self._of(need) for one in needed.values() for need in self._closure(one)}
        self._make({**needed, **closure}.values(), urgency=_AT_ONCE)
        self._hand_out_surveys(ready or stuck)
        self._make(settled)
        self._await_surveys()
        self._learn(ready or stuck)
        self._find_needs()

    def _with_closure(self, release: Release) -> list[Release]:
        return [release, *self._closure(self._of(release))]

    def _needed_first(self, work: Work) -> Release:
        assert work.survey is not None and work.survey.needed is not None
        found = self._places.find(work.survey.needed, work.release.root)
        assert found is not None
        return found

    def _first_of(self, work: Work) -> list[Release]:
        found = (self._places.find(name, work.release.root) for name in work.first)
        return [one for one in found if one is not None and one is not work.release]

    def _learn(self, works: Sequence[Work]) -> None:
        """Note which systems the releases define, in an order that does not depend on chance."""
        for one in sorted(works, key=lambda one: one.name):
            if one.survey is not None and not self._lacks(one):
                self._places.learn(one.release, one.survey.defined)

    def _find_needs(self) -> None:
        """Find what each surveyed release depends on, as far as is known now, and want it too."""
        self._closures.clear()
        for one in list(self.wanted.values()):
            if one.survey is None or one.handed_out:
                continue
            own = {*one.survey.defined, *one.survey.systems}
            named = (name for facts in one.survey.systems.values() for _, name in facts.dependencies)
            needed = (name for name in named if name not in own and primary(name) != one.release.name)
            one.base = list(dict.fromkeys([*one.first, *needed]))
            found = (self._places.find(name, one.release.root) for name in one.base)
            releases = {need.definition: need for need in found if need is not None}
            one.needs = [need for need in releases.values() if need is not one.release]
            self._want(one.needs)

    def _settled(self) -> list[Work]:
        """The works whose slices no later survey can change: their needs are surveyed and certain."""
        works = {one.release.definition: one for one in self.wanted.values() if not one.handed_out}
        unsettled = {path for path, one in works.items() if not self._is_settled(one)}
        return [
            one
            for path, one in works.items()
            if path not in unsettled and unsettled.isdisjoint(need.definition for need in self._closure(one))
        ]

    def _is_settled(self, work: Work) -> bool:
        return (
            work.survey is not None
            and not self._lacks(work)
            and all(self._places.is_certain(name) or primary(name) in self._modules for name in work.base)
        )

    # Slices

    def _make(self, works: Iterable[Work], urgency: float = 0.0) -> None:
        """Hand out the slices of ``works``, each after what it depends on.

        More urgent than ``urgency`` is what more work waits for, as the sizes of sources tell it.
        """
        self._write_places()
        waiting = self._waiting_bytes()
        for one in self._in_order(works):
            needs = [self._of(need) for need in one.needs if self._of(need).handed_out]
            one.handed_out = True
            self._hand_out_slice(one, needs, urgency + waiting[one.release.definition])

    def _waiting_bytes(self) -> dict[Path, int]:
        """The bytes of sources on the longest way from each release to the end, its own included."""
        found: dict[Path, int] = {}
        for one in reversed(list(self._in_order(self.wanted.values()))):
            path = one.release.definition
            found[path] = found.get(path, 0) + self._contents.bytes_of(one.release)
            for need in one.needs:
                found[need.definition] = max(found.get(need.definition, 0), found[path])
        return found

    def _in_order(self, works: Iterable[Work]) -> Iterator[Work]:
        """The works that are not handed out yet, each after what it needs.

        Of releases that depend on each other, the one that lacks least comes first.
        """
        waiting = sorted((one for one in works if not one.handed_out), key=lambda one: one.name)
        among = {one.release.definition for one in waiting}

        def missing(work: Work) -> list[Release]:
            return [one for one in work.needs if one.definition in among]

        while waiting:
            ready = [one for one in waiting if not missing(one)]
            if not ready:
                ready = [min(waiting, key=lambda one: (len(missing(one)), one.name))]
            for one in ready:
                yield one
                among.discard(one.release.definition)
            waiting = [one for one in waiting if one.release.definition in among]

    def _hand_out_slice(self, work: Work, needs: Sequence[Work], urgency: float) -> None:
        order = self._slice_order(work)
        outcomes = _outcomes(needs)
        if outcomes is not None:
            known = known_outcome(order.order, slice_plan(order, outcomes))
            if known is not None:
                self._take(work, known)
                return
        self._submit(work, _slice_key(work), make_slice, order, needs, urgency)

    def _slice_order(self, work: Work) -> SliceOrder:
        assert work.survey is not None
        systems = work.survey.systems
        files = [path for facts in systems.values() for path in facts.files]
        names = {name for facts in systems.values() for _, name in facts.dependencies}
        return SliceOrder(
            self._order(work, self._contents.of(work.release, files)),
            {name: facts.dependencies for name, facts in systems.items()},
            tuple(work.base),
            {name: self._needed(name, work.release) for name in sorted(names | set(work.base))},
        )

    def _needed(self, system: str, release: Release) -> Needed:
        found = self._places.find(system, release.root)
        if found is None:
            return Needed(None, at_hand=primary(system) in self._modules)
        if found is release:
            return Needed(None)
        circular = release.definition in {one.definition for one in self._closure(self._of(found))}
        return Needed(str(found.definition), circular=circular)

    # Orders

    def _order(self, work: Work, contents: str) -> Order:
        release = work.release
        closure = [one for one in self._closure(work) if one.definition != release.definition]
        return Order(
            self._terms,
            release.name,
            release.definition,
            contents,
            self._list_of_places[release.root],
            tuple(work.first),
            tuple((str(one.definition), self._contents.of(one)) for one in closure),
            self._send([release, *closure]) if self._terms.sent else (),
        )

    def _closure(self, work: Work) -> list[Release]:
        """All that the release depends on, directly or not; itself too, if others depend on it in turn."""
        start = work.release.definition
        if start not in self._closures:
            found: dict[Path, Release] = {}
            waiting = list(work.needs)
            while waiting:
                one = waiting.pop()
                if one.definition not in found:
                    found[one.definition] = one
                    waiting += self._of(one).needs
            self._closures[start] = [found[one] for one in sorted(found)]
        return self._closures[start]

    def _send(self, releases: Sequence[Release]) -> tuple[SentFolder, ...]:
        """Put the sources of ``releases`` into the store, unless they are there."""
        folders = dict.fromkeys(sent_folder(one) for one in releases)
        return (*(self._send_folder(one) for one in folders), self._send_folder(ALL))

    def _send_folder(self, folder: Path) -> SentFolder:
        if folder not in self._sent:
            files = sorted(self.work) if folder == ALL else list(sent_files(folder))
            key = self._contents.of_folder(folder, files)
            self._terms.store.keep(sources_name(key), partial(packed, folder, files))
            self._sent[folder] = SentFolder(folder, key)
        return self._sent[folder]

    def _write_places(self) -> None:
        self._list_of_places = self._places.write(self._terms.store)

    # Results

    def _submit(
        self, work: Work, key: str, task: CatalogTask, order: object, needs: Sequence[Work], urgency: float
    ) -> None:
        self._submitted[key] = work
        results = [one.outcome or _slice_key(one) for one in needs]
        self._runner.submit(key, task, order, results, urgency=urgency)

    def _take_next(self) -> None:
        key, result = self._runner.next_result()
        work = self._submitted.pop(key)
        if isinstance(result, Survey):
            work.survey = result
        else:
            self._take(work, result)

    def _take(self, work: Work, outcome: SliceOutcome) -> None:
        work.outcome = outcome
        self._done(work)


def _slice_key(work: Work) -> str:
    return f"slice {work.name}"


def _outcomes(works: Sequence[Work]) -> list[SliceOutcome] | None:
    """The outcomes of ``works``, if all are known."""
    found = [one.outcome for one in works if one.outcome is not None]
    return found if len(found) == len(works) else None
