"""Refresh: the base of a project -> its index, with what the project is made of by now.

An image of the base loads the project, as a build does that finds everything compiled: what only the
compiler saw is in no index (lisp/refresh.lisp). The result replaces the index by rename.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from lisp.sbcl import COMPILED_HERE, Setup, start_refresh

from .base import Base, Progress
from .errors import ContradictionError, ImageError, IndexerError
from .image import Image, ImagePlan
from .records import End, Problem, Record

_PRAGMAS = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA cache_size = -65536",
    "PRAGMA temp_store = MEMORY",
)


class ProjectBrokenError(IndexerError):
    """The project does not compile or load; ``problem`` says what, and where."""

    def __init__(self, problem: Problem) -> None:
        place = f" ({problem.path}, line {problem.line})" if problem.path and problem.line else ""
        message = " ".join(problem.message.split())
        super().__init__(f"{problem.subject} did not load: {problem.condition}: {message}{place}")
        self.problem = problem


class RefreshImage(Image):
    """A saved base that loads the project and dumps it, or saves it as ``core``."""

    def __init__(
        self,
        base: Base,
        systems: Sequence[str],
        setup: Setup,
        *,
        changed: Sequence[str] | None = None,
        core: Path | None = None,
    ) -> None:
        project = setup.project
        assert project is not None, "there is a base for projects only"
        self._start(
            ImagePlan(base.sbcl, systems, setup),
            lambda records, output: start_refresh(
                base.sbcl, base.code, base.core, project, records, output, changed=changed, snapshot=core
            ),
        )


def write_refreshed(
    base: Base,
    new: Path,
    systems: Sequence[str],
    setup: Setup,
    *,
    facts: Mapping[str, str],
    changed: Sequence[str] | None = None,
    progress: Progress = lambda _: None,
    store_sources: bool = True,
) -> None:
    """Write the index of the project as it is now to the file ``new``, on a copy of its base.

    ``facts`` are what it shall say about itself besides what the image says; ``changed`` are the sources
    whose compiled files may be of an earlier state, None when that is not known. Raises
    ProjectBrokenError, ImageError, ContradictionError, and what the driver raises.
    """
    started = datetime.now(UTC)
    progress("loading")
    with ThreadPoolExecutor(1) as copying:
        copied: Future[object] = copying.submit(shutil.copyfile, base.index, new)
        with RefreshImage(base, systems, setup, changed=changed) as image:
            try:
                records = _begun(image)
            except ImageError:
                if image.ended_with() != COMPILED_HERE:
                    raise
                records = None
            copied.result()
            if records is not None:
                _write(new, records, facts, started, store_sources)
                return
    # It had to compile in itself, for a thread ran that a fork would have lost; now all is compiled.
    with RefreshImage(base, systems, setup, changed=()) as image:
        _write(new, _begun(image), facts, started, store_sources)


def _begun(image: Image) -> Iterator[Record]:
    """The records of an image, of which there is one at least."""
    records = image.records()
    return chain([next(records)], records)


def _raise_if_broken(record: Record) -> None:
    if isinstance(record, Problem) and record.stage == "load":
        raise ProjectBrokenError(record)


def _write(
    new: Path, records: Iterator[Record], facts: Mapping[str, str], started: datetime, store_sources: bool
) -> None:
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    from .refresh_writer import RefreshWriter

    engine = create_engine(f"sqlite:///{new}", poolclass=NullPool)
    with engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        for pragma in _PRAGMAS:
            raw.execute(pragma)
        raw.execute("DELETE FROM meta WHERE name = 'complete'")
        writer = RefreshWriter(connection, store_sources=store_sources)
        end: End | None = None
        for record in records:
            _raise_if_broken(record)
            writer.write(record)
            if isinstance(record, End):
                end = record
        assert end is not None, "Image.records ends with an end record or an error"
        _check(raw, end)
        told = {
            **facts,
            "features": " ".join(writer.header.features),
            "started": started.isoformat(timespec="seconds"),
            "built": datetime.now(UTC).isoformat(timespec="seconds"),
            "complete": "1",
        }
        raw.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", told.items())
        raw.commit()


def _check(connection: sqlite3.Connection, end: End) -> None:
    """That the counts are those of the image; a whole check takes longer than all the rest."""
    wrong = []
    for table in ("packages", "symbols"):
        ((number,),) = connection.execute(f"SELECT count(*) FROM {table}")
        if number != getattr(end, table):
            wrong.append(f"{table}: {number} rows, but the image has {getattr(end, table)}")
    if wrong:
        raise ContradictionError(wrong)
