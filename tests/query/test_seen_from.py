"""Answers whose names are written as code in one package writes them: commands, tools and Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import (
    AproposAnswer,
    ClassAnswer,
    DefinitionTextAnswer,
    DescribeAnswer,
    NotFound,
    PackageAnswer,
    SearchAnswer,
    SeenExport,
    SeenMatch,
    XrefAnswer,
)
from oblist.query.index.standpoint.advice import advised
from oblist.query.index.standpoint.package import SeenPackage
from oblist.query.index.written import written
from oblist.query.tools.registry import registry
from support.agents.tool_calls import called, executing
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system
from support.command import write_system
from support.command_line import run_main

SOURCE = """
(defpackage :tools
  (:use :cl)
  (:nicknames :implements)
  (:export #:flatten #:page #:|Odd| #:only #:page-mark #:one #:two #:three #:four))
(in-package :tools)
(defun flatten (x) "Make X flat." x)
(defun page (x) (flatten x))
(defun (setf page) (new x) (setf (car x) new))
(defun only (x) (page x))
(defun |Odd| (x) x)
(defun inner (x) x)
(defclass page-mark () ((place :accessor page-mark-place)))

(defpackage :app
  (:use :cl)
  (:local-nicknames (#:l #:tools))
  (:shadow #:flatten))
(in-package :app)
(defun flatten (y) (l:flatten y))
(defpackage :empty (:use) (:import-from :tools #:only))
(defpackage :user (:use :cl :tools))
(defpackage :clash (:use :cl))
(intern "FLATTEN" :clash)
"""


def _build(folder: Path) -> None:
    sources = folder / "sources"
    write_system(sources, "seen", SOURCE)
    build_with_system("seen", sources, folder / "oblist.db", small_sbcl())


@pytest.fixture(scope="module")
def path() -> Path:
    return kept("seen", _build) / "oblist.db"


@pytest.fixture
def index(path: Path) -> Iterator[Index]:
    with open_index(path) as opened:
        yield opened


def described(index: Index, name: str, package: str) -> DescribeAnswer:
    answer = index.seen_from(package).describe(name)
    assert isinstance(answer, DescribeAnswer)
    return answer


@pytest.mark.parametrize(
    ("name", "package", "typed", "lines"),
    [
        ("tools:flatten", "user", "flatten", []),
        ("tools::inner", "user", "tools::inner", ["(:import-from #:tools #:inner)"]),
        ("tools:|Odd|", "user", "|Odd|", []),
        ("tools:|Odd|", "app", "l:|Odd|", ["(:import-from #:tools #:|Odd|)"]),
        ("(setf tools:page)", "app", "(setf l:page)", ["(:import-from #:tools #:page)"]),
        ("(setf tools:page)", "empty", "(cl:setf tools:page)", ["(:import-from #:tools #:page)"]),
        ("tools:only", "empty", "only", []),
        ("car", "empty", "cl:car", ["(:import-from #:cl #:car)"]),
        ("car", "app", "car", []),
        (":test", "app", ":test", []),
        ("app::flatten", "app", "flatten", []),
        ("tools:flatten", "clash", "tools:flatten", ["(:local-nicknames (#:t #:tools))"]),
        ("tools:flatten", "app", "l:flatten", []),
    ],
)
def test_a_name_is_as_code_in_the_package_writes_it(
    index: Index, name: str, package: str, typed: str, lines: list[str]
) -> None:
    answer = described(index, name, package)
    assert answer.written == typed
    assert answer.seen_from is not None
    assert (answer.seen_from.package, answer.seen_from.add) == (package.upper(), lines)


def test_a_local_nickname_of_the_package_is_read_as_it_was_written(index: Index) -> None:
    hidden = index.describe("l:flatten")
    assert isinstance(hidden, NotFound)
    assert hidden.error == "package-not-found"
    written_so = described(index, "tools:flatten", "app").written
    assert written_so == "l:flatten"
    answer = described(index, written_so, "app")
    assert (answer.package, answer.name) == ("TOOLS", "FLATTEN")
    app = index.seen_from("app")
    callers = app.xref("(setf l:page)")
    assert isinstance(callers, XrefAnswer)
    package = app.package("l")
    assert isinstance(package, PackageAnswer)
    assert package.name == "TOOLS"


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("tools", "this is a package"),
        ("Implements", "this is a package, with the nickname Implements"),
        ("l", "this is a package, with the nickname l"),
    ],
)
def test_the_definition_of_a_package_is_shown_by_all_its_names(index: Index, name: str, note: str) -> None:
    assert isinstance(index.definition("l"), NotFound)
    answer = index.seen_from("app").definition(name)
    assert isinstance(answer, DefinitionTextAnswer)
    assert (answer.name, answer.note) == ("TOOLS", note)
    assert answer.text.endswith(
        SOURCE[SOURCE.index("(defpackage :tools") : SOURCE.index("(in-package :tools")].strip()
    )
    assert [place.kind for place in answer.definitions] == ["package"]


def test_a_symbol_comes_before_a_package_of_its_name(index: Index) -> None:
    answer = index.definition("page", "tools")
    assert isinstance(answer, DefinitionTextAnswer)
    assert answer.note is None
    assert isinstance(index.definition("tools::tools"), NotFound)


def test_a_package_argument_may_be_a_local_nickname(index: Index) -> None:
    assert isinstance(index.describe("flatten", "l"), NotFound)
    answer = index.seen_from("app").describe("flatten", "l")
    assert isinstance(answer, DescribeAnswer)
    assert answer.package == "TOOLS"


def test_what_has_the_name_in_the_package_is_named(index: Index) -> None:
    for package, how in (("app", "app::flatten (shadowing)"), ("clash", "clash::flatten (present)")):
        seen = described(index, "tools:flatten", package).seen_from
        assert seen is not None
        assert seen.obstacles == [f"flatten already means {how}, so an import would conflict"]
    seen = described(index, "clash::flatten", "user").seen_from
    assert seen is not None
    assert seen.obstacles == ["flatten already means tools:flatten (inherited), so an import would conflict"]
    seen = described(index, "tools:flatten", "sb-ext").seen_from
    assert seen is not None
    assert (seen.obstacles, seen.add) == (["SB-EXT is locked"], [])


def test_a_symbol_in_no_package_cannot_be_written(index: Index) -> None:
    answer = described(index, "car", "app")
    index.standpoint = standpoint = SeenPackage(index, "APP")
    form = written(index, "GONE", None, None)
    assert form == "#:gone"
    index.standpoint = None
    seen = advised(standpoint, DescribeAnswer(**{**_fields(answer), "written": form})).seen_from
    assert seen is not None
    assert (seen.obstacles, seen.add) == (["gone is in no package, so it cannot be written in code"], [])


def _fields(answer: DescribeAnswer) -> dict[str, object]:
    return {name: getattr(answer, name) for name in answer.__dataclass_fields__}


def test_every_name_of_an_answer_is_written_for_the_package(index: Index) -> None:
    app = index.seen_from("app")
    uses = app.xref("tools:page")
    assert isinstance(uses, XrefAnswer)
    assert (uses.written, {use.caller for use in uses.references}) == ("l:page", {"l:only", "toplevel form"})
    one = app.class_("tools:page-mark")
    assert isinstance(one, ClassAnswer)
    assert (one.written, one.slots[0].readers) == ("l:page-mark", ["l::page-mark-place"])
    found = app.search("flat")
    assert isinstance(found, SearchAnswer)
    assert {match.written for match in found.matches} >= {"l:flatten", "flatten"}
    listed = app.apropos("flatten", "tools")
    assert isinstance(listed, AproposAnswer)
    assert [match.written for match in listed.matches if isinstance(match, SeenMatch)] == ["l:flatten"]
    assert listed.seen_from is not None and "app::flatten" in listed.seen_from.obstacles[0]
    exports = app.package("tools")
    assert isinstance(exports, PackageAnswer)
    written_there = {one.written for one in exports.exports if isinstance(one, SeenExport)}
    assert written_there >= {"l:flatten", "l:|Odd|"}


def test_what_is_missing_for_many_names_is_a_nickname(index: Index) -> None:
    answer = index.seen_from("clash").package("tools")
    assert isinstance(answer, PackageAnswer)
    assert answer.seen_from is not None
    assert answer.seen_from.add == ["(:local-nicknames (#:t #:tools))"]
    few = index.seen_from("empty").apropos("page", "tools", scope="external")
    assert isinstance(few, AproposAnswer) and few.seen_from is not None
    assert few.seen_from.add == ["(:import-from #:tools #:page #:page-mark)"]


def test_without_a_package_names_are_in_full(index: Index) -> None:
    assert described(index, "tools:flatten", "app").written == "l:flatten"
    answer = index.describe("tools:flatten")
    assert isinstance(answer, DescribeAnswer)
    assert (answer.written, answer.seen_from) == ("tools:flatten", None)
    matches = index.apropos("flatten", "tools")
    assert isinstance(matches, AproposAnswer)
    assert matches.matches and not isinstance(matches.matches[0], SeenMatch)


def test_an_unknown_package_is_answered_with_corrections(index: Index, path: Path) -> None:
    unknown = index.seen_from("toolz").describe("car")
    assert isinstance(unknown, NotFound)
    assert (unknown.error, unknown.suggestions) == ("package-not-found", ["tools"])
    run = run_main("describe", "car", "--seen-from", "toolz", "--index", str(path))
    assert (run.code, run.output.splitlines()[0]) == (1, "Package TOOLZ not found")
    assert "Did you mean: tools?" in run.output
    run = run_main("apropos", "car", "--seen-from", "toolz", "--index", str(path), "--json")
    assert (run.code, json.loads(run.output)["error"]) == (1, "package-not-found")
    with executing(path) as executor:
        result = called(executor, "symbol_definition", symbols="car", seen_from="toolz")
        assert result.success
        assert result.content.splitlines()[0] == "Package TOOLZ not found"
        assert "l:flatten" not in called(executor, "describe_symbol", name="tools:flatten").content


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("describe", "tools:flatten"), "l:flatten [FUNCTION]"),
        (("apropos", "flatten", "-p", "tools"), "  l:flatten [FUNCTION]"),
        (("search", "flat"), "  l:flatten [FUNCTION]  Make X flat."),
        (("definition", "tools:flatten"), "# l:flatten"),
        (("xref", "tools:page"), "l:only [function]"),
        (("xref", "tools:page", "--depth", "1"), "Callers of l:page, 1 shown"),
        (("class", "tools:page-mark"), "l:page-mark [CLASS]"),
        (("package", "tools"), "    l:flatten (X)  Make X flat."),
        (("examples", "tools:flatten"), "l:flatten: 2 of 2 uses"),
    ],
)
def test_commands_show_the_names_and_what_would_be_shorter(
    path: Path, arguments: tuple[str, ...], line: str
) -> None:
    run = run_main(*arguments, "--seen-from", "app", "--index", str(path))
    assert run.code == 0, run.errors
    assert line in run.output.splitlines()
    assert run.output.splitlines()[-1].startswith(
        ("Seen from APP: flatten already means", "For shorter names, add to APP: ")
    )
    answer = json.loads(run_main(*arguments, "--seen-from", "app", "--index", str(path), "--json").output)
    assert (answer[0] if isinstance(answer, list) else answer)["seen_from"]["package"] == "APP"


def test_several_indexes_have_no_standpoint(path: Path, bare_index: Path) -> None:
    run = run_main("describe", "car", "--seen-from", "app", "--index", str(path), "--index", str(bare_index))
    assert run.code == 2
    assert "--seen-from takes one index" in run.errors


TAKING = [
    tool.name for tool in registry if any(parameter.name == "seen_from" for parameter in tool.parameters)
]
ARGUMENTS = {
    "apropos_search": {"pattern": "flatten", "package": "tools"},
    "search_documentation": {"query": "flat"},
    "symbol_definition": {"symbols": "tools:flatten"},
    "describe_package": {"name": "tools"},
    "describe_class": {"name": "tools:page-mark"},
}


def test_the_tools_that_answer_with_names_take_a_package() -> None:
    assert len(TAKING) == 8


@pytest.mark.parametrize("tool", TAKING)
def test_tools_write_names_for_the_package(path: Path, tool: str) -> None:
    arguments = ARGUMENTS.get(tool, {"name": "tools:flatten"})
    with executing(path) as executor:
        result = called(executor, tool, seen_from="app", **arguments)
        assert result.success, result.error
        shown = json.dumps(result.structured)
        assert '"l:' in shown and '"tools:' not in shown
        assert any("APP" in note for note in result.notes)
        again = called(executor, tool, **arguments)
        assert '"l:' not in json.dumps(again.structured)


def test_a_standpoint_survives_a_new_build_of_the_index(index: Index) -> None:
    app = index.seen_from("app")
    for _ in range(2):
        answer = app.describe("tools:flatten")
        index.close()
    assert isinstance(answer, DescribeAnswer)
    assert answer.written == "l:flatten"
