"""The tasks of a catalog's build: survey a release, and make its slice."""

from __future__ import annotations

import gzip
import json
import sqlite3
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from oblist.lisp.sbcl import SbclError, compiled_code, find_sbcl
from oblist.lisp.slices import SURVEY, SliceSurroundings, to_dump

from ...build.publish import sync
from ...checksums import append_checksums
from ...errors import ImageError, IndexerError
from ...format import SLICE, user_cache_folder
from ...records import TRANSIENT, Problem, Surveyed, System
from ...write.facts import Build
from ..file.extract import write_extract
from ..store.results import Store, key_of, rows_name, slice_name
from .bases import base_in_use
from .compiled import fetch_compiled, share_compiled
from .images import SliceImage
from .orders import LoadReport, Order, Plan, Site, SliceOrder, SliceOutcome, Survey, SystemFacts, Terms
from .plans import known_outcome, known_survey, slice_plan, survey_plan
from .scratch import Scratch
from .sent import LocalTexts, SentSources

MOST_ATTEMPTS = 4
"""How often a task is begun, if the workers that run it are lost: once, and three times again."""


class LostError(IndexerError):
    """The workers that ran a task were lost, again and again."""


def survey(order: Order, *outcomes: SliceOutcome) -> Survey:
    """Read the definitions of a release; the survey is kept in the store."""
    plan = survey_plan(order, outcomes)
    try:
        if (known := known_survey(order, plan)) is not None:
            return known
        with _Workshop(order, plan) as shop:
            found = _survey(shop)
    except (IndexerError, SbclError) as error:
        return Survey(problem=str(error))
    if found.problem is None or found.needed:  # else what was missing may be there the next time
        order.terms.store.write("surveys", plan.key, asdict(found))
    return found


def make_slice(wanted: SliceOrder, *outcomes: SliceOutcome) -> SliceOutcome:
    """Make the slice of a release after the ``outcomes`` of what it depends on, unless the store has it.

    Whatever does not load is a problem of the slice. If none can be made, the outcome says why.
    """
    order = wanted.order
    plan = slice_plan(wanted, outcomes)
    try:
        if (known := known_outcome(order, plan)) is not None:
            return known
        with _Workshop(order, plan) as shop:
            return known_outcome(order, plan) or _make_slice(shop)
    except (IndexerError, SbclError) as error:
        return failed(order, str(error), plan.closure)


def failed(order: Order, why: str, closure: dict[str, tuple[str, str]]) -> SliceOutcome:
    """The outcome of a release whose slice cannot be made."""
    report = LoadReport("failed", [], {order.name: why}, 0.0, transient=True)
    return SliceOutcome(str(order.definition), "", order.contents, report, closure)


def given_up(argument: Order | SliceOrder, why: str) -> Survey | SliceOutcome:
    """The result of a task that no worker could end, and why."""
    if isinstance(argument, Order):
        return Survey(problem=why)
    closure = {name: ("", contents) for name, contents in argument.order.closure}
    return failed(argument.order, why, closure)


# Where a task works


@dataclass(slots=True)
class _Tools:
    """What a task works with: its surroundings, the core of its base, and a folder for what it makes."""

    around: SliceSurroundings
    core: Path
    work: Path
    sources: SentSources | None


class _Workshop:
    """The place where one task works, alone with its key."""

    def __init__(self, order: Order, plan: Plan) -> None:
        self.order = order
        self.plan = plan
        self.site = site_of(order.terms)
        self._stack = ExitStack()

    def __enter__(self) -> _Workshop:
        terms, key = self.order.terms, self.plan.key
        self._stack.enter_context(self.site.scratch.alone(key))
        if terms.guarded:
            self._stack.enter_context(_attempt(terms, key))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def local(self, path: Path, sources: SentSources | None) -> Path:
        """The place of ``path``, one of the client's, on this machine."""
        return sources.local(path) if sources else path

    @contextmanager
    def tools(self) -> Iterator[_Tools]:
        """What the task works with."""
        order, plan, site = self.order, self.plan, self.site
        store, scratch, limits = order.terms.store, site.scratch, order.terms.limits
        code = compiled_code(site.sbcl, user_cache_folder())
        sources = SentSources(order.sources, store, scratch) if order.terms.sent else None
        if site.shared:
            fetch_compiled(plan.compiled, store, scratch)
        with scratch.work() as work:
            around = SliceSurroundings(
                site.sbcl,
                code,
                _places(order, scratch, work, sources),
                scratch.compiling(plan.key),
                limits.seconds,
                limits.megabytes,
                order.terms.tests,
            )
            with _original_paths(sources), base_in_use(around, plan, scratch) as core:
                yield _Tools(around, core, work, sources)


def site_of(terms: Terms) -> Site:
    """Where tasks run on this machine; raises SbclError."""
    return terms.site or _own_site()


@lru_cache(maxsize=1)
def _own_site() -> Site:
    scratch = Scratch(user_cache_folder() / "catalog")
    scratch.prepare()
    return Site(find_sbcl(), scratch, shared=True)


@contextmanager
def _original_paths(sources: SentSources | None) -> Iterator[None]:
    """Let what SBCL said name the files of the machine that sent the ``sources``."""
    try:
        yield
    except ImageError as error:
        if sources is None:
            raise
        raise ImageError(sources.original(str(error)), sources.original(error.output)) from error


def _places(order: Order, scratch: Scratch, work: Path, sources: SentSources | None) -> Path:
    """The list of the places of systems on this machine."""
    found = order.terms.store.local(order.places, scratch.folder)
    if found is None:
        raise LostError(f"{order.places} is no longer in the store {order.terms.store.location}.")
    if sources is None:
        return found
    here = work / "places"
    here.write_bytes(sources.places(found.read_bytes()))
    return here


@contextmanager
def _attempt(terms: Terms, key: str) -> Iterator[None]:
    """Note in the store that a worker has begun, until it ends; a worker that is lost leaves the note."""
    name = f"{key}-{terms.build}-"
    begun = sum(one.startswith(name) for one in terms.store.place.names("attempts"))
    if begun >= MOST_ATTEMPTS:
        raise LostError(f"It was given up: {begun} workers were lost while indexing it.")
    note = f"attempts/{name}{uuid.uuid4().hex}"
    terms.store.place.write(note, b"")
    try:
        yield
    finally:
        terms.store.place.remove(note)


# Surveys


def _survey(shop: _Workshop) -> Survey:
    order = shop.order
    systems: dict[str, SystemFacts] = {}
    surveyed = Surveyed([])
    problem = None
    with shop.tools() as tools:
        definition = shop.local(order.definition, tools.sources)
        with SliceImage(tools.around, tools.core, SURVEY, definition, tools.sources) as image:
            for record in image.records():
                if isinstance(record, System):
                    systems[record.name] = _facts_of(record)
                elif isinstance(record, Surveyed):
                    surveyed = record
                elif isinstance(record, Problem) and record.stage == "load":
                    problem = f"{record.condition}: {record.message}"
    return Survey(systems, surveyed.defined, surveyed.needed, problem)


def _facts_of(record: System) -> SystemFacts:
    files = [*record.files, *([record.definition] if record.definition else [])]
    return SystemFacts(
        record.version, record.licence, record.author, record.description, record.dependencies, files
    )


# Slices


def _make_slice(shop: _Workshop) -> SliceOutcome:
    order, plan, store = shop.order, shop.plan, shop.order.terms.store
    clock = time.monotonic()
    with shop.tools() as tools:
        new = tools.work / "slice.db"
        _write(new, shop, tools)
        report = replace(_report(new, time.monotonic() - clock), size=new.stat().st_size)
        store_slice(store, order.name, plan.key, new, tools.work)
    weight = share_compiled(plan.key, store, shop.site.scratch) if shop.site.shared else 0
    store.write("costs", cost_key(order.definition), {"seconds": report.seconds, "bytes": report.size})
    store.write("reports", plan.key, asdict(report))
    return SliceOutcome(str(order.definition), plan.key, plan.key, report, plan.closure, weight=weight)


def cost_key(definition: Path) -> str:
    """The key under which the store has what a release cost the last time."""
    return key_of(str(definition))


def store_slice(store: Store, release: str, key: str, new: Path, work: Path) -> None:
    """Move the slice ``new`` to the store, after the rows that a catalog takes from it."""
    rows = work / "rows.db"
    write_extract(new, rows)
    store.place.write(rows_name(key), gzip.compress(rows.read_bytes(), compresslevel=6, mtime=0))
    store.place.put(new, slice_name(release, key))


def _write(new: Path, shop: _Workshop, tools: _Tools) -> None:
    from ...write.assemble import write_index

    order, plan = shop.order, shop.plan
    build = Build(f"oblist catalog build, {order.name}", datetime.now(UTC), plan.key)
    definition = shop.local(order.definition, tools.sources)
    with SliceImage(tools.around, tools.core, to_dump(plan.omitted), definition, tools.sources) as image:

        def write() -> None:
            new.unlink(missing_ok=True)
            write_index(
                new,
                image.records(),
                build,
                lambda _: None,
                more_facts=lambda writer: {SLICE: _slice_fact(order, plan, writer.outside_packages())},
                symbols_last=True,
                texts=LocalTexts(tools.sources) if tools.sources else {},
            )

        image.made(write)
    append_checksums(new)
    sync(new)


def _slice_fact(order: Order, plan: Plan, outside: Sequence[str]) -> str:
    facts: Mapping[str, Any] = {
        "release": order.name,
        "definition": str(order.definition),
        "key": plan.key,
        "outside": outside,
    }
    return json.dumps(facts)


def _report(slice_: Path, seconds: float) -> LoadReport:
    with closing(sqlite3.connect(f"file:{quote(str(slice_))}?mode=ro", uri=True)) as connection:
        loaded = [name for (name,) in connection.execute("SELECT name FROM systems ORDER BY name")]
        rows = connection.execute(
            "SELECT subject, part, condition, message, path, line FROM problems"
            " WHERE stage = 'load' ORDER BY id"
        ).fetchall()
    failures = {subject: _shown(row) for subject, *row in rows}
    state = "loaded" if not failures else "partly" if loaded else "failed"
    transient = any(part == "definition file" or condition in TRANSIENT for _, part, condition, *_ in rows)
    return LoadReport(state, loaded, failures, round(seconds, 3), transient)


def _shown(row: Sequence[Any]) -> str:
    _, condition, message, path, line = row
    place = f" ({path}, line {line})" if path and line else ""
    return f"{condition}: {' '.join(message.split())}{place}"
