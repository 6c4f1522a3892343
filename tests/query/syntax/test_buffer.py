"""An edited text is read as if it were new, and what an edit spares is not read again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings

from oblist.query.syntax import buffer
from oblist.query.syntax.buffer import Buffer, Chunk
from oblist.query.syntax.nodes import Faults, Toplevel, forms_in
from oblist.query.syntax.reader import Reader, read
from support.forms.broken_texts import EDITS, FEATURES, PIECES, TEXTS
from support.forms.reread import buffer_as_made_afresh, edited_buffer


def shown(text: str) -> list[str]:
    """The chunks as they print, those that are broken with an exclamation mark."""
    chunks = Buffer(text, FEATURES).chunks
    return [repr(one.toplevel.node) + "!" * (not one.toplevel.whole) for one in chunks]


@settings(max_examples=400, deadline=None)
@given(text=TEXTS, edits=EDITS)
def test_an_edited_text_is_read_as_if_it_were_new(text: str, edits: list[tuple[float, float, str]]) -> None:
    edited_buffer(text, edits)


@pytest.mark.parametrize("furthest", [0, 7, 30])
def test_so_is_one_that_is_longer_than_the_reader_looks(
    furthest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buffer, "FURTHEST", furthest)
    monkeypatch.setattr(buffer, "_MOST_CREDIT", 4 * furthest)

    @settings(max_examples=200, deadline=None)
    @given(text=TEXTS, edits=EDITS)
    def check(text: str, edits: list[tuple[float, float, str]]) -> None:
        edited_buffer(text, edits)

    check()


@given(text=TEXTS)
def test_chunks_lie_in_order_and_hold_all_that_belongs_to_them(text: str) -> None:
    end = 0
    for one in Buffer(text, FEATURES).chunks:
        assert end <= one.start < one.end <= len(text)
        end = one.end
        assert one.toplevel.node.start == 0
        length = one.end - one.start
        assert all(form.start < form.end <= length for form in forms_in(one.toplevel.node))
        symbols = [text[one.start + atom.start :] for atom in one.toplevel.qualified]
        assert all(map(str.startswith, symbols, [atom.text for atom in one.toplevel.qualified]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a (b)\n(c)\n(d)", ["(a (b))!", "(c)", "(d)"]),
        ('(a "b)\n(c)\n(d)', ["(a)!", "(c)", "(d)"]),
        ("(a |b)\n(c)\n(d)", ["(a)!", "(c)", "(d)"]),
        ("(a #| b)\n(c)\n(d)", ["(a)!", "(c)", "(d)"]),
        ("#| b\n(c)\n(d)", ["(c)", "(d)"]),
        ('"b\n(c)\n(d)', ["(c)", "(d)"]),
        ('(a "b)\n(c "d e")\n(f "g")', ["(a)!", '(c "d e")', '(f "g")']),
        ('(a "b)\n(c " d")\n(f "g")', ["(a)!", '(c " d")', '(f "g")']),
        ("(a |b)\n(c |d|)\n(e)", ["(a)!", "(c |d|)", "(e)"]),
        ("(a #<b>)\n(c)", ["(a)!", "(c)"]),
        ("(a)))\n) (b)\n(c)", ["(a)", "(b)", "(c)"]),
        ('(a "\n(b) " c)\n(d)', ['(a "\n(b) " c)', "(d)"]),
        ("(a #|\n(b |# c)\n#|\n(d |#\n(e)", ["(a c)", "(e)"]),
        ("(a\n(b)\n(c))\n(d)", ["(a (b) (c))", "(d)"]),
        ("#-sbcl (a\n(b) [c)\n(d)", ["(d)"]),
        ("#+sbcl\n(a)\n#1=(b) ''c", ["(a)", "(b)", "''c"]),
        ("#!/bin/sh (\n(a)\n(b", ["(a)", "(b)!"]),
    ],
)
def test_what_is_broken_spoils_nothing_else(text: str, expected: list[str]) -> None:
    assert shown(text) == expected


def test_the_last_form_may_look_as_far_as_the_bound_only() -> None:
    far = "x " * (buffer.FURTHEST // 2)
    assert len(shown(f"(a\n(b) {far[:-20]})\n(c)")) == 2
    assert shown(f"(a\n(b) {far})\n(c)")[:2] == ["(a)!", "(b)"]


def test_broken_forms_use_up_the_looking_far_and_sound_ones_pay_for_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(buffer, "FURTHEST", 1000)
    monkeypatch.setattr(buffer, "_MOST_CREDIT", 4000)
    sound, broken, last = "(f x)\n" * 1000, "(a\n" * 1000, "(a\n(b))\n"
    assert shown(broken + last)[-1] != "(a (b))"
    assert shown(broken + sound + last)[-1] == "(a (b))"


def thousand() -> Buffer:
    return Buffer("".join(f'(defun f{i} (x)\n  "About {i}." (p:g{i} x))\n\n' for i in range(1000)), FEATURES)


def test_an_edit_reads_its_own_form_again(monkeypatch: pytest.MonkeyPatch) -> None:
    changing, seed = thousand(), random.Random(7)
    for one in changing.chunks:
        one.cached = changing.text[one.start : one.end]
    readings = 0
    forms = Reader.forms

    def counted(self: Reader, position: int) -> Iterator[Toplevel]:
        nonlocal readings
        readings += 1
        return forms(self, position)

    monkeypatch.setattr(Reader, "forms", counted)
    for edits in range(1, 101):
        chunk = changing.chunks[seed.randrange(1000)]
        before = list(changing.chunks)
        place = chunk.start + 7 + seed.randrange(2)
        changing.replace(place, place, "z")
        after = changing.chunks
        assert [one is other for one, other in zip(before, after, strict=True)].count(False) == 1
        assert readings <= 4 * edits
    kept = [one for one in changing.chunks if one.cached is not None]
    assert len(kept) > 850
    assert all(one.cached == changing.text[one.start : one.end] for one in kept)
    monkeypatch.undo()
    buffer_as_made_afresh(changing)


@pytest.mark.parametrize("typed", ["(", ")", '"', "|", "#|", "#<", "'", "\n(", "\\", "; c\n"])
def test_what_is_typed_within_a_form_spares_the_others(typed: str) -> None:
    changing = thousand()
    before = list(changing.chunks)
    place = before[500].start + 9
    changing.replace(place, place, typed)
    buffer_as_made_afresh(changing)
    now = {id(one) for one in changing.chunks}
    assert [i for i, one in enumerate(before) if id(one) not in now] == [500]
    changing.replace(place, place + len(typed), "")
    buffer_as_made_afresh(changing)
    assert {id(one) for one in before} - {id(one) for one in changing.chunks} == {id(before[500])}


@pytest.mark.parametrize("typed", ["; a comment\n", "\n\n", "(new)\n", "#| c |#", "atom "])
def test_what_is_typed_between_forms_spares_all(typed: str) -> None:
    changing = thousand()
    before = list(changing.chunks)
    for index in (0, 500, 999):
        place = changing.chunks[index].start
        changing.replace(place, place, typed)
        buffer_as_made_afresh(changing)
    changing.replace(len(changing.text), len(changing.text), typed)
    buffer_as_made_afresh(changing)
    assert {id(one) for one in before} <= {id(one) for one in changing.chunks}


def test_a_place_has_its_chunk() -> None:
    one, other = (changing := Buffer(" (a) (b)c\n", FEATURES)).chunks[:2]
    found = [changing.chunk_at(offset) for offset in range(len(changing.text) + 1)]
    assert found[:8] == [None, one, one, one, one, other, other, other]
    assert found[8:] == [changing.chunks[2], changing.chunks[2], None]
    assert Buffer("", FEATURES).chunk_at(0) is None
    open_form = Buffer("(a\n ", FEATURES)
    assert open_form.chunk_at(4) is open_form.chunks[0]


def test_sound_text_is_read_as_the_checker_reads_it() -> None:
    """Over the installed sources, if there are any; else over a sample."""
    sources = [*Path("/usr/share/sbcl-source/src/code").glob("*.lisp")][:40]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sources]
    texts.append("".join(PIECES[-5:]))
    compared = 0
    for text in texts:
        faults = Faults()
        expected = list(read(text, FEATURES, faults))
        if faults.found:
            continue
        chunks = Buffer(text, FEATURES).chunks
        assert len(chunks) == len(expected)
        for chunk, form in zip(chunks, expected, strict=True):
            compared += 1
            assert chunk.start == form.node.start and same(chunk, form)
    assert compared >= 3


def same(chunk: Chunk, form: Toplevel) -> bool:
    """Whether a chunk holds a form whose offsets count from the text's start."""
    if not form.whole:
        return not chunk.toplevel.whole
    ours = sorted(
        (chunk.start + one.start, one.end - one.start, one.kind) for one in forms_in(chunk.toplevel.node)
    )
    theirs = sorted((one.start, one.end - one.start, one.kind) for one in forms_in(form.node))
    return ours == theirs and repr(chunk.toplevel.node) == repr(form.node)
