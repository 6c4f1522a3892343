"""The tool find_library, and the parameter ``release`` of the others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query.tools.registry import registry
from oblist.query.tools.results import NO_INDEX, ToolResult
from oblist.query.tools.running.execution import Executor
from support.agents.tool_calls import called, executing
from support.catalogs.libraries import libraries


@pytest.fixture
def executor(bare_index: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Executor]:
    monkeypatch.setenv("OBLIST_CATALOG", str(libraries().catalog))
    with executing(bare_index) as opened:
        yield opened


def text(result: ToolResult) -> str:
    assert result.failure is None, result.error
    return result.content


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"query": "paint canvas"}, "drawing:draw [FUNCTION]  drawing"),
        ({"query": ":: square"}, "shapes:area"),
        ({"name": "circumference"}, "shapes:circumference [FUNCTION]  shapes@1.0"),
        ({"name": "shapes"}, "package shapes  shapes@2.0"),
        ({"release": "drawing"}, "shapes  shapes@2.0  3 uses"),
        ({"release": "shapes@1.0"}, "versions"),
    ],
)
def test_a_library_is_found(executor: Executor, arguments: dict[str, str], said: str) -> None:
    assert said in text(called(executor, "find_library", **arguments))


def test_what_is_not_in_the_catalog_is_an_answer(executor: Executor) -> None:
    assert "Did you mean: shapes" in text(called(executor, "find_library", release="shaps"))
    assert "No release provides zyzzyva" in text(called(executor, "find_library", name="zyzzyva"))
    assert "Found 0 symbols" in text(called(executor, "find_library", query="zyzzyva"))


@pytest.mark.parametrize("arguments", [{}, {"query": "x", "name": "y"}, {"release": ""}])
def test_exactly_one_thing_is_asked(executor: Executor, arguments: dict[str, str]) -> None:
    result = called(executor, "find_library", **arguments)
    assert not result.success
    assert "Give exactly one of query, name and release." in (result.error or "")


@pytest.mark.parametrize(
    "arguments",
    [{"query": "the"}, {"name": "area"}, {"release": "sbcl"}, {"release": "shapes"}, {"name": "x" * 900}],
)
@pytest.mark.parametrize("budget", [500, 1_000, 5_000])
def test_answers_stay_within_their_budget(executor: Executor, arguments: dict[str, str], budget: int) -> None:
    result = called(executor, "find_library", **arguments, max_chars=budget)
    assert len(text(result)) <= budget
    assert len(json.dumps(result.structured, ensure_ascii=False)) <= 2 * budget + 200


def test_pages_of_matches_are_the_whole_in_order(executor: Executor) -> None:
    whole = called(executor, "find_library", query="shape", limit=100).structured
    assert whole is not None
    first = called(executor, "find_library", query="shape", limit=2).structured
    second = called(executor, "find_library", query="shape", limit=2, offset=2).structured
    assert first is not None
    assert second is not None
    assert first["matches"] + second["matches"] == whole["matches"][:4]


# The parameter release

_WITH_RELEASE = [tool.name for tool in registry if any(one.name == "release" for one in tool.parameters)]


def test_the_questions_about_symbols_take_a_release() -> None:
    assert set(_WITH_RELEASE) >= {
        *("apropos_search", "describe_symbol", "symbol_definition", "find_references", "usage_examples"),
        *("describe_class", "describe_package", "search_documentation", "find_library"),
    }


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("apropos_search", {"pattern": "circum"}, "CIRCUMFERENCE"),
        ("describe_symbol", {"name": "circumference"}, "The length around SHAPE."),
        ("symbol_definition", {"symbols": "circumference"}, "(* 4 (side shape))"),
        ("find_references", {"name": "shapes:side"}, "circumference"),
        ("usage_examples", {"name": "shapes:side"}, "(side shape)"),
        ("describe_class", {"name": "shapes:square"}, "SIDE"),
        ("describe_package", {"name": "shapes"}, "CIRCUMFERENCE"),
        ("search_documentation", {"query": "length around"}, "shapes:circumference"),
    ],
)
def test_a_question_is_asked_of_a_release(
    executor: Executor, tool: str, arguments: dict[str, str], said: str
) -> None:
    assert said.lower() in text(called(executor, tool, **arguments, release="shapes@1.0")).lower()


@pytest.mark.parametrize(
    ("release", "said"),
    [("shapes@9", "Release shapes@9 not found"), ("nope", "Release nope not found"), ("", "")],
)
def test_a_release_that_is_not_there_is_told(executor: Executor, release: str, said: str) -> None:
    result = called(executor, "describe_symbol", name="car", release=release)
    assert said in (result.error or "") + result.content


def test_without_a_catalog_a_release_names_the_command_that_makes_one(
    executor: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OBLIST_CATALOG", str(tmp_path / "none.db"))
    result = called(executor, "describe_symbol", name="car", release="shapes")
    assert result.failure == NO_INDEX
    assert "there is no catalog. Build one with: oblist catalog build" in (result.error or "")


# What an index does not have


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("describe_symbol", {"name": "circumference"}),
        ("symbol_definition", {"symbols": "circumference"}),
        ("find_references", {"name": "circumference"}),
        ("usage_examples", {"name": "circumference"}),
    ],
)
def test_a_name_that_the_index_lacks_is_looked_for_in_the_catalog(
    executor: Executor, tool: str, arguments: dict[str, str]
) -> None:
    result = called(executor, tool, **arguments)
    assert "Not loaded, but in the catalog: shapes:circumference in shapes@1.0." in text(result)
