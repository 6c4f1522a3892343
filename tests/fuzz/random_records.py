"""Records with random values, and JSON that is none."""

from __future__ import annotations

import types
import typing
from dataclasses import fields

from hypothesis import strategies as st

from oblist.indexer.records import Record

RECORD_TYPES: tuple[type[Record], ...] = typing.get_args(Record)
# JSON texts hold no lone surrogates, and the numbers of an image fit 64 bits.
_TEXT = st.text(alphabet=st.characters(blacklist_categories=["Cs"]))
_INTEGER = st.integers(-(2**63), 2**63 - 1)
_ANY = st.one_of(st.none(), _INTEGER, _TEXT)
_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), _INTEGER, st.floats(allow_nan=False, allow_infinity=False), _TEXT),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=10,
)
NO_RECORDS = st.one_of(
    _JSON,
    st.builds(
        lambda values, name: {**values, "record": name},
        st.dictionaries(_TEXT, _JSON, max_size=5),
        st.one_of(st.sampled_from([cls.__name__.lower() for cls in RECORD_TYPES]), _JSON),
    ),
)
"""JSON that is no record, though some of it says that it is one."""


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


def random_record(cls: type[Record]) -> st.SearchStrategy[Record]:
    """Records of a type."""
    hints = typing.get_type_hints(cls)
    return st.builds(cls, **{field.name: _values(hints[field.name]) for field in fields(cls)})
