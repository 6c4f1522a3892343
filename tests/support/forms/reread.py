"""A text that was edited is read again as if it were new: what must hold of it."""

from __future__ import annotations

from collections.abc import Sequence

from oblist.query.syntax import buffer
from oblist.query.syntax.buffer import Buffer, Chunk, alike
from oblist.query.syntax.texts import ReadText
from support.forms.broken_texts import FEATURES


def numbers(chunks: Sequence[Chunk]) -> list[tuple[int, int, buffer.Known]]:
    return [(one.start, one.end, one.known) for one in chunks]


def edited_buffer(text: str, edits: list[tuple[float, float, str]]) -> Buffer:
    """A buffer after edits, each at a fraction of its text; after each it is as one made afresh."""
    changing = Buffer(text, FEATURES)
    for where, share, new in edits:
        start = round(where * len(changing.text))
        end = min(len(changing.text), start + round(share * len(changing.text)))
        expected = changing.text[:start] + new + changing.text[end:]
        spared = {one.start: one for one in changing.chunks if one.end < start}
        moved = len(new) - (end - start)
        spared |= {one.start + moved: one for one in changing.chunks if one.start > end}
        texts = [(one, changing.text[one.start : one.end]) for one in changing.chunks]
        changing.replace(start, end, new)
        assert changing.text == expected
        buffer_as_made_afresh(changing)
        for one in changing.chunks:
            other = spared.get(one.start, one)
            assert (
                other is one
                or one.end - one.start != other.end - other.start
                or not alike(one.toplevel, other.toplevel)
            )
        now = {id(one): expected[one.start : one.end] for one in changing.chunks}
        assert all(now.get(id(one), text) == text for one, text in texts)
    return changing


def buffer_as_made_afresh(changed: Buffer) -> None:
    afresh = Buffer(changed.text, FEATURES)
    assert numbers(changed.chunks) == numbers(afresh.chunks)
    assert all(
        alike(one.toplevel, other.toplevel) for one, other in zip(changed.chunks, afresh.chunks, strict=True)
    )


def texts_as_made_afresh(read: ReadText) -> None:
    afresh = ReadText(read.text, FEATURES)
    assert [(one.start, one.text) for one in read.forms] == [(one.start, one.text) for one in afresh.forms]
    assert read.faults.found == afresh.faults.found
    assert read.faults.strange == afresh.faults.strange
    for one, other in zip(read.forms, afresh.forms, strict=True):
        assert alike(one.toplevel, other.toplevel)
        assert one.names == other.names
        assert one.toplevel.node.start == one.start


def edited_texts(text: str, edits: list[tuple[float, float, str]], *, looked_at: bool) -> None:
    read = ReadText(text, FEATURES)
    for where, share, new in edits:
        start = round(where * len(text))
        end = min(len(text), start + round(share * len(text)))
        text = text[:start] + new + text[end:]
        read = ReadText(text, FEATURES, read)
        if looked_at:  # else the forms move more than once before anybody asks where their parts are
            texts_as_made_afresh(read)
    texts_as_made_afresh(read)
