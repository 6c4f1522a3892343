"""Comparisons of lambda lists: each sort of change, and random pairs checked call by call."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oblist.query.diff.changes.function_types import compare_function_types
from oblist.query.diff.changes.lambda_lists import compare_arglists
from oblist.query.diff.findings import MINOR
from oblist.query.syntax.lambda_list import LambdaList
from oblist.query.syntax.printed import printed_lambda_list
from oblist.query.syntax.type_relation import TypeRelation, relation

CASES = (
    ("(A)", "(A B)", {("required-argument-added", "major", "B")}),
    ("(A B)", "(X A B)", {("required-argument-added", "major", "X")}),
    ("(A B)", "(A)", {("argument-removed", "major", "B")}),
    ("(A B)", "(B)", {("argument-removed", "major", "A"), ("arguments-reordered", "major", "B")}),
    ("(A B)", "(B A)", {("arguments-reordered", "major", "A, B")}),
    ("(A B)", "(A C)", {("argument-renamed", "patch", "C")}),
    ("(A &OPTIONAL B)", "(A B)", {("argument-made-required", "major", "B")}),
    ("(A B)", "(A &OPTIONAL B)", {("argument-made-optional", "minor", "B")}),
    ("(A)", "(A &OPTIONAL (B 1))", {("optional-added", "minor", "B")}),
    ("(A &OPTIONAL B C)", "(A &OPTIONAL B)", {("optional-removed", "major", "C")}),
    ("(A &OPTIONAL C)", "(A &OPTIONAL B C)", {("optional-added", "minor", "C"),
     ("arguments-reordered", "major", "C")}),
    ("(A &KEY K)", "(A &OPTIONAL B &KEY K)", {("optional-added", "major", "B")}),
    ("(A)", "(A &REST R)", {("rest-added", "minor", "&REST")}),
    ("(A &REST R)", "(A)", {("rest-removed", "major", "&REST")}),
    ("(A . R)", "(A &BODY R)", {("lambda-list", "patch", None)}),
    ("(A &REST R)", "(A &REST R &KEY)", {("rest-removed", "major", "&REST")}),
    ("(A)", "(A &KEY K)", {("keyword-added", "minor", ":K")}),
    ("(A &KEY K L)", "(A &KEY L)", {("keyword-removed", "major", ":K")}),
    ("(A &KEY K L)", "(A &KEY L &ALLOW-OTHER-KEYS)", {("keyword-unnamed", "patch", ":K"),
     ("other-keys-allowed", "minor", "&ALLOW-OTHER-KEYS")}),
    ("(&KEY K &ALLOW-OTHER-KEYS)", "(&KEY K)", {("other-keys-refused", "major", "&ALLOW-OTHER-KEYS")}),
    ("(&KEY ((:K L)))", "(&KEY K)", {("lambda-list", "patch", None)}),
    ("(&KEY K)", "(&KEY ((:KK K)))", {("keyword-removed", "major", ":K"), ("keyword-added", "minor", ":KK")}),
    ("(&KEY (K 1))", "(&KEY (K 2))", {("default", "patch", ":K")}),
    ("(&KEY (K NIL))", "(&KEY K)", {("lambda-list", "patch", None)}),
    ("(&OPTIONAL (A \")(\") B)", "(&OPTIONAL (A \")(\"))", {("optional-removed", "major", "B")}),
    ("((A B) C)", "((A B D) C)", {("required-argument-added", "major", "D")}),
    ("((A &KEY K) C)", "((A &KEY K L) C)", {("keyword-added", "minor", ":L")}),
    ("(A C)", "((A) C)", {("argument-shape", "major", "(A)")}),
    ("(&WHOLE W A &ENVIRONMENT E)", "(A)", {("lambda-list", "patch", None)}),
    ("(A &AUX X)", "(A)", {("lambda-list", "patch", None)}),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), CASES)
def test_a_changed_lambda_list(old: str, new: str, expected: set[tuple[str, str, str | None]]) -> None:
    assert list(compare_arglists("function", old, old)) == []
    found = [(one.change, one.step, one.part) for one in compare_arglists("function", old, new)]
    assert set(found) == expected
    assert len(found) == len(expected)


def accepted(one: LambdaList, plain: int, keywords: tuple[str, ...], *, as_keywords: bool) -> bool:
    """Whether a call with ``plain`` positional arguments, then keywords, is valid (CLHS 3.5.1).

    ``as_keywords``: they must not be taken for positional arguments.
    """
    places = len(one.positional)
    if plain + 2 * len(keywords) < len(one.required):
        return False
    if keywords and plain < places and (as_keywords or not one.takes_anything_more):
        return False
    if one.takes_anything_more:
        return True
    if one.keywords is None:
        return not keywords and plain <= places
    return plain <= places and (one.allows_other_keys or set(keywords) <= set(one.defaults))


def printed(required: int, optional: int, rest: bool, keys: tuple[str, ...] | None, others: bool) -> str:
    names = [f"P{number}" for number in range(required + optional)]
    parts = names[:required] + (["&OPTIONAL", *names[required:]] if optional else [])
    parts += ["&REST", "R"] if rest else []
    if keys is not None:
        parts += ["&KEY", *keys, *(["&ALLOW-OTHER-KEYS"] if others else [])]
    return f"({' '.join(parts)})"


KEYS = st.none() | st.sets(st.sampled_from(("K", "L", "M"))).map(lambda names: tuple(sorted(names)))
LAMBDA_LISTS = st.builds(printed, st.integers(0, 3), st.integers(0, 3), st.booleans(), KEYS, st.booleans())


@settings(max_examples=300, deadline=None)
@given(LAMBDA_LISTS, LAMBDA_LISTS)
def test_a_change_is_breaking_exactly_if_it_breaks_a_call(old: str, new: str) -> None:
    before, after = printed_lambda_list(old), printed_lambda_list(new)
    names = [f":{name}" for name in "KLMX"]
    keywords = [chosen for size in range(3) for chosen in combinations(names, size)]
    meant = before.keywords is not None
    lost = [
        call
        for call in product(range(9), keywords)
        if accepted(before, *call, as_keywords=meant) and not accepted(after, *call, as_keywords=meant)
    ]
    found = list(compare_arglists("function", old, new))
    assert any(one.step == "major" for one in found) == bool(lost), (lost[:3], found)
    assert bool(found) == (old != new)


ABOVE = {
    "FIXNUM": {"FIXNUM", "INTEGER", "REAL", "NUMBER", "T"},
    "INTEGER": {"INTEGER", "REAL", "NUMBER", "T"},
    "REAL": {"REAL", "NUMBER", "T"},
    "STRING": {"STRING", "VECTOR", "ARRAY", "T"},
    "NULL": {"NULL", "SYMBOL", "LIST", "T"},
    "SYMBOL": {"SYMBOL", "T"},
    "FOO::BAR": {"FOO::BAR", "FOO::BASE", "STANDARD-OBJECT", "T"},
    "FOO::BASE": {"FOO::BASE", "STANDARD-OBJECT", "T"},
}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("T", "T", "same"),
        ("T", "FIXNUM", "narrower"),
        ("FIXNUM", "T", "wider"),
        (None, "T", "same"),
        ("INTEGER", "FIXNUM", "narrower"),
        ("INTEGER", "(INTEGER 0 10)", "narrower"),
        ("(INTEGER 0 10)", "INTEGER", "wider"),
        ("(INTEGER 0 10)", "(INTEGER 0 11)", "unknown"),
        ("INTEGER", "UNSIGNED-BYTE", "narrower"),
        ("INTEGER", "STRING", "unrelated"),
        ("(OR NULL STRING)", "STRING", "narrower"),
        ("STRING", "(OR NULL STRING)", "wider"),
        ("(OR STRING NULL)", "(OR NULL STRING)", "same"),
        ("BOOLEAN", "SYMBOL", "wider"),
        ("FOO:BASE", "FOO::BAR", "narrower"),
        ("FOO:MY-TYPE", "STRING", "unknown"),
        ("(SATISFIES EVENP)", "INTEGER", "unknown"),
    ],
)
def test_the_relation_of_two_types(old: str | None, new: str, expected: str) -> None:
    found = relation(old, new, lambda name: frozenset(ABOVE.get(name, ())))
    assert found is TypeRelation(expected)


@pytest.mark.parametrize("section", ["", "&OPTIONAL ", "&KEY "])
def test_the_types_of_all_arguments_are_compared_whole(section: str) -> None:
    def written(kind: str) -> str:
        return f"(FUNCTION ({section}{f'(:A {kind})' if section == '&KEY ' else kind}) T)"

    old, new = written("(OR NULL STRING)"), written("(OR NULL INTEGER STRING)")
    found = list(compare_function_types("f", old, new, lambda name: frozenset(ABOVE.get(name, ()))))
    assert [(one.change, one.step, one.old, one.new) for one in found] == [
        ("argument-type", MINOR, "(OR NULL STRING)", "(OR NULL INTEGER STRING)")
    ]
