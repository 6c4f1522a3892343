"""Positions as clients count them, and offsets as an index does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position

from oblist.query.lsp.documents.lines import DocumentLines

_TEXT = st.text(alphabet="ab(\r\n\té😀𝒳", max_size=30)
_ENCODINGS = st.sampled_from(["utf-8", "utf-16", "utf-32"])
_UNITS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
_WIDTH = {"utf-8": 1, "utf-16": 2, "utf-32": 4}


@given(_TEXT, _ENCODINGS)
def test_every_offset_comes_back_from_its_position(text: str, encoding: str) -> None:
    lines = DocumentLines(text, encoding)
    for offset in range(len(text) + 1):
        # Between a carriage return and its line feed there is no position.
        inside = text[max(0, offset - 1) : offset + 1] == "\r\n" and offset > 0
        expected = offset - 1 if inside else offset
        assert lines.offset(lines.position(offset)) == expected


@given(_TEXT, _ENCODINGS)
def test_columns_count_the_units_of_the_encoding(text: str, encoding: str) -> None:
    lines = DocumentLines(text, encoding)
    for line, content in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
        units = len(content.encode(_UNITS[encoding])) // _WIDTH[encoding]
        end = lines.offset(Position(line, 10_000))
        assert lines.position(end) == Position(line, units)


@given(_TEXT, _TEXT, st.data())
def test_an_edit_leaves_what_reading_the_new_text_would_give(
    text: str, new: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    edited, fresh = (
        DocumentLines(text).replaced(start, end, new),
        DocumentLines(text[:start] + new + text[end:]),
    )
    assert edited.text == fresh.text
    for offset in range(len(fresh.text) + 1):
        assert edited.position(offset) == fresh.position(offset)


@pytest.mark.parametrize(
    ("position", "offset"),
    [((0, 99), 3), ((1, 0), 5), ((9, 9), 8), ((1, 1), 5), ((1, 2), 6)],
)
def test_positions_past_an_end_and_inside_a_character_are_moved(
    position: tuple[int, int], offset: int
) -> None:
    assert DocumentLines("abc\r\n😀b\n").offset(Position(*position)) == offset
