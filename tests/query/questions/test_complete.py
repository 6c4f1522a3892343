"""The names that one may be typing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import CompleteAnswer, NotFound
from oblist.query.api import Index
from oblist.query.questions.complete.matching import matcher
from oblist.query.questions.complete.text import complete_text
from support.command_line import run_main
from support.live import printed_values


@pytest.fixture(scope="module")
def bare(bare_index: Path) -> Iterator[Index]:
    """The index of SBCL alone, open."""
    with open_index(bare_index) as index:
        yield index


def completed(index: Index, text: str, package: str = "CL-USER", **further: object) -> CompleteAnswer:
    answer = index.complete(text, package, **further)
    assert isinstance(answer, CompleteAnswer), answer
    return answer


def names(answer: CompleteAnswer) -> list[str]:
    return [one.written for one in answer.completions]


def test_names_are_those_that_the_package_has(bare: Index, sbcl: Sbcl) -> None:
    """Of all beginnings of three letters, the standard's names that begin so, as SBCL lists them."""
    form = '(let (names) (do-external-symbols (one :cl (format nil "~{~A~^ ~}" names)) (push one names)))'
    (printed,) = printed_values(sbcl, form)
    standard = printed.lower().split()
    assert len(standard) == 978
    for beginning in sorted({name[:3] for name in standard}):
        answer = completed(bare, beginning, limit=0)
        here = {one.written for one in answer.completions if one.accessible and one.package == "COMMON-LISP"}
        assert {one for one in here if one.startswith(beginning)} == {
            name for name in standard if name.startswith(beginning)
        }
        assert answer.total == len(answer.completions)


@pytest.mark.parametrize(
    ("text", "name", "match"),
    [
        ("multiple-value-b", "multiple-value-bind", "name"),
        ("m-v-b", "multiple-value-bind", "words"),
        ("mvb", "multiple-value-bind", "initials"),
        ("w-o-t-s", "with-output-to-string", "words"),
        ("PRINT-BAS", "*print-base*", "name"),
        ("*print-ba", "*print-base*", "name"),
        ("d-b", "destructuring-bind", "words"),
    ],
)
def test_the_first_is_the_one_that_was_meant(bare: Index, text: str, name: str, match: str) -> None:
    first = completed(bare, text).completions[0]
    assert (first.written, first.match) == (name, match)


def test_a_package_gives_what_it_exports_or_has(bare: Index) -> None:
    exported = completed(bare, "sb-ext:", limit=0)
    package = bare.package("sb-ext", limit=0)
    assert not isinstance(package, NotFound)
    assert {one.written.removeprefix("sb-ext:").upper() for one in exported.completions} == {
        one.name for one in package.exports
    }
    assert names(completed(bare, "sb-ext:run-p"))[0] == "sb-ext:run-program"
    internal = completed(bare, "sb-impl::spawn", limit=0)
    assert "sb-impl::spawn" in names(internal)
    assert names(completed(bare, "sb-impl:spawn")) == []


def test_a_colon_gives_keywords(bare: Index) -> None:
    found = names(completed(bare, ":if-do", limit=0))
    assert ":if-does-not-exist" in found and all(one.startswith(":if-do") for one in found)


def test_what_is_not_accessible_has_its_package(bare: Index) -> None:
    found = {one.written: one for one in completed(bare, "slot-definition-n", limit=0).completions}
    one = found["sb-mop:slot-definition-name"]
    assert not one.accessible and one.package == "SB-MOP" and one.arglist is not None
    inside = completed(bare, "slot-definition-n", "sb-mop", limit=0)
    assert "slot-definition-name" in names(inside)
    assert "sb-mop:" in names(completed(bare, "sb-mo", limit=0))


@pytest.mark.parametrize("text", ["arr", "str", "cha"])
def test_after_a_parenthesis_operators_come_first(bare: Index, text: str) -> None:
    operators = {"macro", "function", "generic-function"}
    found = completed(bare, text, at="operator", limit=0).completions
    here = [one.type in operators for one in found if one.accessible and one.written.startswith(text)]
    assert True in here and False in here and here == sorted(here, reverse=True)


def test_every_name_is_found_by_its_words(bare: Index) -> None:
    """Each name that COMMON-LISP exports, by two letters of each of its words."""
    package = bare.package("cl", limit=0)
    assert not isinstance(package, NotFound)
    several = [one.name.lower() for one in package.exports if "-" in one.name.strip("-*")]
    assert len(several) > 300
    for name in several:
        text = "-".join(word[:2] for word in name.strip("*&").split("-"))
        assert matcher(text)(name) is not None, (text, name)
        assert name in names(completed(bare, text, limit=0)), (text, name)


def test_texts_that_begin_no_name(bare: Index) -> None:
    answer = completed(bare, "no-such-name-at-all")
    assert (answer.total, complete_text(answer)) == (
        0,
        "No name in COMMON-LISP-USER begins with no-such-name-at-all.",
    )
    for package, text in (("no-such-package", "car"), ("CL-USER", "no-such-package:car")):
        unknown = bare.complete(text, package)
        assert isinstance(unknown, NotFound) and unknown.error == "package-not-found"
    for odd in ("", " ", ":", "::", "|", "(", "a:b:c", "%", "***", "m--", "\\"):
        assert isinstance(bare.complete(odd), CompleteAnswer | NotFound), odd


def test_the_command(bare_index: Path) -> None:
    status, text, errors = run_main("complete", "m-v-b", "--index", str(bare_index))
    assert (status, errors) == (0, "")
    assert text == "multiple-value-bind  (VARS VALUE-FORM &BODY BODY)  [macro]\n"
    status, text, errors = run_main("complete", "no-such-name", "--index", str(bare_index))
    assert (status, text) == (1, "No name in COMMON-LISP-USER begins with no-such-name.\n")
    status, text, _ = run_main("complete", "car", "--limit", "1", "--json", "--index", str(bare_index))
    assert status == 0 and [one["written"] for one in json.loads(text)["completions"]] == ["car"]
    status, text, _ = run_main("complete", "ca", "--limit", "2", "--index", str(bare_index))
    assert text.splitlines()[-1].startswith("... and ") and text.endswith(" more: --limit 0\n")
