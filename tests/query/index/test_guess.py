"""A bare name that is not accessible in CL-USER is taken for the only symbol that it plausibly means."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import DescribeAnswer, NotFound
from oblist.query.indexes import Indexes, open_indexes
from support.agents.tool_calls import called, executing
from support.amount import amount
from support.command_line import run_main
from support.projects.lost import lost_project

_SYMBOLS = """
SELECT symbols.name, packages.name, presences.status, coalesce(systems.asked, -1),
       (SELECT count(*) FROM definitions WHERE symbol_id = symbols.id)
FROM symbols JOIN packages ON packages.id = symbols.package_id
JOIN presences ON presences.symbol_id = symbols.id AND presences.package_id = packages.id
LEFT JOIN systems ON systems.id = packages.system_id
WHERE packages.name <> 'KEYWORD'
"""


@pytest.fixture
def index(libraries_index: Path) -> Iterator[Index]:
    with open_index(libraries_index, guess=True) as opened:
        yield opened


@pytest.mark.parametrize("number", [1, 2])
def test_a_bare_name_means_what_is_most_plausible(
    number: int, libraries_index: Path, systems_index: Path
) -> None:
    """In one index, and in two together, of which the first has its own systems, too."""
    paths = [systems_index, libraries_index][-number:]
    meanings: defaultdict[str, dict[str, tuple[int, int, int]]] = defaultdict(dict)
    for path in paths:
        with closing(sqlite3.connect(path)) as connection:
            for name, package, status, asked, definitions in connection.execute(_SYMBOLS):
                origin = {1: 0, 0: 1, -1: 2}[asked]
                worth = (definitions == 0, origin, status != "external")
                meanings[name][package] = min(worth, meanings[name].get(package, worth))
    names = [name for name in sorted(meanings) if name.isascii() and name == name.upper() and name.isalpha()]
    seen = {"found": 0, "guessed": 0, "several": 0}

    def opened(*, guess: bool = False) -> Index | Indexes:
        return open_index(*paths, guess=guess) if number == 1 else open_indexes(paths, guess=guess)

    with opened() as plain, opened(guess=True) as index:
        for name in random.Random(5).sample(names, amount(600, len(names))):
            accessible = plain.describe(name.lower())
            answer = index.describe(name.lower())
            if not isinstance(accessible, NotFound):
                assert isinstance(answer, DescribeAnswer)
                assert (answer.package, answer.guessed) == (accessible.package, None)
                seen["found"] += 1
                continue
            best = min(meanings[name].values())
            likely = [package for package, worth in meanings[name].items() if worth == best]
            if len(likely) > 1:
                assert isinstance(answer, NotFound), name
                seen["several"] += 1
                continue
            assert isinstance(answer, DescribeAnswer), name
            assert answer.package == likely[0]
            assert answer.guessed is not None
            assert answer.guessed.startswith(f"{accessible.message}: taken for {answer.written}")
            uses = index.xref(name.lower(), limit=1)
            assert not isinstance(uses, NotFound) and (uses.package, uses.guessed) == (
                likely[0],
                answer.guessed,
            )
            seen["guessed"] += 1
    assert min(seen.values()) > 5, seen


def test_without_being_asked_to_guess_a_name_is_what_it_is(libraries_index: Path) -> None:
    with open_index(libraries_index) as index:
        assert isinstance(index.describe("flatten"), NotFound)


@pytest.mark.parametrize("package", ["KEYWORD", "CL", "ALEXANDRIA"])
def test_a_package_that_was_named_is_meant(package: str, index: Index) -> None:
    answer = index.describe("weigh-everything", package)
    assert isinstance(answer, NotFound)
    assert isinstance(index.describe("flatten", "CL"), NotFound)


def test_each_question_and_command_takes_a_bare_name() -> None:
    path = str(lost_project() / "lost.db")
    for arguments in (
        ("describe", "weigh"),
        ("definition", "weigh"),
        ("xref", "weigh"),
        ("xref", "weigh", "--depth", "2"),
        ("xref", "weigh", "--callees"),
        ("examples", "weigh"),
        ("class", "basket"),
        ("methods", "items", "--on", "basket"),
    ):
        run = run_main(*arguments, "--index", path)
        assert run.code == 0, (arguments, run.errors)
        assert "note: taken for fruit:" in run.errors
        assert "not found" not in run.output
        full = run_main(arguments[0], f"fruit::{arguments[1]}", *arguments[2:], "--index", path)
        assert full.output == run.output
        as_json = json.loads(run_main(*arguments, "--json", "--index", path).output)
        assert "taken for" in json.dumps(as_json), arguments


_SHADOWED = """
SELECT symbols.name, packages.name FROM symbols JOIN packages ON packages.id = symbols.package_id
JOIN systems ON systems.id = packages.system_id AND asked = 1
JOIN symbols AS others ON others.name = symbols.name AND others.id <> symbols.id
JOIN presences ON presences.symbol_id = others.id AND status = 'external'
JOIN packages AS used ON used.id = presences.package_id AND used.name IN ('SB-ALIEN', 'SB-EXT')
WHERE EXISTS (SELECT 1 FROM definitions WHERE symbol_id = symbols.id)
"""


def test_what_cl_user_has_of_sbcl_does_not_hide_the_projects_own(systems_index: Path) -> None:
    with closing(sqlite3.connect(systems_index)) as connection:
        shadowed = connection.execute(_SHADOWED).fetchall()
    assert len(shadowed) > 2
    for name, package in shadowed:
        run = run_main("describe", name.lower(), "--no-live", "--index", str(systems_index))
        assert run.code == 0 and run.output.startswith("SB-")
        assert f"there is also {package.lower()}:" in run.errors, name
    run = run_main("describe", "sb-ext:quit", "--no-live", "--index", str(systems_index))
    assert (run.code, run.errors) == (0, "")


def test_a_misspelt_bare_name_suggests_the_projects_internal_ones() -> None:
    path = str(lost_project() / "lost.db")
    for typed in ("with-knfie", "baskte"):
        run = run_main("describe", typed, "--index", path)
        assert run.code == 1
        (line,) = (line for line in run.output.splitlines() if line.startswith("Did you mean: "))
        assert "fruit::" in line.split(",")[0], line
    with open_index(path) as index:  # which does not guess
        answer = index.describe("with-knfie")
    assert isinstance(answer, NotFound) and not answer.suggestions[0].startswith("fruit::")


def test_a_package_says_how_many_of_its_exports_match(libraries_index: Path) -> None:
    asked = ("package", "alexandria", "--index", str(libraries_index))
    (every,) = (line for line in run_main(*asked).output.splitlines() if "present" in line)
    assert "match" not in every
    for pattern, number in (("flatten", 1), ("no-such-name", 0)):
        output = run_main(*asked, "--match", pattern).output
        assert f"{every}, of which {number} match" in output.splitlines()


def test_several_equally_plausible_ones_are_a_short_list(libraries_index: Path) -> None:
    with closing(sqlite3.connect(libraries_index)) as connection:
        rows = connection.execute(f"{_SYMBOLS} AND symbols.name GLOB '[A-Z]*[A-Z]'").fetchall()
    worth: defaultdict[str, list[tuple[bool, int, bool]]] = defaultdict(list)
    for name, package, status, asked, definitions in rows:
        origin = {1: 0, 0: 1, -1: 2}[asked]
        worth[name].append((definitions == 0, origin, status != "external" or package == "COMMON-LISP"))
    name = min(name for name, found in worth.items() if found.count(min(found)) > 1)
    run = run_main("describe", name.lower(), "--index", str(libraries_index))
    assert run.code == 1
    assert run.output.startswith(f"Symbol {name} not found in package CL-USER (status: NIL)\n")
    (line,) = (line for line in run.output.splitlines() if line.startswith("Did you mean: "))
    assert line.count(f":{name.lower()}") >= 2
    assert run.output.count(line.removeprefix("Did you mean: ")) == 1


def test_a_tool_keeps_the_first_line_of_a_name_that_is_not_found(libraries_index: Path) -> None:
    with executing(libraries_index) as executor:
        for tool, parameter in (
            ("describe_symbol", "name"),
            ("symbol_definition", "symbols"),
            ("find_references", "name"),
            ("usage_examples", "name"),
        ):
            answer = called(executor, tool, **{parameter: "flatten"}).content
            first, second, rest = answer.split("\n", 2)
            assert first == "Symbol FLATTEN not found in package CL-USER (status: NIL)"
            assert second.startswith("Taken for alexandria:flatten")
            short = called(executor, tool, max_chars=500, **{parameter: "flatten"}).content
            assert short.startswith(f"{first}\n{second}\n")
            assert len(short) <= 500
            assert rest == called(executor, tool, **{parameter: "alexandria:flatten"}).content
