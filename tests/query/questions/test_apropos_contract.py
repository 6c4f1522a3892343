"""The text contract of apropos, rule by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import AproposAnswer, NotFound
from oblist.query.index.not_found import not_found_text
from oblist.query.questions.apropos.text import apropos_text
from support.contract_sample import SAMPLE, contract_sample


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with open_index(contract_sample()[0]) as opened:
        yield opened


def _found(index: Index, pattern: str, package: str | None = SAMPLE, **how: int | str) -> AproposAnswer:
    answer = index.apropos(pattern, package, **{"scope": "present", **how})  # type: ignore[arg-type]
    assert isinstance(answer, AproposAnswer), answer
    return answer


def test_several_hits_are_counted_and_listed_after_a_blank_line(index: Index) -> None:
    assert apropos_text(_found(index, "-door")) == "\n".join(
        [
            "Found 2 symbols matching '-door':",
            "",
            "  CONTRACT-SAMPLE::OPEN-DOOR [FUNCTION]",
            "  CONTRACT-SAMPLE::WITH-DOOR [MACRO]",
        ]
    )


def test_one_hit_is_one_symbol(index: Index) -> None:
    expected = "Found 1 symbol matching 'With-Door':\n\n  CONTRACT-SAMPLE::WITH-DOOR [MACRO]"
    assert apropos_text(_found(index, "With-Door")) == expected


def test_no_hit_is_said_with_the_blank_line_and_nothing_else(index: Index) -> None:
    assert apropos_text(_found(index, "nowhere-at-all")) == "Found 0 symbols matching 'nowhere-at-all':\n"


def test_odd_names_and_homeless_symbols_are_listed_raw_under_the_package_asked_in(index: Index) -> None:
    assert "  CONTRACT-SAMPLE::new\\nline [FUNCTION]" in apropos_text(_found(index, "NEW\n"))
    assert "Found 1 symbol matching 'NEW\\n':" in apropos_text(_found(index, "NEW\n"))
    assert "  CONTRACT-SAMPLE::odd Name [FUNCTION]" in apropos_text(_found(index, "odd"))
    assert apropos_text(_found(index, "homeless")).endswith("\n  CONTRACT-SAMPLE::HOMELESS [FUNCTION]")


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("macro", ["WITH-DOOR"]),
        ("generic-function", ["AREA"]),
        ("class", ["BOTH", "SHAPE"]),
        ("variable", ["*VARIABLE*", "+CONSTANT+"]),
        ("function", ["OPEN-DOOR"]),
        ("FUNCTION", ["OPEN-DOOR"]),
    ],
)
def test_the_type_filter_goes_by_the_same_classification(index: Index, kind: str, names: list[str]) -> None:
    answer = _found(index, "", scope="external", type=kind)
    assert [match.name for match in answer.matches] == names
    assert {match.type for match in answer.matches} == {kind.lower()}


@pytest.mark.parametrize("kind", ["method", "symbol", "", "Functions"])
def test_an_invalid_type_is_answered_with_the_valid_ones(index: Index, kind: str) -> None:
    answer = index.apropos("door", SAMPLE, kind)
    assert isinstance(answer, NotFound)
    assert answer.error == "invalid-type"
    valid = "function, macro, variable, class, generic-function"
    assert not_found_text(answer) == answer.message == f"Invalid type: {kind}. Valid types: {valid}"


def test_an_unknown_package_is_an_answer_of_apropos_too(index: Index) -> None:
    answer = index.apropos("door", "nonexistent")
    assert isinstance(answer, NotFound)
    assert answer.message == "Package NONEXISTENT not found"


def test_a_limit_leaves_the_count_true_and_says_how_many_more_there_are(index: Index) -> None:
    whole = _found(index, "")
    assert whole.total > 10
    cut = apropos_text(_found(index, "", limit=3)).split("\n")
    assert cut[:-1] == apropos_text(whole).split("\n")[:5]
    assert cut[0] == f"Found {whole.total} symbols matching '':"
    assert re.search(rf"\b{whole.total - 3} more\b.*\boffset 3\b", cut[-1])


def test_a_limit_that_cuts_nothing_says_nothing(index: Index) -> None:
    whole = _found(index, "door")
    for limit in (0, whole.total, whole.total + 1):
        assert apropos_text(_found(index, "door", limit=limit)) == apropos_text(whole)
