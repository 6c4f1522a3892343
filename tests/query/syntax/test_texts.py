"""A text that has changed is read as if it were new, and its forms elsewhere stay what they were."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oblist.query.syntax.nodes import forms_in
from oblist.query.syntax.texts import ReadText, ReadTexts, changed
from support.amount import amount
from support.forms.broken_texts import EDITS, FEATURES, PIECES, TEXTS
from support.forms.reread import edited_texts, texts_as_made_afresh

SOUND = st.lists(st.sampled_from(["(a b)\n", "(defun f (p:x) #+sbcl y)\n", "; c\n", *PIECES]), max_size=40)


@settings(max_examples=amount(200, 10_000), deadline=None)
@given(text=TEXTS, edits=EDITS, looked_at=st.booleans())
def test_a_changed_text_is_read_as_if_it_were_new(
    text: str, edits: list[tuple[float, float, str]], looked_at: bool
) -> None:
    edited_texts(text, edits, looked_at=looked_at)


@settings(max_examples=amount(200, 10_000), deadline=None)
@given(text=SOUND.map("".join), edits=EDITS, looked_at=st.booleans())
def test_so_is_one_that_is_mostly_sound(
    text: str, edits: list[tuple[float, float, str]], looked_at: bool
) -> None:
    edited_texts(text, edits, looked_at=looked_at)


@pytest.mark.parametrize("strange", ["", "#L(strange)\n", "[strange]\n", "(strange #<x>)\n"])
@pytest.mark.parametrize("typed", ["z", " ", "\n", "(new)", '"new"', "'", "#+sbcl "])
def test_what_is_typed_in_a_form_reads_that_form_alone(typed: str, strange: str) -> None:
    draw = random.Random(3)
    text = strange + "".join(f"(defun f{i} (x)\n  (list 1 x))\n\n" for i in range(200))
    read = ReadText(text, FEATURES)
    for _ in range(20):
        before = {id(one) for one in read.forms}
        number = draw.randrange(2, len(read.forms) - 1)
        at = read.forms[number].end - len("1 x))")
        text = text[:at] + typed + text[at:]
        read = ReadText(text, FEATURES, read)
        new = [one.start for one in read.forms if id(one) not in before]
        # What cannot be read to its end lets nothing stay: a quote anywhere might end it.
        every = [one.start for one in read.forms]
        assert new == (every if "#<" in strange else [read.forms[number].start])
    texts_as_made_afresh(read)


@given(old=TEXTS, new=TEXTS)
def test_a_change_is_what_two_texts_do_not_share(old: str, new: str) -> None:
    start, end = changed(old, new)
    assert start <= end
    put = new[start : len(new) - (len(old) - end)]
    assert old[:start] + put + old[end:] == new
    assert old[start:end] != put or old == new


def test_the_last_texts_are_kept_by_their_names() -> None:
    texts = ReadTexts(FEATURES, most=2)
    one = texts.of("one", "(a)\n(b)\n")
    other = texts.of("other", "(c)\n")
    assert texts.of("one", "(a)\n(b)\n") is one
    changed_one = texts.of("one", "(a)\n\n(b)\n")
    assert changed_one.forms[0] is one.forms[0]
    texts.of("third", "(d)\n")  # instead of the one that was asked for longest ago
    assert texts.of("one", "(a)\n\n(b)\n") is changed_one
    assert texts.of("other", "(c)\n") is not other


def test_parts_of_forms_are_where_the_text_has_them() -> None:
    read = ReadText("(a)\n(b (c 'd) p:e)\n", FEATURES)
    for moves in ("; x\n", "(new)\n"):
        read = ReadText(moves + read.text, FEATURES, read)
    form = read.forms[-1].toplevel
    assert {read.text[one.start : one.end] for one in forms_in(form.node)} == {
        *("(b (c 'd) p:e)", "(c 'd)", "'d")
    }
    assert [read.text[one.start : one.end] for one in form.qualified] == ["p:e"]
