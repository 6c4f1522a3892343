"""Build an index and publish it, unless one that is there would come out the same."""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from oblist.lisp.build_records import BuildRecord

from ..image import Image, ImagePlan
from ..inputs import INPUTS, Request, inputs_fact, is_unchanged
from ..records import Problem
from .lock import hold_lock
from .publish import make_folder, output_errors, put_in_place, sync
from .snapshot import core_to_save, keep_core, keep_record

Progress = Callable[[str], None]
_SNAPSHOT_SECONDS = 60.0  # how long saving one may take after the index is there


@dataclass(frozen=True, slots=True)
class NotLoaded:
    """A system or file that would not load: why and where, and what loading it printed."""

    problem: Problem
    printed: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What a build made: the index, its rows, its size in bytes, and the seconds it took.

    ``not_loaded`` has what would not load, each with the end of what it printed. ``snapshot_size`` is
    in bytes; ``no_snapshot`` says why there is none. ``unchanged`` says that there was nothing to do.
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


def build_index(
    output: Path,
    plan: ImagePlan,
    *,
    command: str,
    progress: Progress = lambda _: None,
    store_sources: bool = True,
    snapshot: bool | None = None,
) -> Summary:
    """Build the index of the image that ``plan`` describes and publish it at ``output``.

    ``command`` is recorded as what built it; ``progress`` is told the stages; ``store_sources``
    says whether the text of the source files is stored as well; ``snapshot`` whether the loaded image
    is saved in the user's cache, to answer for values (False: only how to load it again; None: nothing
    is kept). The old index stays whole and answers until the new one replaces it, and whenever the
    build fails. Raises IndexerError and its children, and
    lisp.sbcl.SbclError.
    """
    started = time.monotonic()
    output = output.absolute()
    make_folder(output)
    build_id, began = secrets.token_hex(16), datetime.now(UTC)
    request = Request(plan, command, store_sources, snapshot)
    record = BuildRecord.of(
        build_id,
        output,
        plan.sbcl,
        plan.systems,
        plan.setup,
        sources=store_sources,
        snapshot=bool(snapshot),
    )
    with output_errors(output), hold_lock(output), core_to_save(bool(snapshot)) as core:
        new = output.with_name(f".{output.name}.building")
        new.unlink(missing_ok=True)
        try:
            progress("starting SBCL")
            with Image(plan, core) as image:
                # Imported while SBCL starts and loads: SQLAlchemy takes 0.2 s.
                from .assemble import write_index

                written = write_index(
                    new,
                    image.records(lambda number: progress(f"loading, {number} done")),
                    command,
                    progress,
                    build_id=build_id,
                    started=began,
                    store_sources=store_sources,
                    more_facts=lambda writer: {INPUTS: inputs_fact(request, writer.definition_paths)},
                )
                not_loaded = [
                    NotLoaded(problem, image.printed_while_loading(problem.subject))
                    for problem in written.not_loaded
                ]
                sync(new)
                # Before the index: who finds the index finds the record.
                reason = keep_record(record, snapshot)
                put_in_place(new, output)
                progress("saving a snapshot")
                image.wait(_SNAPSHOT_SECONDS)
                reason = reason or image.no_snapshot()
            kept = keep_core(record, core, reason)
        finally:
            new.unlink(missing_ok=True)
    return Summary(
        path=output,
        seconds=time.monotonic() - started,
        size=output.stat().st_size,
        not_loaded=not_loaded,
        snapshot_size=kept.size,
        no_snapshot=kept.reason,
        symbols=written.counts["symbols"],
        definitions=written.counts["definitions"],
        references=written.counts["references"],
        problems=written.counts["problems"],
    )


def unchanged_index(output: Path, request: Request) -> Summary | None:
    """The index at ``output`` when a build on ``request`` would change nothing; else None."""
    started = time.monotonic()
    output = output.absolute()
    if not is_unchanged(output, request):
        return None
    with closing(sqlite3.connect(f"file:{quote(str(output))}?mode=ro&immutable=1", uri=True)) as connection:
        tables = {"references": "symbol_references"}
        counts = {
            name: connection.execute(f"SELECT count(*) FROM {tables.get(name, name)}").fetchone()[0]
            for name in ("symbols", "definitions", "references", "problems")
        }
    return Summary(
        path=output,
        seconds=time.monotonic() - started,
        size=output.stat().st_size,
        not_loaded=[],
        unchanged=True,
        symbols=counts["symbols"],
        definitions=counts["definitions"],
        references=counts["references"],
        problems=counts["problems"],
    )
