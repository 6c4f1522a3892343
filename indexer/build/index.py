"""Build an index and publish it, unless the current one is up to date."""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from oblist.lisp.build_records import BuildRecord, BuildRecords

from ..checksums import append_checksums
from ..disk import output_errors
from ..errors import LockedError
from ..format import user_cache_folder
from ..image import Image, ImagePlan
from ..inputs import INPUTS, Request, first_hashes, inputs_fact, is_unchanged
from ..layers.core_and_index import Layer
from ..layers.image import ImageAbove
from ..layers.last_good import LastGood
from ..layers.make import Progress, TakeLibraries, has_libraries, loads_nothing, made_on_layer
from ..records import Problem, Record
from ..write.counts import counts
from ..write.facts import Build
from .lock import hold_lock, lock_path
from .publish import prepared, put_in_place, sync
from .snapshot import KeptSnapshot, core_to_save, keep_core, keep_record, link_core

if TYPE_CHECKING:
    from ..layers.write import WrittenIndex

_SNAPSHOT_SECONDS = 60.0  # for saving one after the index is published


@dataclass(frozen=True, slots=True)
class NotLoaded:
    """A system or file that did not load: why and where, and what loading it printed."""

    problem: Problem
    printed: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a build: the index, its rows, its size in bytes, and the seconds it took.

    ``problems`` leaves out the problems of SBCL's own sources, which every index has: ``sbcl_problems``.
    ``not_loaded`` lists what did not load, each with the end of its output. ``snapshot_size`` is in bytes;
    ``no_snapshot`` says why there is none. ``unchanged`` says that there was nothing to do.
    """

    path: Path
    symbols: int
    definitions: int
    references: int
    problems: int
    seconds: float
    size: int
    not_loaded: list[NotLoaded]
    snapshot_size: int | None = None
    no_snapshot: str | None = None
    unchanged: bool = False
    sbcl_problems: int = 0


def build_index(
    output: Path,
    plan: ImagePlan,
    *,
    command: str,
    progress: Progress = lambda _: None,
    warn: Progress = lambda _: None,
    store_sources: bool = True,
    snapshot: bool | None = None,
    overwrite: bool = False,
    from_scratch: bool = False,
) -> Summary:
    """Build the index of the image that ``plan`` describes and publish it at ``output``.

    ``command`` is recorded in the index; ``progress`` is called with each stage, and ``warn`` with what is
    known to be missing before it is loaded. ``store_sources`` stores the text of the source files as well.
    ``snapshot`` saves the loaded image in the user's cache, as a source of values (False: only how to load
    it again; None: nothing). ``overwrite`` replaces any file at ``output``, otherwise only an index.
    ``from_scratch`` dumps the whole image; otherwise it starts from a layer in the cache, which is made if
    necessary, and only what is newer is dumped, unless no layer can be made or used. The old index answers
    until the new one replaces it, and stays when the build fails. Raises IndexerError and its children, and
    lisp.sbcl.SbclError.
    """
    clock = time.monotonic()
    output = prepared(output, overwrite=overwrite)
    request = Request(plan, command, store_sources, snapshot)
    build = Build(command, datetime.now(UTC), secrets.token_hex(16))
    first = first_hashes(plan.setup)
    record = _build_record(output, request, build)
    with (
        output_errors(output),
        hold_lock(output),
        core_to_save(bool(snapshot)) as core,
        beside(output) as new,
    ):
        progress("starting SBCL")
        warned: set[str] = set()

        def warn_missing(libraries: str) -> None:
            if libraries not in warned:  # SBCL may be started several times
                warned.add(libraries)
                warn(f"missing: {libraries}")

        def made(
            plan: ImagePlan, libraries: TakeLibraries, base: Layer | None
        ) -> tuple[WrittenIndex, list[NotLoaded], KeptSnapshot]:
            def write() -> WrittenIndex:
                records = image.records(progress, warn_missing, libraries)
                return _write(new, records, base, request, first, build, progress)

            whole = base if loads_nothing(plan) else None  # its core has all values
            own = None if whole else core
            with ImageAbove(base, plan, own) if base else Image(plan, own) as image:
                written = image.made(write)
                not_loaded = [
                    NotLoaded(problem, image.printed_while_loading(problem.subject))
                    for problem in written.not_loaded
                ]
                # The record comes before the index: a reader that finds the index must find the record too.
                reason = keep_record(record, snapshot)
                put_in_place(new, output, overwrite=overwrite)
                if base and has_libraries(base, plan):
                    with suppress(OSError, sqlite3.DatabaseError):  # it is for a watch that may follow
                        LastGood(output).keep(written.loaded, base)
                progress("saving the image for values")
                image.wait(_SNAPSHOT_SECONDS)
                why_not = image.no_snapshot()
                if whole and core:
                    why_not = why_not or link_core(whole, core)
            return (
                written,
                not_loaded,
                KeptSnapshot(None, reason) if reason else keep_core(record, core, why_not),
            )

        # A layer has the text of sources.
        alone = from_scratch or not store_sources
        written, not_loaded, kept = (
            made(plan, lambda _: None, None) if alone else made_on_layer(plan, progress, made)
        )
    return Summary(
        path=output,
        **written.counts,
        seconds=time.monotonic() - clock,
        size=output.stat().st_size,
        not_loaded=not_loaded,
        snapshot_size=kept.size,
        no_snapshot=kept.reason,
        unchanged=False,
    )


def _build_record(output: Path, request: Request, build: Build) -> BuildRecord:
    """The record of a build, for the user's cache."""
    plan = request.plan
    return BuildRecord.of(
        build.build_id,
        output,
        plan.sbcl,
        plan.systems,
        plan.setup,
        sources=request.store_sources,
        snapshot=bool(request.snapshot),
    )


@contextmanager
def beside(output: Path) -> Iterator[Path]:
    """A path beside ``output`` for the new index; anything left there is removed."""
    new = output.with_name(f".{output.name}.building")
    new.unlink(missing_ok=True)
    try:
        yield new
    finally:
        new.unlink(missing_ok=True)


def _clear_up(output: Path) -> None:
    """Remove what a build of ``output`` that was killed has left, unless another is at it."""
    if lock_path(output).exists():
        with suppress(LockedError, OSError), hold_lock(output), beside(output):
            BuildRecords(user_cache_folder()).clear_up()


def _write(
    new: Path,
    records: Iterable[Record],
    base: Layer | None,
    request: Request,
    first: Mapping[str, str],
    build: Build,
    progress: Progress,
) -> WrittenIndex:
    """Write ``records`` as a complete index to the file ``new``, and sync it.

    ``first`` is as for ``inputs_fact``.
    """
    # Imported while SBCL starts and loads: SQLAlchemy takes 0.2 s.
    from ..layers.write import write_on

    written = write_on(
        base,
        new,
        records,
        build,
        progress,
        more_facts=lambda paths: {INPUTS: inputs_fact(request, first, paths, build.started.timestamp())},
        store_sources=request.store_sources,
    )
    append_checksums(new)
    sync(new)
    return written


def unchanged_index(output: Path, request: Request) -> Summary | None:
    """A summary of the index at ``output`` if a build on ``request`` would not change it, else None."""
    clock = time.monotonic()
    output = output.absolute()
    if not is_unchanged(output, request):
        return None
    _clear_up(output)
    with closing(sqlite3.connect(f"file:{quote(str(output))}?mode=ro&immutable=1", uri=True)) as connection:
        counted = counts(connection)
    return Summary(
        path=output,
        **counted,
        seconds=time.monotonic() - clock,
        size=output.stat().st_size,
        not_loaded=[],
        snapshot_size=None,
        no_snapshot=None,
        unchanged=True,
    )
