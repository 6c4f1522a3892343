"""Streams of records from any producer: an index is made, or an error names the line and the rule."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fuzz.random_records import RECORD_TYPES, random_record
from fuzz.target import Check, Target
from fuzz.texts import JSON
from hypothesis import strategies as st

from oblist.indexer.check.contradictions import contradictions
from oblist.indexer.checksums import append_checksums
from oblist.indexer.records import write_record
from oblist.indexer.stream.reading import named_source, records_of
from oblist.indexer.stream.rules import BrokenRuleError
from oblist.indexer.write.assemble import write_index
from oblist.indexer.write.facts import Build
from oblist.query import open_index
from support.checkout import ROOT

_EXAMPLE: list[dict[str, Any]] = [
    json.loads(line)
    for line in (ROOT / "docs" / "pages" / "example.records").read_text(encoding="utf-8").splitlines()
]
_BUILD = Build("fuzz", datetime.now(UTC))
_PLACES = st.integers(0, len(_EXAMPLE) - 1)
_FIELDS = st.sampled_from(sorted({name for one in _EXAMPLE for name in one}))
_SMALL = st.one_of(st.integers(-1, 6), st.none(), st.sampled_from(["NAME", "PARTY", "class", "", "/", "\0"]))
_VALUES = st.one_of(
    _SMALL, JSON, st.lists(_SMALL, max_size=4), st.lists(st.lists(_SMALL, max_size=10), max_size=3)
)
_CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("set"), _PLACES, _FIELDS, _VALUES),
        st.tuples(st.just("drop"), _PLACES),
        st.tuples(st.just("again"), _PLACES),
        st.tuples(st.just("swap"), _PLACES, _PLACES),
        st.tuples(
            st.just("put"),
            _PLACES,
            st.one_of([random_record(cls) for cls in RECORD_TYPES]).map(
                lambda one: write_record(one).decode()
            ),
        ),
    ).map(list),
    max_size=3,
)


def _changed(changes: list[Any]) -> bytes:
    """The example with these changes."""
    lines = [json.dumps(one) for one in _EXAMPLE]
    for what, place, *more in changes:
        if place >= len(lines):
            continue
        if what == "set":
            with suppress(ValueError):  # a line that was put there
                lines[place] = json.dumps({**json.loads(lines[place]), more[0]: more[1]})
        elif what == "drop":
            del lines[place]
        elif what == "again":
            lines.insert(place, lines[place])
        elif what == "put":
            lines.insert(place, more[0].rstrip("\n"))
        elif more[0] < len(lines):
            lines[place], lines[more[0]] = lines[more[0]], lines[place]
    return "".join(f"{line}\n" for line in lines).encode()


@contextmanager
def _opened(folder: Path) -> Iterator[Check]:
    path = folder / "party.db"

    def check(case: list[Any]) -> None:
        try:
            records = list(records_of(io.BytesIO(_changed(case)), "party.records"))
        except BrokenRuleError as error:
            assert str(error).startswith("party.records, line ")
            assert f"Rule {error.rule.number} of docs/formats/records.md" in str(error)
            return
        path.unlink(missing_ok=True)
        try:
            write_index(path, records, _BUILD, lambda _: None, read=named_source)
        except sqlite3.IntegrityError:  # which the command takes for a broken rule about the whole
            return
        with closing(sqlite3.connect(path)) as connection:
            if contradictions(connection):
                return
        append_checksums(path)
        with open_index(path) as opened:
            for name in ("party:greet", "party:guest"):
                opened.describe(name)
                opened.xref(name)
                opened.class_(name)

    yield check


TARGET = Target("streams", _CHANGES, _opened, short=40)
