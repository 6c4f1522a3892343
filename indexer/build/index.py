"""Image -> records -> a new file -> check -> rename over the old index."""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from oblist.lisp.build_records import BuildRecord

from ..errors import OutputError
from ..format import make_folder_of
from ..image import Image, ImagePlan
from ..inputs import INPUTS, Request, inputs_fact, is_unchanged
from ..records import Problem
from .lock import hold_lock
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
    _make_folder(output)
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
    with _output_errors(output), hold_lock(output), core_to_save(bool(snapshot)) as core:
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
                _sync(new)
                # Before the index: who finds the index finds the record.
                reason = keep_record(record, snapshot)
                new.replace(output)
                _sync(output.parent)
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


def _make_folder(output: Path) -> None:
    if output.is_dir():
        raise OutputError(f"{output} is a folder; name the file that the index goes to.")
    try:
        make_folder_of(output)
    except OSError as error:
        raise OutputError(f"The folder {output.parent} cannot be made: {error.strerror}.") from error


@contextmanager
def _output_errors(output: Path) -> Iterator[None]:
    """Turn what the file system and SQLite say about a full or closed disk into an OutputError."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise _output_error(output, error) from error
    except Exception as error:
        # SQLAlchemy wraps the driver's errors; it is imported late, so it is known by what it wraps.
        original = getattr(error, "orig", None)
        if isinstance(original, sqlite3.Error):
            raise _output_error(output, original) from error
        raise


def _output_error(output: Path, error: OSError | sqlite3.Error) -> OutputError:
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return OutputError(
        f"The index {output} cannot be written: {reason}. "
        "Make room or name another place with --output; an index that was there is unchanged."
    )


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
