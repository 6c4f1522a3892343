"""The lines that SBCL's dump sends: each is a record, or refused with a RecordError."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
from fuzz.random_records import NO_RECORDS, RECORD_TYPES, random_record
from fuzz.target import Check, Target
from hypothesis import strategies as st

from oblist.indexer.errors import RecordError
from oblist.indexer.records import read_record, write_record

_RECORDS = st.one_of([random_record(cls) for cls in RECORD_TYPES]).map(write_record)
_CUT = st.builds(lambda line, share: line[: round(share * len(line))], _RECORDS, st.floats(0, 1))
_OTHER = st.builds(
    lambda line, share, put: line[: round(share * len(line))] + put + line[round(share * len(line)) + 1 :],
    _RECORDS,
    st.floats(0, 1),
    st.sampled_from(
        [b"", b"\0", b'"', b"\\", b"{", b"]", b",", b"\xff", b"null", b"1e999", b"\\ud800", b"[" * 2000]
    ),
)
_LINES = st.one_of(_RECORDS, _CUT, _OTHER, st.binary(), NO_RECORDS.map(orjson.dumps))


@contextmanager
def _opened(_: Path) -> Iterator[Check]:
    def check(case: str) -> None:
        line = case.encode("latin-1")
        try:
            record = read_record(line)
        except RecordError as error:
            assert "SBCL sent a line that is not a record" in str(error)
            return
        assert read_record(write_record(record)) == record

    yield check


TARGET = Target("records", _LINES.map(lambda line: line.decode("latin-1")), _opened, short=60)
