"""The first sentence of a documentation string."""

from __future__ import annotations

import pytest

from oblist.query.index.sentence import first_sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, None),
        ("", None),
        (" \n\t\n", None),
        ("Return the car.", "Return the car."),
        ("Send a request to\n  the server.  Then wait.", "Send a request to the server."),
        ("no full stop\nat all\n\nAnother paragraph.", "no full stop at all"),
        ("\n\nLeading blank lines. More.", "Leading blank lines."),
        ("Lists, e.g. (1 2), are read. More.", "Lists, e.g. (1 2), are read."),
        ("Uses version 1.2 of it, i.e. the old one! Yes.", "Uses version 1.2 of it, i.e. the old one!"),
        ("(Is it so?) It is.", "(Is it so?)"),
        ("word " * 100, "word " * 39 + "word ..."),
    ],
)
def test_the_first_sentence_is_whole_and_on_one_line(text: str | None, sentence: str | None) -> None:
    assert first_sentence(text) == sentence
