"""What a server takes of the machine, sampled while it runs, and whether that grows."""

from __future__ import annotations

import stat
import statistics
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path

import psutil

from oblist.indexer.layers.cache import most_bytes

_WARM_UP = 0.2
"""The share of samples that are left out: caches fill, and what is imported late is imported."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a server and its children take: kilobytes, and counts."""

    rss: int
    pss: int
    descriptors: int
    threads: int
    processes: int
    temporary: int
    cache: int


@dataclass(frozen=True, slots=True)
class Bound:
    """How much a median may grow from the first third of the samples to the last: a share, and an amount."""

    share: float
    amount: int


# Memory: malloc gives little back, and questions differ. All else has one size for the same work.
# A watch keeps snapshots in its cache until that has reached its budget.
BOUNDS = {
    "rss": Bound(0.15, 24_000),
    "pss": Bound(0.15, 24_000),
    "descriptors": Bound(0.1, 12),
    "threads": Bound(0.1, 6),
    "processes": Bound(0.0, 2),
    "temporary": Bound(0.0, 4),
    "cache": Bound(0.25, 100_000),
}
_WATCH = "watch"


class Sampled:
    """The samples of all servers."""

    def __init__(self) -> None:
        self._samples: defaultdict[str, list[Sample]] = defaultdict(list)

    def take(self, server: str, process: int, folder: Path) -> None:
        """Add a sample of a server: ``folder`` has what it keeps, in ``tmp`` and ``cache``."""
        with suppress(psutil.Error, OSError):  # what comes and goes while it is looked at
            own = psutil.Process(process)
            every = [own, *own.children(recursive=True)]
            if server == _WATCH:
                every = [own]  # its children come and go with each edit
            counted = [_of(one) for one in every]
            sums = [sum(column) for column in zip(*filter(None, counted), strict=True)]
            temporary = sum(1 for _ in (folder / "tmp").rglob("*"))
            cache = sum(map(_size, (folder / "cache").rglob("*"))) // 1024
            self._samples[server].append(Sample(*sums, len(every), temporary, cache))

    def rows(self) -> list[tuple[str, str, float, float, int, bool]]:
        """For each server and quantity: medians of the first and last third, the most, whether it grew."""
        found = []
        for server, samples in self._samples.items():
            warm = samples[round(_WARM_UP * len(samples)) :]
            third = max(1, len(warm) // 3)
            for one in fields(Sample):
                values = [getattr(sample, one.name) for sample in warm]
                first, last = statistics.median(values[:third]), statistics.median(values[-third:])
                has_grown = grew(one.name, first, last)
                if server == _WATCH and one.name == "cache":
                    has_grown = 1024 * last > most_bytes()
                found.append((server, one.name, first, last, max(values), has_grown))
        return found


def grew(quantity: str, first: float, last: float) -> bool:
    """Whether a quantity is beyond its bound."""
    bound = BOUNDS[quantity]
    return last > first * (1 + bound.share) + bound.amount


def _of(process: psutil.Process) -> tuple[int, int, int, int] | None:
    with suppress(psutil.Error):
        memory = process.memory_full_info()
        return memory.rss // 1024, memory.pss // 1024, process.num_fds(), process.num_threads()
    return None


def _size(path: Path) -> int:
    """The size of a file; 0 of what is none, or is gone meanwhile."""
    with suppress(OSError):
        status = path.stat()
        return status.st_size if stat.S_ISREG(status.st_mode) else 0
    return 0
