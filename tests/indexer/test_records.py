"""Records are read back as written, and anything else is refused."""

from __future__ import annotations

import types
import typing
from dataclasses import fields

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oblist.indexer import records
from oblist.indexer.errors import RecordError
from oblist.indexer.records import End, Header, Record, read_record, write_record
from support.amount import amount

RECORD_TYPES: tuple[type[Record], ...] = typing.get_args(Record)
_EXAMPLES = settings(max_examples=amount(60, 400), deadline=None, derandomize=True)
# JSON texts hold no lone surrogates, and the numbers of an image fit 64 bits.
_TEXT = st.text(alphabet=st.characters(blacklist_categories=["Cs"]))
_INTEGER = st.integers(-(2**63), 2**63 - 1)
_ANY = st.one_of(st.none(), _INTEGER, _TEXT)


def _values(hint: object) -> st.SearchStrategy[object]:
    """Random values for a field of that type."""
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        return st.one_of([_values(part) for part in typing.get_args(hint)])
    if typing.get_origin(hint) is list:
        (element,) = typing.get_args(hint)
        return st.lists(_values(element), max_size=4)
    simple: dict[object, st.SearchStrategy[object]] = {
        int: _INTEGER,
        str: _TEXT,
        bool: st.booleans(),
        type(None): st.none(),
        typing.Any: _ANY,
    }
    return simple[hint]


def _random_record(cls: type[Record]) -> st.SearchStrategy[Record]:
    hints = typing.get_type_hints(cls)
    return st.builds(cls, **{field.name: _values(hints[field.name]) for field in fields(cls)})


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
    @given(_random_record(cls))
    def read_back(record: Record) -> None:
        line = write_record(record)
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert read_record(line) == record

    read_back()


@pytest.mark.parametrize("cls", RECORD_TYPES)
def test_a_record_without_a_field_that_it_needs_is_refused(cls: type[Record]) -> None:
    @settings(_EXAMPLES, max_examples=5)
    @given(_random_record(cls))
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


_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), _INTEGER, st.floats(allow_nan=False), _TEXT),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=10,
)
_RECORD_NAMES = st.one_of(st.sampled_from([cls.__name__.lower() for cls in RECORD_TYPES]), _JSON)


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


@_EXAMPLES
@given(st.one_of(st.binary(), _JSON.map(orjson.dumps)))
def test_garbage_raises_nothing_but_a_record_error(line: bytes) -> None:
    with pytest.raises(RecordError):
        read_record(line)


@settings(_EXAMPLES, max_examples=amount(150, 1000))
@given(st.dictionaries(_TEXT, _JSON, max_size=5), _RECORD_NAMES)
def test_an_object_that_calls_itself_a_record_raises_nothing_but_a_record_error(
    values: dict[str, object], name: object
) -> None:
    with pytest.raises(RecordError):
        read_record(orjson.dumps({**values, "record": name}))
