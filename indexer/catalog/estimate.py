"""The estimate of a build: how much of it the store has, and how long the rest will take."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from .graph import Work
from .making.orders import LoadReport, Order, SliceOutcome, Survey
from .making.tasks import cost_key
from .report import counted_releases, duration
from .running.runner import CatalogTask, Result
from .store.results import Store

_GUESS_SECONDS, _GUESS_BYTES = 3.0, 1_000_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a build would do.

    ``known`` counts the releases to make that were made before, so that their costs are recorded; the others
    are taken to cost as much as the median of these. ``unsurveyed`` are those whose definitions were never
    read: what they depend on may come on top. ``seconds`` are those of one worker, ``bytes`` those of
    slices.
    """

    releases: int
    cached: int
    to_make: int
    known: int
    unsurveyed: int
    seconds: float
    bytes: int
    jobs: int


class Rehearsal:
    """A runner that runs nothing, and remembers what it was to run."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, Result]] = deque()
        self.unsurveyed = 0

    def submit(
        self,
        key: str,
        task: CatalogTask,
        argument: Any,
        results: Sequence[str | SliceOutcome],
        *,
        urgency: float = 0.0,
    ) -> None:
        """See Runner."""
        if isinstance(argument, Order):
            self.unsurveyed += 1
            self._waiting.append((key, Survey()))
        else:
            # No slice has this key, so whatever depends on this one is to be made, too.
            report = LoadReport("loaded", [], {}, 0.0)
            self._waiting.append((key, SliceOutcome(str(argument.order.definition), "-", "-", report)))

    def next_result(self) -> tuple[str, Result]:
        """See Runner."""
        return self._waiting.popleft()


def estimate(works: Sequence[Work], rehearsal: Rehearsal, store: Store, jobs: int) -> Estimate:
    """The estimate for ``works``, which ``rehearsal`` has run."""
    to_make = [one for one in works if one.outcome is not None and not one.outcome.cached]
    costs = [store.read("costs", cost_key(Path(one.name))) for one in to_make]
    known = [one for one in costs if one is not None]
    seconds = median([one["seconds"] for one in known]) if known else _GUESS_SECONDS
    size = median([one["bytes"] for one in known]) if known else _GUESS_BYTES
    unknown = len(to_make) - len(known)
    return Estimate(
        len(works),
        len(works) - len(to_make),
        len(to_make),
        len(known),
        rehearsal.unsurveyed,
        round(sum(one["seconds"] for one in known) + unknown * seconds, 1),
        int(sum(one["bytes"] for one in known) + unknown * size),
        jobs,
    )


def estimate_text(found: Estimate) -> str:
    """The estimate for people."""
    lines = [f"{counted_releases(found.releases)}: {found.cached:,} in the store, {found.to_make:,} to index"]
    if found.to_make:
        workers = "one worker" if found.jobs == 1 else f"{found.jobs} workers"
        time, size = duration(found.seconds / found.jobs), found.bytes / 1e6
        lines.append(f"expected: {time} with {workers}, {size:,.0f} MB of slices")
    if unknown := found.to_make - found.known:
        lines.append(
            f"{unknown:,} of these have never been indexed, so their share of this estimate is a guess"
        )
    if found.unsurveyed:
        lines.append(
            f"{found.unsurveyed:,} system definitions have not been read yet; "
            "their dependencies will be added"
        )
    return "\n".join(lines)
