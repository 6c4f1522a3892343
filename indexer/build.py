"""Image -> records -> a new file -> check -> rename over the old index."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool
from sqlalchemy.schema import CreateTable

from . import schema
from .check import contradictions
from .errors import ContradictionError, OutputError
from .format import APPLICATION_ID, FEATURE, FORMAT
from .fulltext import write_fulltext, write_views
from .image import Image, ImagePlan
from .lock import hold_lock
from .records import End, Record
from .write import Writer

Progress = Callable[[str], None]

# Nothing of a file that is not published yet needs saving: if the build dies, so does the file.
_BUILD_PRAGMAS = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {FORMAT}",
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA cache_size = -65536",
)

# Distinct definitions that call or expand a function, macro or setf function of that name.
_COUNT_CALLERS = """
    UPDATE definitions SET callers_count = counted.callers
    FROM (SELECT callee_id, callee_operator, count(DISTINCT caller_id) AS callers
          FROM symbol_references WHERE relation IN ('calls', 'macroexpands')
          GROUP BY callee_id, callee_operator) AS counted
    WHERE definitions.symbol_id = counted.callee_id
      AND definitions.operator IS counted.callee_operator
      AND definitions.kind IN ('function', 'generic-function', 'macro', 'setf-function', 'special-operator')
"""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a build made: the index, its rows, its size in bytes, and the seconds it took."""

    path: Path
    symbols: int
    definitions: int
    references: int
    problems: int
    seconds: float
    size: int


def build_index(
    output: Path, plan: ImagePlan, *, command: str, progress: Progress = lambda _: None
) -> Summary:
    """Build the index of the image that ``plan`` describes and publish it at ``output``.

    ``command`` is recorded as what built it; ``progress`` is told the stages. The old index stays
    whole and answers until the new one replaces it, and whenever the build fails. Raises
    IndexerError and its children, and lisp.sbcl.SbclError.
    """
    started = time.monotonic()
    output = output.absolute()
    _make_folder(output)
    with _output_errors(output), hold_lock(output):
        new = output.with_name(f".{output.name}.building")
        new.unlink(missing_ok=True)
        try:
            progress("starting SBCL")
            with Image(plan) as image:
                counts = _write_index(new, image.records(), command, progress)
            _sync(new)
            new.replace(output)
            _sync(output.parent)
        finally:
            new.unlink(missing_ok=True)
    return Summary(
        path=output, seconds=time.monotonic() - started, size=output.stat().st_size, **counts
    )


def _make_folder(output: Path) -> None:
    if output.is_dir():
        raise OutputError(f"{output} is a folder; name the file that the index goes to.")
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"The folder {output.parent} cannot be made: {error.strerror}.") from error


@contextmanager
def _output_errors(output: Path) -> Iterator[None]:
    """Turn what the file system and SQLite say about a full or closed disk into an OutputError."""
    try:
        yield
    except (OSError, DBAPIError, sqlite3.Error) as error:
        reason = error.orig if isinstance(error, DBAPIError) else error
        if isinstance(reason, OSError):
            reason = reason.strerror or reason
        raise OutputError(
            f"The index {output} cannot be written: {reason}. "
            "Make room or name another place with --output; an index that was there is unchanged."
        ) from error


def _write_index(
    path: Path, records: Iterable[Record], command: str, progress: Progress
) -> dict[str, int]:
    """Write ``records`` as a complete index to the new file ``path``; gives the rows' numbers."""
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool)

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _: object) -> None:
        for pragma in _BUILD_PRAGMAS:
            connection.execute(pragma)

    with engine.connect() as connection:
        writer, end = _write_records(connection, records, progress)
        progress("making indexes")
        for index in schema.INDEXES:
            index.create(connection)
        connection.exec_driver_sql(_COUNT_CALLERS)
        connection.commit()
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        progress("full text")
        write_fulltext(raw)
        write_views(raw)
        _write_meta(raw, writer, command)
        progress("checking")
        found = contradictions(raw, expected=end)
        if found:
            raise ContradictionError(found)
        raw.execute("INSERT INTO meta VALUES ('complete', '1')")
        raw.commit()
        raw.execute("PRAGMA optimize")
    return writer.counts


def _write_records(
    connection: Connection, records: Iterable[Record], progress: Progress
) -> tuple[Writer, End]:
    # Not metadata.create_all: that would make the indexes too, which come when the rows are there.
    for table in schema.metadata.sorted_tables:
        connection.execute(CreateTable(table))
    writer = Writer(connection)
    end: End | None = None
    for number, record in enumerate(records):
        writer.write(record)
        if number % 500 == 0:
            counts = writer.counts
            progress(f"{counts['definitions']} definitions, {counts['references']} references")
        if isinstance(record, End):
            end = record
    writer.flush()
    assert end is not None, "Image.records ends with an end record or an error"
    return writer, end


def _write_meta(connection: sqlite3.Connection, writer: Writer, command: str) -> None:
    header = writer.header
    upper, lower = header.case_pairs
    facts = {
        "format": str(FORMAT),
        "feature": str(FEATURE),
        "oblist": version("oblist"),
        "sbcl": header.sbcl,
        "machine": header.machine,
        "features": " ".join(header.features),
        "systems": " ".join(header.systems),
        "case_upper": upper,
        "case_lower": lower,
        "built": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
    }
    connection.executemany("INSERT INTO meta VALUES (?, ?)", facts.items())
    connection.executemany("INSERT INTO descriptions VALUES (?, ?, ?)", schema.descriptions_rows())


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
