"""Sentences of people find what they are about: the bounds are a little below what was measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.answers import SearchAnswer
from support.search_intents import HELD, TUNED, Intent

# Of those written down, as many in hundred have a symbol that would do among the first ten, and first.
AMONG_TEN, FIRST = 90, 60


@pytest.mark.full
def test_what_a_person_asks_for_is_among_the_first_ten(corpus_index: Path) -> None:
    ranks = [rank for intent in (*TUNED, *HELD) if (rank := _rank(corpus_index, intent)) is not None]
    asked = len(TUNED) + len(HELD)
    assert asked == 120
    assert len(ranks) * 100 >= AMONG_TEN * asked
    assert ranks.count(0) * 100 >= FIRST * asked


def _rank(path: Path, intent: Intent) -> int | None:
    """The place of the first symbol that would do among the first ten; None if there is none."""
    query, wanted = intent
    names = {name if ":" in name else f"common-lisp:{name}" for name in wanted.split()}
    with open_index(path) as index:
        answer = index.search(query, limit=10)
        assert isinstance(answer, SearchAnswer)
        found = [_plain(match.written) for match in answer.matches]
    return next((place for place, name in enumerate(found) if name in names), None)


def _plain(written: str) -> str:
    """A name with the nickname of UIOP's and others' packages that people know."""
    package, _, name = written.replace("::", ":").partition(":")
    return f"{package.partition('/')[0]}:{name}"
