"""A proof expects what a plan says of its own edits, and nothing else."""

from __future__ import annotations

from collections import Counter

import pytest

from oblist.query.refactor.plan import EditPlan, ExpectedFact
from oblist.query.refactor.proof.built import differences, expected, putting_back

PRICE, COST = ("SHOP", "PRICE"), ("SHOP", "COST")
IMPORT = ExpectedFact.use("imports", "TOOLS", "FLATTEN")
PLAN = EditPlan("price", {}, {}, gone=[ExpectedFact("export", PRICE)], new=[IMPORT])
BEFORE = {"export": Counter([PRICE, COST]), "use": Counter[tuple[object, ...]]()}


def test_what_an_edit_brings_and_takes_away_is_no_difference() -> None:
    after = {"export": Counter([COST]), "use": Counter([IMPORT.row])}
    assert [*differences(expected(BEFORE, PLAN), after)] == []
    assert BEFORE["export"] == Counter([PRICE, COST])


def test_more_or_less_than_that_is_one() -> None:
    less = {"export": Counter([PRICE, COST]), "use": Counter([IMPORT.row] * 2)}
    assert [*differences(expected(BEFORE, PLAN), less)] == [
        "new export: SHOP PRICE",
        "new use: imports TOOLS FLATTEN",
    ]
    more = {"export": Counter[tuple[str, str]](), "use": Counter[tuple[object, ...]]()}
    assert [*differences(expected(BEFORE, PLAN), more)] == [
        "gone export: SHOP COST",
        "gone use: imports TOOLS FLATTEN",
    ]


@pytest.mark.parametrize(
    ("said", "old"),
    [
        ("COST", "PRICE"),
        ("(COST &KEY COSTS)", "(PRICE &KEY COSTS)"),
        ("STORE::COST", "SHOP::PRICE"),
        ("(OR NULL STORE:BOX)", "(OR NULL SHOP:BOX)"),
        ("MY-STORE::*COST*", "MY-STORE::*COST*"),
        ("(&KEY ((:COST PRICE) 1))", "(&KEY (PRICE 1))"),
    ],
)
def test_new_names_are_put_back(said: str, old: str) -> None:
    assert putting_back({"COST": "PRICE", "STORE": "SHOP"})(said) == old
