"""Records are read back as written, and anything else is refused."""

from __future__ import annotations

import typing

import orjson
import pytest
from fuzz.random_records import RECORD_TYPES, random_record
from hypothesis import given, settings

from oblist.indexer import records
from oblist.indexer.errors import RecordError
from oblist.indexer.records import End, Header, Record, read_record, write_record
from support.amount import amount

_EXAMPLES = settings(max_examples=amount(60, 400), deadline=None, derandomize=True)


def test_there_are_records_of_all_the_types_that_the_module_defines() -> None:
    defined = {
        value
        for value in vars(records).values()
        if isinstance(value, type) and value.__module__ == records.__name__
    }
    assert set(RECORD_TYPES) == defined
    assert {Header, End} < defined


@pytest.mark.parametrize("cls", RECORD_TYPES)
def test_a_record_that_was_written_is_read_back_equal(cls: type[Record]) -> None:
    @_EXAMPLES
    @given(random_record(cls))
    def read_back(record: Record) -> None:
        line = write_record(record)
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert read_record(line) == record

    read_back()


@pytest.mark.parametrize("cls", RECORD_TYPES)
def test_a_record_without_a_field_that_it_needs_is_refused(cls: type[Record]) -> None:
    @settings(_EXAMPLES, max_examples=5)
    @given(random_record(cls))
    def refuse(record: Record) -> None:
        values = orjson.loads(write_record(record))
        needed = [name for name in values if name != "record" and _is_needed(cls, name)]
        assert needed
        for name in needed:
            fewer = {key: value for key, value in values.items() if key != name}
            with pytest.raises(RecordError):
                read_record(orjson.dumps(fewer))
        with pytest.raises(RecordError):
            read_record(orjson.dumps({**values, "unheard-of": 1}))

    refuse()


def _is_needed(cls: type[Record], name: str) -> bool:
    hint = typing.get_type_hints(cls)[name]
    return type(None) not in typing.get_args(hint)


@pytest.mark.parametrize(
    "line",
    [
        *(
            b"",
            b"\n",
            b"null",
            b"1",
            b'"x"',
            b"[]",
            b"{}",
            b"{",
            b"\xff\xfe",
            b"[" * 100_000,
            b'{"record":1}',
        ),
        *(b'{"record":[]}', b'{"record":{}}', b'{"record":null}', b'{"record":"x"}', b'{"record":"end"}'),
        *(b'{"record":"Header"}', b'{"record":"record"}', b'{"record":"end"} {"record":"end"}'),
    ],
    ids=lambda line: repr(line[:30]),
)
def test_a_line_that_is_no_record_is_refused_and_shown(line: bytes) -> None:
    with pytest.raises(RecordError, match="SBCL sent a line that is not a record"):
        read_record(line)
