"""The tasks of a catalog's build: survey a release, and make its slice.

Each depends on its order alone, so it may run in any process that sees the same files.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from oblist.lisp.sbcl import Sbcl, compiled_code
from oblist.lisp.slices import Surroundings

from ..build.facts import Build
from ..build.publish import put_in_place, sync
from ..errors import ImageError
from ..format import SLICE, user_cache_folder
from ..records import Problem, Surveyed, System
from .images import SliceImage, save_base
from .store import Store, key_of

_TRANSIENT = ("TIMEOUT", "SBCL-ENDED", "HEAP-EXHAUSTED-ERROR", "COMPILER-ENDED")


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits for each release: seconds for loading one system, megabytes of heap."""

    seconds: float = 300.0
    megabytes: int = 4096


@dataclass(frozen=True, slots=True)
class Order:
    """What both tasks need: the release's definition file, and its base.

    ``places`` is the file of the places of systems, ``base`` the systems to load before, and ``closure`` the
    keys of the releases whose compiled files these need. ``key`` is that of the result.
    """

    sbcl: Sbcl
    store: Store
    places: Path
    name: str
    definition: Path
    base: tuple[str, ...]
    closure: tuple[str, ...]
    key: str
    limits: Limits = Limits()
    tests: bool = False

    @property
    def base_key(self) -> str:
        """The key of the base."""
        return key_of(self.sbcl.version, self.base, self.closure, self.limits.megabytes)


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """What the definition of a system says; ``dependencies`` are pairs of relation and name."""

    version: str | None
    licence: str | None
    author: str | None
    description: str | None
    dependencies: list[list[str]]
    files: list[str]


@dataclass(frozen=True, slots=True)
class Survey:
    """What the definitions of a release say.

    ``needed`` is a system that must be loaded before they can be read; ``problem`` says why they cannot.
    """

    systems: dict[str, SystemFacts] = field(default_factory=dict)
    defined: list[str] = field(default_factory=list)
    needed: str | None = None
    problem: str | None = None

    @classmethod
    def of(cls, value: Any) -> Survey:
        """The survey that ``asdict`` made the JSON ``value`` from."""
        systems = {name: SystemFacts(**facts) for name, facts in value["systems"].items()}
        return cls(systems, value["defined"], value["needed"], value["problem"])


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a release: the systems that loaded, and why others did not.

    ``state`` is loaded, partly or failed. ``transient`` says that the next build is to try again, because
    time, memory or a signal ended this one.
    """

    state: str
    loaded: list[str]
    failures: dict[str, str]
    seconds: float
    transient: bool = False


def survey(order: Order) -> Survey:
    """Read the definitions of a release; the survey is kept in the store."""
    known = order.store.read("surveys", order.key)
    if known is not None:
        return Survey.of(known)
    systems: dict[str, SystemFacts] = {}
    surveyed = Surveyed([])
    problem = None
    try:
        with (
            order.store.alone(order.key),
            order.store.work() as work,
            _surroundings(order) as around,
            _base(order, around, work) as core,
            SliceImage(around, core, order.definition, survey=True) as image,
        ):
            for record in image.records():
                if isinstance(record, System):
                    systems[record.name] = _facts_of(record)
                elif isinstance(record, Surveyed):
                    surveyed = record
                elif isinstance(record, Problem) and record.stage == "load":
                    problem = f"{record.condition}: {record.message}"
    except ImageError as error:
        return Survey(problem=str(error))
    found = Survey(systems, surveyed.defined, surveyed.needed, problem)
    if problem is None or surveyed.needed:  # else what was missing may be there the next time
        order.store.write("surveys", order.key, asdict(found))
    return found


def _facts_of(record: System) -> SystemFacts:
    files = [*record.files, *([record.definition] if record.definition else [])]
    return SystemFacts(
        record.version, record.licence, record.author, record.description, record.dependencies, files
    )


def make_slice(order: Order, omitted: Mapping[str, str]) -> Report:
    """Make the slice of a release, unless the store has it; ``omitted`` are systems not to load, and why.

    Whatever does not load is a problem of the slice. Raises IndexerError if there can be no slice.
    """
    with order.store.alone(order.key):
        known = _made(order)
        if known is not None:
            return known
        clock = time.monotonic()
        with order.store.work() as work, _surroundings(order) as around:
            new = work / "slice.db"
            with _base(order, around, work) as core:
                _write(new, order, around, core, omitted)
            report = _report(new, time.monotonic() - clock)
            put_in_place(new, order.store.slice(order.name, order.key), overwrite=True)
        order.store.write("reports", order.key, asdict(report))
        return report


def _made(order: Order) -> Report | None:
    """What became of the release, if its slice is there and need not be made again."""
    known = order.store.read("reports", order.key)
    if known is None or known["transient"] or not order.store.slice(order.name, order.key).exists():
        return None
    return Report(**known)


def _write(new: Path, order: Order, around: Surroundings, core: Path, omitted: Mapping[str, str]) -> None:
    from ..build.assemble import write_index

    build = Build(f"oblist catalog build, {order.name}", datetime.now(UTC), order.key)
    with SliceImage(around, core, order.definition, omitted=omitted) as image:
        write_index(
            new,
            image.records(),
            build,
            lambda _: None,
            more_facts=lambda writer: {
                SLICE: json.dumps(
                    {
                        "release": order.name,
                        "definition": str(order.definition),
                        "key": order.key,
                        "outside": writer.outside_packages(),
                    }
                )
            },
            symbols_last=True,
        )
    sync(new)


def _report(slice_: Path, seconds: float) -> Report:
    with closing(sqlite3.connect(f"file:{quote(str(slice_))}?mode=ro", uri=True)) as connection:
        loaded = [name for (name,) in connection.execute("SELECT name FROM systems ORDER BY name")]
        rows = connection.execute(
            "SELECT subject, part, condition, message, path, line FROM problems"
            " WHERE stage = 'load' ORDER BY id"
        ).fetchall()
    failures = {subject: _shown(row) for subject, *row in rows}
    state = "loaded" if not failures else "partly" if loaded else "failed"
    transient = any(part == "definition file" or condition in _TRANSIENT for _, part, condition, *_ in rows)
    return Report(state, loaded, failures, round(seconds, 3), transient)


def _shown(row: Sequence[Any]) -> str:
    _, condition, message, path, line = row
    place = f" ({path}, line {line})" if path and line else ""
    return f"{condition}: {' '.join(message.split())}{place}"


@contextmanager
def _surroundings(order: Order) -> Iterator[Surroundings]:
    """The surroundings of the images."""
    code = compiled_code(order.sbcl, user_cache_folder())
    with order.store.compiling(order.key, order.closure) as fasls:
        yield Surroundings(
            order.sbcl,
            code,
            order.places,
            fasls,
            order.limits.seconds,
            order.limits.megabytes,
            order.tests,
        )


def _base(order: Order, around: Surroundings, work: Path) -> AbstractContextManager[Path]:
    """The core of the base, which is made in ``work`` if there is none."""

    def make(core: Path) -> None:
        new = work / "base.core"
        save_base(around, new, order.base)
        new.replace(core)

    return order.store.base_in_use(order.base_key, make)
