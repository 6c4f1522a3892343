"""Answers tell what the text has, mark what a template will do, and claim nothing that was not looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import DescribeAnswer, NotFound, XrefAnswer
from oblist.query.questions.xref.text import xref_text
from support.builds.tested_version import since
from support.projects.told_truly import told_truly

Uses = set[tuple[str, str]]
# Setting a slot of a structure that is a list is a call there, which older ones compile into another.
_SINCE_2_6 = {
    name: {("use-st", "calls")} for name in ("st-slot", "st-other", "(setf st-slot)", "(setf st-other)")
}


@pytest.fixture(scope="module")
def built() -> Path:
    """A folder with the project, and its index."""
    return told_truly()


@pytest.fixture(scope="module")
def index(built: Path) -> Iterator[Index]:
    with open_index(built / "told.db") as opened:
        yield opened


def xref(index: Index, name: str, relation: str | None = None) -> XrefAnswer:
    answer = index.xref(name, "TOLD", relation=relation)
    assert isinstance(answer, XrefAnswer), answer
    return answer


def uses(index: Index, name: str, relation: str | None = None) -> Uses:
    """The callers in the project, each with the relation, and whether that is in a template."""
    return {
        (use.caller.removeprefix("told::"), use.relation + (" in a template" if use.in_template else ""))
        for use in xref(index, name, relation).references
        if use.path is not None and use.path.endswith("told.lisp")
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("red", {("colour", "names"), ("(variable told::*apple*)", "mentions")}),
        ("slow", {("told:show", "mentions")}),
        ("weary", {("told:show", "mentions")}),
        (":quick", {("told:show", "mentions"), ("(method told::pace ((eql :quick)))", "mentions"),
                    ("decided", "mentions")}),
        ("walking", {("(method told::pace ((eql walking)))", "names")}),
        ("round", {("(variable told::*apple*)", "mentions")}),
        ("ripe", {("(variable told::*table*)", "mentions")}),
        ("hard", {("(variable told::*table*)", "mentions")}),
        (":plain", {("(variable told::*table*)", "mentions")}),
        ("hd", {("use-hd", "calls"), ("use-hd", "names")}),
        ("(setf hd)", {("use-hd", "names")}),
        ("(setf far)", {("use-far", "names")}),
        ("st-slot", {("use-st", "calls"), ("use-st", "names")}),
        ("st-other", {("use-st", "calls"), ("use-st", "names")}),
        ("(setf st-slot)", {("use-st", "names")}),
        ("(setf st-other)", {("use-st", "names")}),
        ("kl-a", {("use-kl", "calls")}),
        ("(setf kl-a)", {("use-kl", "calls")}),
        ("trouble", {("fail", "instantiates in a template"), ("checked", "handles in a template"),
                     ("try", "handles"), ("try-both", "handles"),
                     ("(condition told::other-trouble)", "inherits")}),
        ("other-trouble", {("try", "handles")}),
        ("st", {("checked", "tests in a template")}),
        ("|x:y|", {("call-it", "calls"), ("within", "calls")}),
        ("y", set()),
        ("colour", {("twice", "calls")}),
        ("pace", {("decided", "calls")}),
    ],
)  # fmt: skip
def test_the_uses_are_those_that_the_text_has(index: Index, name: str, expected: Uses) -> None:
    assert uses(index, name) == (_SINCE_2_6.get(name, expected) if since("2.6") else expected)


def test_what_the_text_and_sbcl_both_tell_is_one_use(index: Index) -> None:
    assert [use.column for use in xref(index, "colour").references] == [22]
    calls = [use for use in xref(index, "cl:list", "calls").references if use.caller == "told::computed"]
    assert len(calls) == 2 and {use.told_by for use in calls} == {"sbcl"}


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("st-slot", {}),  # has those that set
        ("(setf st-slot)", {"told::st-slot": 2}),
        ("(setf hd)", {"told::hd": 1}),
        ("colour", {}),
    ],
)
def test_uses_of_the_other_function_name_are_counted(index: Index, name: str, others: dict[str, int]) -> None:
    answer = xref(index, name)
    assert answer.other_names == others
    for one, number in others.items():
        uses = f"1 use of {one} is" if number == 1 else f"{number} uses of {one} are"
        assert f"{uses} not included here" in xref_text(answer)


NO_USE = "and is not used anywhere in"
CODE = "the code of this index"
OWN = "the text of the project's own 1 file, other than as a local name, a word of LOOP or a feature"


@pytest.mark.parametrize(
    ("name", "relation", "said"),
    [
        ("only-here", None, f"told::only-here has no definition, {NO_USE} {CODE} or {OWN}"),
        ("y", None, "told::y is defined, and is not used anywhere in the code or text of the 2 files"),
        ("trouble", "tests", "told::trouble is not tested for anywhere in the code or text of the 2 files"),
        ("red", "calls", "told::red is not called anywhere in"),
    ],
)  # fmt: skip
def test_a_negative_answer_says_what_was_looked_at(
    index: Index, name: str, relation: str | None, said: str
) -> None:
    answer = xref(index, name, relation)
    assert answer.total == 0 and answer.reason is not None
    assert answer.reason.startswith(said), answer.reason


def test_a_relation_that_is_not_seen_names_the_others(index: Index) -> None:
    reason = xref(index, "trouble", "tests").reason
    assert reason is not None
    assert reason.endswith("It is used in other ways: instantiates 1, handles 3, inherits 1.")


def test_only_a_macro_has_an_expansion(index: Index) -> None:
    named = {
        use.in_expansion_of
        for name in ("|x:y|", "colour", "hd", "cl:car", "cl:list", "kl-a", "pace")
        for use in xref(index, name).references
    }
    assert len(named) > 3
    for one in named - {None}:
        answer = index.describe(str(one), "TOLD")
        assert isinstance(answer, DescribeAnswer) and "macro" in answer.kinds, one


def test_an_expander_does_not_tell_the_arguments_of_its_macro(index: Index) -> None:
    answer = index.describe("odd", "TOLD")
    assert isinstance(answer, DescribeAnswer)
    assert answer.arglist is None
    assert answer.note == "its arguments are not known: (setf macro-function) installed its expander"


@pytest.mark.parametrize(
    ("shown", "name"),
    [
        ("(method told::area (string cons))", "AREA"),
        ("(method (setf told::area) (t string))", "AREA"),
        ("(method told::pace ((eql :quick)))", "PACE"),
        ("(variable told::*apple*)", "*APPLE*"),
        ("(condition told::other-trouble)", "OTHER-TROUBLE"),
        ("told:show [function]", "SHOW"),
        ("TOLD::|x:y| [FUNCTION]", "x:y"),
        ("(setf told::hd)", "HD"),
    ],
)
def test_what_is_shown_can_be_typed(index: Index, shown: str, name: str) -> None:
    for answer in (index.describe(shown), index.definition(shown), index.xref(shown)):
        assert not isinstance(answer, NotFound), answer
        assert answer.name.removeprefix("(SETF ").removesuffix(")") == name


@pytest.mark.parametrize("text", ["(list told::area)", "(foo bar)", "(method)", "area [x"])
def test_a_form_is_no_name(index: Index, text: str) -> None:
    assert isinstance(index.describe(text, "TOLD"), NotFound)


def test_every_caller_that_is_shown_can_be_typed(index: Index) -> None:
    shown = {
        use.caller
        for name in ("cl:list", "cl:car", "colour", "cl:defun", "cl:setf", ":quick", "trouble", "cl:print")
        for use in xref(index, name).references
        if use.caller_kind is not None
    }
    assert len(shown) > 30
    for one in shown:
        assert not isinstance(index.describe(one), NotFound), one


@pytest.mark.parametrize("typed", ["told::UPPER", "told::Upper", "told::UPPeR"])
def test_a_name_in_other_case_is_the_first_suggestion(index: Index, typed: str) -> None:
    assert isinstance(index.describe(":upper"), DescribeAnswer)  # the same name elsewhere
    answer = index.describe(typed)
    assert isinstance(answer, NotFound)
    assert answer.suggestions[0] == "told::|upper|"


def test_a_name_in_other_case_that_is_nowhere_else_is_the_first_suggestion(index: Index) -> None:
    answer = index.describe("told::|X:Y|")
    assert isinstance(answer, NotFound)
    assert answer.suggestions[0] == "told::|x:y|"
