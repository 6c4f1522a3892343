"""Make an index of a stream of records that any Lisp may have written, and publish it."""

from __future__ import annotations

import secrets
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import IO
from urllib.parse import quote

from ..check.contradictions import contradictions
from ..checksums import append_checksums
from ..disk import output_errors
from ..layers.make import Progress
from ..stream.reading import named_source, records_of
from ..stream.rules import WHOLE, BrokenRuleError
from ..write.facts import Build
from .index import NotLoaded, Summary, beside
from .lock import hold_lock
from .publish import prepared, put_in_place, sync

_NO_SNAPSHOT = "records have no image"


def index_from_records(
    output: Path,
    stream: IO[bytes],
    name: str,
    *,
    command: str,
    progress: Progress = lambda _: None,
    store_sources: bool = True,
    overwrite: bool = False,
) -> Summary:
    """Make the index of the records in ``stream``, which is called ``name`` in messages, at ``output``.

    Nothing is loaded and no Lisp is started. ``command`` is recorded in the index, ``progress`` is called
    with each stage, ``store_sources`` stores the text of the Lisp files that the stream names, and
    ``overwrite`` replaces any file at ``output``, otherwise only an index. A stream that breaks a rule leaves
    the old index as it is. Raises BrokenRuleError and other IndexerErrors.
    """
    # SQLAlchemy takes 0.2 s to import.
    from ..write.assemble import write_index

    clock = time.monotonic()
    output = prepared(output, overwrite=overwrite)
    build = Build(command, datetime.now(UTC), secrets.token_hex(16))
    with hold_lock(output), beside(output) as new:
        try:
            with output_errors(output):
                writer = write_index(
                    new,
                    records_of(stream, name),
                    build,
                    progress,
                    store_sources=store_sources,
                    read=named_source,
                )
        except sqlite3.IntegrityError as error:
            wrong = f"its records contradict each other ({error})"
            raise BrokenRuleError(name, None, WHOLE, wrong) from error
        progress("checking the index")
        if found := _contradictions(new):
            raise BrokenRuleError(name, None, WHOLE, "; ".join(found[:3]))
        with output_errors(output):
            append_checksums(new)
            sync(new)
            put_in_place(new, output, overwrite=overwrite)
    return Summary(
        path=output,
        **writer.counts,
        seconds=time.monotonic() - clock,
        size=output.stat().st_size,
        not_loaded=[NotLoaded(problem, "") for problem in writer.not_loaded],
        snapshot_size=None,
        no_snapshot=_NO_SNAPSHOT,
        unchanged=False,
    )


def _contradictions(new: Path) -> list[str]:
    with closing(sqlite3.connect(f"file:{quote(str(new))}?mode=ro", uri=True)) as connection:
        return contradictions(connection)
