"""Lists in pages: joined they are the whole list, totals are true, and pages past the end are empty."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import DescribeAnswer, PackageAnswer
from oblist.query.questions.classes.answer import ClassAnswer
from oblist.query.questions.classes.text import class_text
from oblist.query.questions.package.text import package_text
from support.command import oblist
from support.starts.terminals import shown

PAGE = 7
BEYOND = 2**53 - 1  # the largest number that is taken


@pytest.fixture(scope="module")
def index(bare_index: Path) -> Iterator[Index]:
    with open_index(bare_index) as opened:
        yield opened


@pytest.fixture(scope="module")
def names(bare_index: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(bare_index)) as connection:
        yield connection


def package_of(index: Index, name: str, limit: int = 0, offset: int = 0) -> PackageAnswer:
    answer = index.package(f"|{name}|", limit=limit, offset=offset)
    assert isinstance(answer, PackageAnswer), answer
    return answer


def class_of(index: Index, name: str, package: str, limit: int = 0, offset: int = 0) -> ClassAnswer:
    answer = index.class_(f"|{name}|", f"|{package}|", limit=limit, offset=offset)
    assert isinstance(answer, ClassAnswer), answer
    return answer


def described(index: Index, name: str, limit: int = 0, offset: int = 0) -> DescribeAnswer:
    answer = index.describe(name, limit=limit, offset=offset)
    assert isinstance(answer, DescribeAnswer), answer
    return answer


def test_pages_of_exports_joined_are_the_exports(index: Index, names: sqlite3.Connection) -> None:
    of_several_pages = 0
    for (name,) in names.execute("SELECT name FROM packages").fetchall():
        whole = package_of(index, name)
        ((total,),) = names.execute(
            """SELECT count(*) FROM presences JOIN packages ON packages.id = package_id
               WHERE packages.name = ? AND status = 'external'""",
            (name,),
        )
        assert (whole.exports_total, len(whole.exports), whole.offset) == (total, total, 0), name
        assert [export.name for export in whole.exports] == sorted({one.name for one in whole.exports})
        of_several_pages += total > PAGE
        step = max(PAGE, total // 10)
        pages = [package_of(index, name, step, offset) for offset in range(0, total + step, step)]
        assert [export for page in pages for export in page.exports] == whole.exports
        assert all(len(page.exports) <= step for page in pages)
        for page in pages:  # everything else is the same on every page
            assert replace(page, exports=whole.exports, offset=0) == whole
        assert package_of(index, name, 0, 3).exports == whole.exports[3:]
    assert of_several_pages > 20


CLASS_LISTS = {
    "subclasses": "subclasses_total",
    "methods": "methods_total",
    "inherited_methods": "inherited_methods_total",
    "made_in": "made_total",
    "handled_in": "handled_total",
    "to_implement": "to_implement_total",
}


def test_pages_of_the_lists_of_a_class_joined_are_all_of_them(
    index: Index, names: sqlite3.Connection
) -> None:
    classes = names.execute(
        """SELECT DISTINCT symbols.name, packages.name FROM classes
           JOIN definitions ON definitions.id = class_id JOIN symbols ON symbols.id = definitions.symbol_id
           JOIN packages ON packages.id = symbols.package_id"""
    ).fetchall()
    of_several_pages = dict.fromkeys(CLASS_LISTS, 0)
    for name, package in classes:
        whole = class_of(index, name, package)
        assert whole.offset == 0
        lists = {one: getattr(whole, one) for one in CLASS_LISTS}
        assert {one: len(items) for one, items in lists.items()} == {
            one: getattr(whole, total) for one, total in CLASS_LISTS.items()
        }
        longest = max(map(len, lists.values()))
        step = max(PAGE, longest // 10)
        pages = [class_of(index, name, package, step, offset) for offset in range(0, longest + 1, step)]
        for one, items in lists.items():
            assert [item for page in pages for item in getattr(page, one)] == items, (name, one)
            assert max(len(getattr(page, one)) for page in pages) <= step
            of_several_pages[one] += len(items) > PAGE
        for page in pages:
            assert replace(page, **lists, offset=0) == whole
    assert len(classes) > 700
    assert min(of_several_pages.values()) >= 1, of_several_pages


@pytest.mark.parametrize(
    ("name", "at_least"),
    [
        ("print-object", 100),
        ("shared-initialize", 5),
        ("(setf sb-mop:class-name)", 1),
        ("mapcar", 1),
        (":test", 0),
    ],
)
def test_pages_of_definitions_joined_are_all_of_them(index: Index, name: str, at_least: int) -> None:
    whole = described(index, name)
    total = len(whole.definitions)
    assert total >= at_least
    assert (whole.definitions_total, whole.definitions_offset) == (total, 0)
    pages = [described(index, name, PAGE, offset) for offset in range(0, total + 1, PAGE)]
    assert [one for page in pages for one in page.definitions] == whole.definitions
    assert [page.definitions_offset for page in pages] == list(range(0, total + 1, PAGE))
    for page in pages:  # type, arglist, kinds and everything else come from all definitions
        assert len(page.definitions) <= PAGE
        assert replace(page, definitions=whole.definitions, definitions_offset=0) == whole


def test_an_offset_beyond_the_end_gives_an_empty_list_and_the_true_total(index: Index) -> None:
    package = package_of(index, "COMMON-LISP", 5, BEYOND)
    assert (package.exports, package.exports_total, package.offset) == ([], 978, BEYOND)
    whole = class_of(index, "T", "COMMON-LISP")
    found = class_of(index, "T", "COMMON-LISP", BEYOND, BEYOND)
    assert (found.subclasses, found.methods) == ([], [])
    assert (found.subclasses_total, found.methods_total) == (whole.subclasses_total, whole.methods_total)
    answer = described(index, "print-object", 5, BEYOND)
    assert answer.definitions == [] and answer.definitions_total > 100 and answer.kinds


def test_the_text_gives_the_total_and_how_to_continue(index: Index) -> None:
    lines = package_text(package_of(index, "CL", 3, 2)).splitlines()
    assert "  Symbols: 978 present, 978 exported" in lines
    assert lines[-1] == "... and 973 more: --offset 5"
    assert len([line for line in lines if line.startswith("    &")]) == 3
    assert "(offset=5, yes)" in package_text(package_of(index, "CL", 3, 2), "(offset={offset}, yes)")
    for limit, offset in ((0, 0), (978, 0), (3, 975), (3, BEYOND)):
        assert " more: " not in package_text(package_of(index, "CL", limit, offset))
    answer = class_of(index, "T", "CL", 2, 3)
    assert f"    ... and {answer.methods_total - 5} more: --offset 5" in class_text(answer).splitlines()
    assert f"... and {answer.subclasses_total - 5} more: offset=5" in class_text(answer, "offset={offset}")
    last = class_of(index, "T", "CL", 0, answer.subclasses_total)
    assert " more: " not in class_text(last) and f"  Subclasses: {answer.subclasses_total}" in class_text(
        last
    )


def test_the_commands_take_limit_and_offset(bare_index: Path, index: Index) -> None:
    whole = package_of(index, "KEYWORD")
    done = oblist("package", "keyword", "--json", "--index", bare_index)  # a pipe: everything
    assert len(json.loads(done.stdout)["exports"]) == whole.exports_total > 200
    done = oblist("package", "keyword", "--limit", "4", "--offset", "6", "--json", "--index", bare_index)
    shown = json.loads(done.stdout)
    assert [one["name"] for one in shown["exports"]] == [one.name for one in whole.exports[6:10]]
    assert (shown["exports_total"], shown["offset"]) == (whole.exports_total, 6)
    done = oblist("class", "t", "--offset", "1", "--limit", "1", "--json", "--index", bare_index)
    assert json.loads(done.stdout)["methods"][0]["written"] == class_of(index, "T", "CL").methods[1].written


@pytest.mark.parametrize("question", [("package", "keyword"), ("apropos", "a")])
def test_a_terminal_is_shown_200_unless_it_asks_for_more(question: tuple[str, str], bare_index: Path) -> None:
    lines = shown(*question, "--index", bare_index, width=1000).lines
    assert lines[-1].endswith(" more: --offset 200")
    assert len([line for line in lines if line.startswith("  ") and "  " in line.strip()]) == 200
    assert len(shown(*question, "--limit", "0", "--index", bare_index, width=1000).lines) > 250
    few = shown(*question, "--limit", "3", "--index", bare_index, width=1000).lines
    assert few[-1].endswith("--offset 3")
