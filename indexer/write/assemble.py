"""Records -> one complete, checked index in a new file."""

from __future__ import annotations

import gc
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from sqlalchemy import Connection

from ..check.contradictions import broken_rules, missing_rows
from ..errors import ContradictionError
from ..format import APPLICATION_ID, FEATURE, FORMAT
from ..left_out import LEFT_OUT
from ..own_schema import creating
from ..records import End, Header, Problem, Record
from ..schema import columns
from ..schema import tables as schema
from ..schema.fulltext import write_fulltext
from ..schema.views import VIEWS, write_views
from ..sources import Source, read_source
from .engine import engine_writing
from .facts import Build, moment
from .owners import own_packages
from .rows import RecordWriter
from .short_patterns import write_short_patterns

_PRAGMAS = (f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {FORMAT}")
_PROGRESS_RECORDS = 500
_CONTRADICTION = (
    "The data that the image gave for these contradict one another. Everything else is in the index."
)
_NO_TEXTS: Mapping[str, str] = {}


def write_index(
    path: Path,
    records: Iterable[Record],
    build: Build,
    progress: Callable[[str], None],
    *,
    store_sources: bool = True,
    more_facts: Callable[[RecordWriter], dict[str, str]] = lambda _: {},
    symbols_last: bool = False,
    texts: Mapping[str, str] = _NO_TEXTS,
    read: Callable[[str], Source | None] = read_source,
) -> RecordWriter:
    """Write ``records`` as a complete index to the new file ``path``; returns their writer.

    ``more_facts`` is called at the end for further rows of meta; ``symbols_last`` is for the stream of a
    slice; ``texts`` are the paths of source texts that are not at their own; ``read`` reads one. Rows that
    contradict each other become problems. Raises ContradictionError when the file would be of no use: links
    or rows are missing; and whatever the driver raises.
    """
    with engine_writing(path, _PRAGMAS).connect() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        derived = _Derived(raw)
        writer = RecordWriter(
            connection,
            store_sources=store_sources,
            symbols_last=symbols_last,
            texts=texts,
            with_symbols=derived.of_symbols,
            read=read,
        )
        with no_garbage_collection():
            end = _write_records(connection, writer, records, progress)
        progress("writing the search tables")
        derived.of_all()
        own_packages(raw)
        connection.commit()
        _write_meta(raw, {**_facts(writer.header), **build.facts(), **more_facts(writer)})
        _write_descriptions(raw)
        raw.commit()
        progress("checking the index")
        if found := missing_rows(raw, end):
            raise ContradictionError(found)
        for what, examples in broken_rules(raw):
            writer.write(contradiction(what, examples))
        writer.flush()
        _write_meta(raw, {"complete": "1"})
        raw.commit()
    return writer


class _Derived:
    """The indexes, the views and the full text of a new file, each made once."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw
        self._left = list(schema.INDEXES)

    def of_symbols(self) -> None:
        """Make what symbols and definitions have, whose rows are there: SBCL is still finding their uses."""
        for index in schema.INDEXES_OF_SYMBOLS:
            self._raw.execute(creating("index", str(index.name)))
            self._left.remove(index)
        write_views(self._raw, "index")
        write_fulltext(self._raw)

    def of_all(self) -> None:
        """Make what is not there yet."""
        if len(self._left) == len(schema.INDEXES):
            self.of_symbols()
        for index in self._left:
            self._raw.execute(creating("index", str(index.name)))
        write_short_patterns(self._raw)


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Pause the garbage collector: rows make no cycles, and scanning a million takes a third of the build."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _write_records(
    connection: Connection, writer: RecordWriter, records: Iterable[Record], progress: Callable[[str], None]
) -> End:
    for table in columns.metadata.sorted_tables:
        connection.exec_driver_sql(creating("index", table.name))
    end: End | None = None
    for record in told(records, writer.counts, progress):
        writer.write(record)
        if isinstance(record, End):
            end = record
    assert end is not None, "Image.records yields an end record or raises"
    return end


def told(
    records: Iterable[Record], counts: Mapping[str, int], progress: Callable[[str], None]
) -> Iterator[Record]:
    """Yield ``records``; report the ``counts`` so far to ``progress`` every few hundred records."""
    for number, record in enumerate(records):
        yield record
        if number % _PROGRESS_RECORDS == 0:
            progress(f"dumping: {counts['definitions']:,} definitions, {counts['references']:,} references")


def contradiction(what: str, examples: str) -> Problem:
    """The problem that rows contradict each other."""
    return Problem("check", examples, what, "CONTRADICTION", _CONTRADICTION)


def _facts(header: Header) -> dict[str, str]:
    """The facts in meta about this oblist and the dumped image."""
    upper, lower = header.case_pairs
    title, title_upper = header.titlecase_pairs
    return {
        "format": str(FORMAT),
        "feature": str(FEATURE),
        "oblist": version("oblist"),
        "implementation": header.implementation,
        "machine": header.machine,
        "features": " ".join(header.features),
        LEFT_OUT: json.dumps(header.left_out),
        "case_upper": upper,
        "case_lower": lower,
        "case_title": title,
        "case_title_upper": title_upper,
        "built": moment(datetime.now(UTC)),
    }


def _write_meta(connection: sqlite3.Connection, facts: dict[str, str]) -> None:
    connection.executemany("INSERT INTO meta VALUES (?, ?)", facts.items())


def _write_descriptions(connection: sqlite3.Connection) -> None:
    for rows in (schema.descriptions_rows(), *(view.descriptions() for view in VIEWS)):
        connection.executemany("INSERT INTO descriptions VALUES (?, ?, ?)", rows)
