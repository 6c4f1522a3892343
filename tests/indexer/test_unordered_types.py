"""Function types are compared whatever the order of alternatives and of keyword arguments."""

from __future__ import annotations

import pytest

from oblist.indexer.check.unordered_types import in_any_order

ONE = "(FUNCTION ((OR (MEMBER NIL *) CONS) &KEY (:A |x (y|)) (VALUES (OR STRING NULL) &OPTIONAL))"


@pytest.mark.parametrize(
    ("other", "equal"),
    [
        ("(FUNCTION ((OR CONS (MEMBER * NIL)) &KEY (:A |x (y|)) (VALUES (OR NULL STRING) &OPTIONAL))", True),
        ("(FUNCTION ((OR CONS (MEMBER * T)) &KEY (:A |x (y|)) (VALUES (OR NULL STRING) &OPTIONAL))", False),
        ("(FUNCTION (CONS &KEY (:A |x (y|)) (VALUES (OR NULL STRING) &OPTIONAL))", False),
    ],
)
def test_only_the_order_of_alternatives_does_not_count(other: str, equal: bool) -> None:
    assert (in_any_order(ONE) == in_any_order(other)) is equal


def test_the_order_of_keyword_arguments_does_not_count() -> None:
    one = "(FUNCTION (B A &KEY (:X T) (:Y (FUNCTION (A B) T)) &ALLOW-OTHER-KEYS) T)"
    assert in_any_order(one) == in_any_order(
        one.replace("(:X T) (:Y (FUNCTION (A B) T))", "(:Y (FUNCTION (A B) T)) (:X T)")
    )
    assert in_any_order(one) != in_any_order(one.replace("B A", "A B"))
    assert in_any_order(one) != in_any_order(one.replace("(A B)", "(B A)"))


@pytest.mark.parametrize("value", [None, 1, "(OR B A)", "(FUNCTION (B A) T)"])
def test_everything_else_stays(value: object) -> None:
    assert in_any_order(value) == value
