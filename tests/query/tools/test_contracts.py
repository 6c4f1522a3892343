"""The contracts of other systems, where no other test holds a clause; docs/tools.md lists all of them."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import DescribeAnswer
from oblist.query.questions.describe.text import describe_text
from oblist.query.tools.running.execution import Executor
from support.agents.tool_calls import called, executing

TESTS = Path(__file__).parents[2]
CONTRACTS = tomllib.loads((TESTS.parent / "docs" / "contracts" / "clauses.toml").read_text(encoding="utf-8"))
CLAUSES = [
    pytest.param(clause, id=f"{name}: {clause['clause']}")
    for name, contract in CONTRACTS.items()
    for clause in contract["clauses"]
]
FURTHER = ("Typed", "Exported from", "Used", "Definitions", "See also", "Manual")


@pytest.fixture(scope="module")
def executor(libraries_index: Path) -> Iterator[Executor]:
    with executing(libraries_index, structured=False) as made:
        yield made


@pytest.fixture(scope="module")
def index(libraries_index: Path) -> Iterator[Index]:
    with open_index(libraries_index) as opened:
        yield opened


@pytest.mark.parametrize("clause", CLAUSES)
def test_each_clause_is_held_by_a_test_that_exists(clause: dict[str, object]) -> None:
    assert set(clause) <= {"clause", "tests", "deviates"}
    tests = clause["tests"]
    assert isinstance(tests, list) and tests
    for test in tests:
        file, _, function = test.partition("::")
        text = (TESTS / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {re.escape(function)}\(", text, re.MULTILINE), test


# describe-symbol


def test_describe_symbol_takes_a_name_and_a_package(executor: Executor) -> None:
    assert called(executor, "describe-symbol").error == "Missing required parameter: symbol or name"
    described = called(executor, "describe-symbol", name="mapcar", package="CL").content
    assert described.startswith("COMMON-LISP::MAPCAR [FUNCTION]\n  Arglist: (FUNCTION LIST &REST MORE-LISTS)")
    assert called(executor, "describe-symbol", name="MapCar").content == described
    assert called(executor, "describe-symbol", name="mapcar", package="CL-USER").content == described
    assert called(executor, "describe-symbol", name="|mapcar|").content.startswith("Symbol mapcar not found")


def test_describe_symbol_adds_lines_after_the_contracts_only(executor: Executor, index: Index) -> None:
    kinds = set()
    for name in ("mapcar", "print-object", "*print-base*", "stream", "defun", ":test", "cl:declare"):
        answer = index.describe(name, limit=20)
        assert isinstance(answer, DescribeAnswer)
        text = called(executor, "describe-symbol", name=name).content
        first = describe_text(answer)
        assert text.startswith(first)
        for line in text.removeprefix(first).splitlines()[1:]:
            assert line.startswith("    ") or line.split(":")[0].strip() in FURTHER, line
        kinds.add(answer.type)
    assert len(kinds) == 6


def test_what_is_not_found_is_no_error(executor: Executor) -> None:
    for tool, arguments, text in (
        ("describe-symbol", {"name": "foo", "package": "NONEXISTENT"}, "Package NONEXISTENT not found"),
        (
            "describe-symbol",
            {"name": "nonexistent-symbol"},
            "Symbol NONEXISTENT-SYMBOL not found in package CL-USER (status: NIL)",
        ),
        ("apropos-search", {"pattern": "foo", "package": "NONEXISTENT"}, "Package NONEXISTENT not found"),
        ("apropos-search", {"pattern": "xyznonexistent"}, "Found 0 symbols matching 'xyznonexistent':\n"),
    ):
        result = called(executor, tool, **arguments)
        assert (result.success, result.error) == (True, None)
        assert result.content == text or result.content.startswith(f"{text}\n")


# apropos-search


def test_apropos_search_takes_any_part_of_a_name(executor: Executor) -> None:
    assert called(executor, "apropos-search").error == "Missing required parameter: pattern"
    for pattern in ("mapca", "MAPCA", "apCa"):
        text = called(executor, "apropos-search", pattern=pattern, package="cl").content
        assert text == (
            f"Found 2 symbols matching '{pattern}':\n\n"
            "  COMMON-LISP::MAPCAN [FUNCTION]\n  COMMON-LISP::MAPCAR [FUNCTION]"
        )
    everything = called(executor, "apropos-search", pattern="", package="cl", limit=1).content
    assert everything.startswith("Found 978 symbols matching '':\n\n")


def test_apropos_search_looks_at_exports_or_in_one_package(executor: Executor) -> None:
    internal = "%reevaluate-constant"
    assert called(executor, "apropos-search", pattern=internal).content.startswith("Found 0 symbols")
    assert called(executor, "apropos-search", pattern=internal, package="alexandria").content.startswith(
        "Found 1 symbol matching"
    )
    inherited = called(executor, "apropos-search", pattern="mapcar", package="alexandria").content
    assert "COMMON-LISP::MAPCAR [FUNCTION]" in inherited
    present = called(executor, "apropos-search", pattern="mapcar", package="alexandria", scope="present")
    assert "COMMON-LISP::MAPCAR" not in present.content


def test_apropos_search_is_sorted_without_duplicates(executor: Executor) -> None:
    lines = called(executor, "apropos-search", pattern="hash", limit=0).content.splitlines()[2:]
    names = [line.split(" [")[0].partition("::")[2] for line in lines]
    assert names == sorted(names)
    assert len(lines) == len(set(lines)) > 30


def test_an_invalid_type_is_answered_with_the_valid_ones(executor: Executor) -> None:
    result = called(executor, "apropos-search", pattern="foo", type="typo")
    valid = "function, macro, variable, class, generic-function"
    assert result.success
    assert result.content == f"Invalid type: typo. Valid types: {valid}"


# The tool protocol


@pytest.mark.parametrize(
    ("tool", "theirs", "own"),
    [
        ("describe_symbol", {"symbol": "car"}, {"name": "car"}),
        ("describe-symbol", {"symbol": "car"}, {"name": "car"}),
        ("find_references", {"symbol": "car"}, {"name": "car"}),
        ("who_calls", {"symbol": "car"}, {"name": "car"}),
        ("who-calls", {"symbol": "car"}, {"name": "car"}),
        ("describe_class", {"class": "stream"}, {"name": "stream"}),
        ("symbol_definition", {"symbol": "car", "maxLength": 50}, {"symbols": "car", "max_length": 50}),
    ],
)
def test_parameters_have_their_other_names_under_every_name_of_a_tool(
    executor: Executor, tool: str, theirs: dict[str, object], own: dict[str, object]
) -> None:
    result = called(executor, tool, **theirs)
    assert result.success, result.error
    assert result == called(executor, tool, **own)


def test_who_calls_is_one_tool_however_it_is_spelt(executor: Executor) -> None:
    results = [called(executor, name, symbol="car") for name in ("who_calls", "who-calls")]
    assert results[0] == results[1]
    assert results[0].content.splitlines()[0].endswith("callers")


@pytest.mark.parametrize("name", ["function_arglist", "function-arglist"])
def test_function_arglist_is_the_lambda_list(executor: Executor, name: str) -> None:
    assert called(executor, name, symbol="mapcar").content == "(FUNCTION LIST &REST MORE-LISTS)"
    nothing = called(executor, name, symbol="*print-base*")
    assert nothing.error == "common-lisp:*print-base* [VARIABLE] has no known lambda list."
    assert "not found in package CL-USER" in called(executor, name, symbol="nonsense").content


# code-describe


def test_code_describe_needs_a_symbol(executor: Executor) -> None:
    assert called(executor, "code-describe").error == "Missing required parameter: symbol or name"


def test_code_describe_leaves_out_a_place_that_is_not_known(executor: Executor) -> None:
    known = called(executor, "code-describe", symbol="alexandria:flatten")
    assert known.structured is not None
    assert set(known.structured) == {"name", "type", "arglist", "documentation", "path", "line"}
    unknown = called(executor, "code-describe", symbol=":test")
    assert set(unknown.structured) == {"name", "type", "arglist", "documentation"}
    assert json.loads(unknown.content) == unknown.structured


def test_code_describe_fails_for_a_symbol_that_is_nothing(executor: Executor) -> None:
    result = called(executor, "code-describe", symbol="cl:declare")
    assert not result.success
    assert result.error == "Symbol common-lisp:declare is not bound as a function or variable."


@pytest.mark.parametrize("name", ["code-find-definition", "code_find_definition"])
def test_code_find_definition_is_the_place(executor: Executor, name: str) -> None:
    described = called(executor, "code-describe", symbol="alexandria:flatten").structured
    found = called(executor, name, symbol="alexandria:flatten")
    assert found.structured == {"path": described["path"], "line": described["line"]}
    assert found.content == f"{described['path']}:{described['line']}"
    assert called(executor, name, symbol=":test").error == "It is not known where :test is defined."


# SymbolDefinition


def test_symbol_definition_has_its_headings(executor: Executor) -> None:
    arguments = {"symbols": "cl:constantly, alexandria:flatten", "includeContextDetails": True}
    result = called(executor, "SymbolDefinition", **arguments)
    headings = re.findall(r"^#+ .*$", result.content, re.MULTILINE)
    assert headings == [
        *("# CONSTANTLY", "## Definition", "## Contexts"),
        *("# FLATTEN", "## Definition", "## Contexts"),
    ]
    contexts = json.loads(re.findall(r"```json\n(.*?)\n```", result.content, re.DOTALL)[1])
    assert {"NREVERSE", "LABELS"} <= set(contexts["COMMON-LISP"])
    plain = called(executor, "SymbolDefinition", symbols="cl:constantly", maxLength=60)
    assert "## Contexts" not in plain.content
    assert re.search(r"\n\.\.\. \[truncated, showing 60/\d+ characters\]\n```$", plain.content)
    own = called(executor, "symbol_definition", symbols="alexandria:flatten", include_package_details=True)
    assert own.content.startswith("# ALEXANDRIA:FLATTEN\n") and "\n## Packages\n" in own.content


def test_symbol_definition_answers_when_all_fail(executor: Executor) -> None:
    result = called(executor, "SymbolDefinition", symbols="no-package:symbol, a:b:c")
    assert result.success
    assert result.content.startswith('# symbol\n\nError: Symbol "no-package:symbol" does not exist\n')
    assert '\n\n# c\n\nError: Invalid symbol name "a:b:c"' in result.content
