"""Tests are found and named as their runners take them, whatever macros make of them."""

from __future__ import annotations

import pytest

from oblist.query.affected.ask import TextPair, affected
from oblist.query.index.reading import Reading
from support.projects.framed import FILES, framed


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        # Tests that are functions can call one another.
        ("one () 1", "one () 2", {"framed::ones": "1am", "framed::both": "1am"}),
        ("two () 2", "two () 3", {"framed::both": "1am", "framed::child": "parachute"}),
        # A macro of the project names its test otherwise, and one form has two tests.
        (
            "three () 3",
            "three () 4",
            {"framed::check-threes": "1am", "framed::three-first": "rove", "framed::three-second": "rove"},
        ),
    ],
)
def test_the_names_of_tests(old: str, new: str, wanted: dict[str, str]) -> None:
    text = FILES["code.lisp"]
    assert text.count(old) == 1
    pairs = {f"{framed()}/code.lisp": TextPair(text, text.replace(old, new))}
    with Reading(framed() / ".oblist" / "oblist.db") as index:
        answer = affected(index, str(framed()), pairs)
    assert {name: one.test for one in answer.tests for name in one.runs} == wanted
    assert answer.tests_total == 5 and not answer.everything
