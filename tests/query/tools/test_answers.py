"""The answers of the tools: the contract's texts, structured content that matches its schema, budgets."""

from __future__ import annotations

import json
import random
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator

from oblist.query import Index, open_index
from oblist.query.answers import AproposAnswer, DescribeAnswer, NotFound
from oblist.query.index.not_found import not_found_text
from oblist.query.mcp import resources as mcp_resources
from oblist.query.mcp.resources import NoResourceError, package_address, symbol_address
from oblist.query.questions.describe.text import describe_text
from oblist.query.tools.aliases import OTHER_NAMES, kebab
from oblist.query.tools.budget import budget_of
from oblist.query.tools.listing import Listing
from oblist.query.tools.registry import Registry, registry
from oblist.query.tools.results import ToolResult, json_bytes
from oblist.query.tools.running.execution import Executor
from oblist.query.tools.schemas import input_schema, mcp_tool, openai_function, output_schema
from oblist.query.tools.vocabulary import define_tool
from support.agents.tool_calls import called, executing
from support.typed_names import piped

SEED = 5
SYMBOLS, FEW = 2000, 400


@pytest.fixture(scope="module")
def index(libraries_index: Path) -> Iterator[Index]:
    with open_index(libraries_index) as opened:
        yield opened


@pytest.fixture(scope="module")
def executor(libraries_index: Path) -> Iterator[Executor]:
    with executing(libraries_index) as made:
        yield made


@pytest.fixture(scope="module")
def symbols(index: Index) -> tuple[list[str], list[str]]:
    """Symbols drawn by seed, in pipes, so that no character in their names has a meaning."""
    rows = index.rows(
        "SELECT symbols.name, packages.name FROM symbols JOIN packages ON packages.id = package_id"
        " ORDER BY symbols.id"
    )
    drawn = random.Random(SEED).sample(rows, SYMBOLS)
    names = [piped(name) for name, _ in drawn]
    return names, [f'"{package}"' for _, package in drawn]


def _all(executor: Executor, calls: list[tuple[str, dict[str, Any]]]) -> list[ToolResult]:
    """The results of many calls, one after the other."""

    async def run() -> list[ToolResult]:
        return [await executor.call(tool, arguments) for tool, arguments in calls]

    return anyio.run(run)


# Schemas


@pytest.mark.parametrize("tool", list(registry), ids=lambda tool: tool.name)
def test_schemas_are_json_schemas_that_describe_every_parameter_and_field(tool: Any) -> None:
    shown = mcp_tool(tool, structured=True)
    Draft202012Validator.check_schema(shown["inputSchema"])
    assert all(schema["description"] for schema in shown["inputSchema"]["properties"].values())
    output = shown.get("outputSchema", {"$defs": {}})
    assert ("outputSchema" in shown) == bool(tool.answers)
    Draft202012Validator.check_schema(output)
    for definition in output["$defs"].values():
        assert set(definition["required"]) == set(definition["properties"])
        assert all(field["description"] for field in definition["properties"].values())
    assert openai_function(tool)["function"]["parameters"] == input_schema(tool)
    hints = shown["annotations"]
    safe = tool.safety_level == "safe"
    assert (hints["readOnlyHint"], hints["openWorldHint"]) == (safe, not safe)
    # What only reads neither destroys nor does anything twice: MCP's defaults say otherwise of the rest.
    assert safe or (hints["destructiveHint"], hints["idempotentHint"]) == (True, False)
    assert mcp_tool(tool) == {key: value for key, value in shown.items() if key != "outputSchema"}


def test_what_a_model_is_given_about_all_tools_is_short() -> None:
    listed = [tool for tool in registry if tool.listed]
    safe = [mcp_tool(tool.offered(dangerous=False)) for tool in listed if tool.safety_level == "safe"]
    everything = [mcp_tool(tool.offered(dangerous=True)) for tool in listed]
    assert len(json.dumps({"tools": safe}, separators=(",", ":"))) <= 11_000
    assert len(json.dumps({"tools": everything}, separators=(",", ":"))) <= 12_500  # about 3,100 tokens


def test_what_is_not_listed_can_be_given_and_is_named_by_answers_that_need_it(executor: Executor) -> None:
    listed = input_schema(registry.get("find_references"))["properties"]  # type: ignore[arg-type]
    assert not {"limit", "offset", "max_chars"} & listed.keys()
    first = called(executor, "find_references", name="car", limit=3).content
    assert "call again with offset=3" in first
    assert called(executor, "find_references", name="car", limit=3, offset=3).content != first
    counts = called(executor, "find_references", name="car", limit=0, max_chars=500).content
    assert "or use a lower limit or a higher max_chars" in counts


def test_structured_content_comes_if_it_is_wanted_or_a_contract_asks_for_it(libraries_index: Path) -> None:
    calls = [
        ("describe_symbol", {"name": "car"}),
        ("find_references", {"name": "car"}),
        ("describe_symbol", {"name": "no-such-name"}),
        ("code-describe", {"symbol": "car"}),
    ]
    with (
        executing(libraries_index) as with_objects,
        executing(libraries_index, structured=False) as without,
    ):
        first, second = _all(with_objects, calls), _all(without, calls)
    assert [one.structured is not None for one in first] == [True, True, True, True]
    assert [one.structured is not None for one in second] == [False, False, False, True]
    assert [one.content for one in first] == [one.content for one in second]


# The contract


def test_texts_are_those_of_the_contract_and_structured_content_keeps_its_schema(
    executor: Executor, index: Index, symbols: Any
) -> None:
    names, packages = symbols
    validator = Draft202012Validator(output_schema(registry.get("describe_symbol")))
    calls = [
        ("describe_symbol", {"name": name, "package": package, "max_chars": 10_000_000, "limit": 0})
        for name, package in zip(names, packages, strict=True)
    ]
    kinds = set()
    for (_, arguments), result in zip(calls, _all(executor, calls), strict=True):
        answer = index.describe(arguments["name"], arguments["package"])
        assert isinstance(answer, DescribeAnswer)
        assert result.content == describe_text(answer) or result.content.startswith(
            f"{describe_text(answer)}\n  "
        )
        assert result.structured["name"] == answer.name
        assert len(result.structured["definitions"]) == len(answer.definitions)
        validator.validate(result.structured)
        kinds.add(answer.type)
    assert kinds == {"function", "macro", "generic-function", "class", "variable", "symbol"}


@pytest.mark.parametrize("sample", [FEW, pytest.param(SYMBOLS, marks=pytest.mark.full)])
@pytest.mark.parametrize(
    ("tool", "parameter"),
    [("symbol_definition", "symbols"), ("find_references", "name"), ("describe_class", "name")],
)
def test_structured_content_of_other_tools_keeps_its_schema_too(
    executor: Executor, symbols: Any, tool: str, parameter: str, sample: int
) -> None:
    names, packages = symbols
    validator = Draft202012Validator(output_schema(registry.get(tool)))
    calls = [
        (tool, {parameter: name, "package": package})
        for name, package in zip(names[:sample], packages[:sample], strict=True)
    ]
    calls += [
        (tool, {parameter: name}) for name in ("car", "print-object", "stream", "nonsense", "a:b:c", "x:y")
    ]
    found = 0
    for result in _all(executor, calls):
        assert result.success, result.error
        validator.validate(result.structured)
        found += "error" not in result.structured
    assert found > 2


def test_lists_and_the_status_keep_their_schemas(executor: Executor, index: Index) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("describe_package", {"name": f'"{name}"'}) for name in index.package_names.values()
    ]
    calls += [("apropos_search", {"pattern": text}) for text in ("", "a", "hash", "with-", "nothing like it")]
    calls += [
        ("apropos_search", {"pattern": "map", "package": name}) for name in ("cl", "ALEXANDRIA", "none")
    ]
    calls += [("apropos_search", {"pattern": "map", "type": kind}) for kind in ("macro", "FUNCTION", "thing")]
    calls += [("apropos_search", {"pattern": text, "at": "any"}) for text in ("m-v-b", "with-o", "zzzz")]
    calls += [("search_documentation", {"query": words}) for words in ("hash table", "%", "the of a", "zzzz")]
    calls += [
        ("search_documentation", {"signature": text})
        for text in ("string -> list", ":: (list, &key test)", "3", "strng", "(")
    ]
    calls += [("search_documentation", {"query": "hash", "signature": "string -> integer", "own": True})]
    calls += [("find_references", {"name": "mapcar", "depth": 2}), ("find_references", {"name": "car"})]
    calls += [("find_references", {"name": "stream", "relation": "specializes"}), ("index_status", {})]
    for (tool, arguments), result in zip(calls, _all(executor, calls), strict=True):
        assert result.success, (tool, arguments, result.error)
        Draft202012Validator(output_schema(registry.get(tool))).validate(result.structured)


@pytest.mark.parametrize(
    ("tool", "arguments", "text"),
    [
        ("describe_symbol", {"name": "car", "package": "nonexistent"}, "Package NONEXISTENT not found"),
        ("describe_symbol", {"name": "nonexistent:car"}, "Package NONEXISTENT not found"),
        (
            "describe_symbol",
            {"name": "nonexistent-symbol"},
            "Symbol NONEXISTENT-SYMBOL not found in package CL-USER (status: NIL)",
        ),
        (
            "apropos_search",
            {"pattern": "m-v-b", "at": "operator"},
            "multiple-value-bind  (VARS VALUE-FORM &BODY BODY)  [macro]",
        ),
        ("search_documentation", {"query": "?"}, "No words to search for in '?'"),
        ("search_documentation", {"signature": "strng"}, "No type is called strng in this index"),
        (
            "apropos_search",
            {"pattern": "nonexistent-thing"},
            "Found 0 symbols matching 'nonexistent-thing':\n",
        ),
        (
            "apropos_search",
            {"pattern": "x", "type": "thing"},
            "Invalid type: thing. Valid types: function, macro, variable, class, generic-function",
        ),
        ("apropos_search", {"pattern": "x", "package": "none"}, "Package NONE not found"),
        (
            "apropos_search",
            {"pattern": "maphash"},
            "Found 4 symbols matching 'maphash':\n\n  SB-INT::INFO-MAPHASH [MACRO]\n"
            "  COMMON-LISP::MAPHASH [FUNCTION]\n  ALEXANDRIA::MAPHASH-KEYS [FUNCTION]\n"
            "  ALEXANDRIA::MAPHASH-VALUES [FUNCTION]",
        ),
    ],
)
def test_messages_of_the_contract_are_answers(
    executor: Executor, tool: str, arguments: dict[str, Any], text: str
) -> None:
    result = called(executor, tool, **arguments)
    assert (result.success, result.error) == (True, None)
    assert result.content == text or result.content.startswith(f"{text}\n")


def test_a_list_that_a_limit_cuts_tells_the_total_and_how_to_go_on(executor: Executor, index: Index) -> None:
    result = called(executor, "apropos_search", pattern="map", limit=3)
    lines = result.content.splitlines()
    assert len(lines) == 6
    total = result.structured["total"]
    assert lines[0] == f"Found {total} symbols matching 'map':"
    assert lines[-1] == f"... and {total - 3} more: call again with offset=3"
    whole = index.apropos("map")
    assert isinstance(whole, AproposAnswer)
    pages = [
        called(executor, "apropos_search", pattern="map", limit=50, offset=offset).structured["matches"]
        for offset in range(0, total, 50)
    ]
    assert [match["name"] for page in pages for match in page] == [match.name for match in whole.matches]


def test_notes_stand_beside_the_text_of_describe_not_in_it(executor: Executor, index: Index) -> None:
    result = called(executor, "describe_symbol", name="alexandria:%reevaluate-constant")
    answer = index.describe("alexandria:%reevaluate-constant")
    assert isinstance(answer, DescribeAnswer)
    assert "internal: write" not in result.content
    assert result.content.startswith(f"{describe_text(answer)}\n  ")
    assert result.notes == (
        "the symbol is internal: write alexandria::%reevaluate-constant.",
        "find_references lists its uses.",
    )
    result = called(executor, "describe_symbol", name="print-object", limit=7)
    total = result.structured["definitions_total"]
    assert len(result.structured["definitions"]) == 7 < total
    assert f"For {total - 7} more of its {total} definitions, call again with offset=7." in result.notes


def test_an_answer_is_followed_by_what_is_usually_asked_next(executor: Executor) -> None:
    for tool, arguments, expected in (
        ("describe_symbol", {"name": "mapcar"}, "find_references lists its uses."),
        ("find_references", {"name": "mapcar"}, "edit_sites=true lists every place that a change"),
        ("describe_class", {"name": "stream-error"}, "slot=NAME lists all uses of a slot."),
        ("uses", {"users": "sb-pcl", "used": "sb-c"}, "find_references lists the places of one."),
    ):
        notes = called(executor, tool, **arguments).notes
        assert notes and notes[-1].startswith(expected), (tool, notes)
    # One that can be asked is named; of several names there is none that follows.
    several = called(executor, "describe_symbol", name="mapcar,car").notes
    assert not [note for note in several if "find_references" in note]
    names = {tool.name for tool in registry}
    followed = [one for cls in listings() for one in [cls.next] if one]
    assert followed and all(one.split()[0] in names for one in followed)


def listings() -> Iterator[type[Listing[Any]]]:
    rest: list[type[Listing[Any]]] = [Listing]
    while rest:
        one = rest.pop()
        yield one
        rest += one.__subclasses__()


def test_the_methods_that_a_call_reaches_are_asked_for_by_its_classes(executor: Executor) -> None:
    for on in ("pathname t", "(pathname t)", " pathname "):
        result = called(executor, "describe_symbol", name="print-object", on=on)
        assert result.content.startswith("common-lisp:print-object on (common-lisp:pathname common-lisp:t): ")
        first = result.structured["methods"][0]
        assert (first["role"], first["specializers"]) == ("primary", "(PATHNAME T)")
    page = called(executor, "describe_symbol", name="print-object", on="pathname", limit=1)
    assert "call again with offset=1" in page.content
    wrong = called(executor, "describe_symbol", name="print-object", on="no-such-class")
    assert wrong.structured["error"] == "symbol-not-found"


def test_inherited_methods_are_the_first_to_be_left_out(executor: Executor) -> None:
    ask = {"name": "standard-method"}
    whole = called(executor, "describe_class", **ask)
    total = whole.structured["inherited_methods_total"]
    assert len(whole.structured["inherited_methods"]) == total > 20
    needed = max(len(whole.content), -(-len(json_bytes(whole.structured)) // 2))
    less = called(executor, "describe_class", **ask, max_chars=needed - 1)
    assert less.structured == {**whole.structured, "inherited_methods": []}
    assert f"{total} of the inherited methods were left out" in " ".join(less.notes)
    assert f"Inherited methods: {total}\n    on method: " in less.content


def test_several_definitions_are_asked_for_by_commas_or_by_an_array(executor: Executor) -> None:
    joined = called(executor, "symbol_definition", symbols="mapcar, car,nonsense")
    listed = called(executor, "symbol_definition", symbols=["mapcar", "car", "nonsense"])
    assert joined == listed
    assert [line for line in joined.content.splitlines() if line.startswith("# ")] == [
        "# CL:MAPCAR" if "# CL:MAPCAR" in joined.content else "# COMMON-LISP:MAPCAR",
        "# CL:CAR" if "# CL:CAR" in joined.content else "# COMMON-LISP:CAR",
        "# nonsense",
    ]
    assert "src/code/list.lisp" in joined.content
    assert joined.structured["definitions"][2]["error"] == "symbol-not-found"
    nothing = called(executor, "symbol_definition", symbols=" , ")
    assert "give names such as" in (nothing.error or "")


# Budgets

LONG = [
    ("apropos_search", {"pattern": "", "limit": 0}),
    ("apropos_search", {"pattern": "a", "package": "cl-user", "limit": 0}),
    ("describe_symbol", {"name": "print-object", "limit": 0}),
    ("describe_symbol", {"name": "loop"}),
    ("describe_symbol", {"name": "format"}),
    ("symbol_definition", {"symbols": "print-object", "max_length": 0}),
    ("symbol_definition", {"symbols": ["mapcar", "format", "print-object", "car", "loop", "x" * 400]}),
    ("find_references", {"name": "car", "limit": 0}),
    ("find_references", {"name": "alexandria:with-gensyms", "limit": 0}),
    ("find_references", {"name": "format", "depth": 3, "limit": 20}),
    ("at", {"place": "src/code/list.lisp:178:1"}),
    ("uses", {"users": "package:SB-ALIEN", "used": "package:SB-KERNEL", "limit": 5}),
    ("describe_package", {"name": "package:sb-kernel", "defines": "condition", "limit": 20}),
    ("describe_package", {"name": "package:sb-kernel", "defines": "all", "limit": 0}),
    ("describe_class", {"name": "sb-c::ctran", "slot": "next", "limit": 5}),
    ("audit", {"part": "package:sb-gray", "limit": 5}),
    ("find_references", {"name": "sb-impl::copy-tree", "edit_sites": True, "limit": 5}),
    ("describe_class", {"name": "t", "limit": 0}),
    ("describe_class", {"name": "stream", "limit": 0}),
    ("describe_package", {"name": "cl", "limit": 0}),
    ("describe_package", {"name": "alexandria", "limit": 0}),
    ("search_documentation", {"query": "list", "limit": 0}),
    ("check_form", {"text": "(car)\n" * 400, "limit": 0}),
    ("index_status", {}),
]


@pytest.mark.parametrize("budget", [500, 2_000, 20_000])
@pytest.mark.parametrize(("tool", "arguments"), LONG, ids=lambda value: str(value)[:60])
def test_answers_stay_within_their_budget_and_lines_stay_whole(
    executor: Executor, tool: str, arguments: dict[str, Any], budget: int
) -> None:
    whole = called(executor, tool, **arguments, max_chars=50_000_000)
    result = called(executor, tool, **arguments, max_chars=budget)
    assert result.success
    lines = result.content.splitlines()
    assert len(result.content) <= budget or len(lines) <= 3
    assert len(json.dumps(result.structured, ensure_ascii=False, separators=(",", ":"))) <= 2 * budget
    Draft202012Validator(output_schema(registry.get(tool))).validate(result.structured)
    if len(whole.content) > budget:
        assert result.content != whole.content
        known = set(whole.content.splitlines())
        new = [line for line in lines if line not in known]
        told = ("Too long", "To see", "... ", "# ", "```", "Package", "Callers of")
        counts = [
            line
            for line in new
            if line and not line.lstrip().startswith(told) and not line.endswith("(left out)")
        ]
        assert all(line.startswith("  ") for line in counts), counts
        assert new or result.notes, "it does not say that it was shortened"


def test_an_answer_loses_its_documentation_first_and_then_becomes_counts(executor: Executor) -> None:
    ask = partial(called, executor, "describe_package", name="alexandria", limit=0)
    whole, bare, counts = ask(max_chars=100_000), ask(max_chars=16_000), ask(max_chars=1_000)
    assert any(export["summary"] for export in whole.structured["exports"])
    assert len(bare.structured["exports"]) == len(whole.structured["exports"])
    assert not any(export["summary"] for export in bare.structured["exports"])
    assert bare.notes == (
        "Documentation was left out to stay within max_chars=16000.",
        "describe_symbol describes one, or several with commas between.",
    )
    total = whole.structured["exports_total"]
    assert counts.structured["total"] == sum(counts.structured["counts"].values()) == total
    assert counts.content.splitlines()[2] == "Too long for max_chars=1000. Number of exports by package:"


def test_counts_are_of_all_there_is_whatever_the_limit(executor: Executor, index: Index) -> None:
    result = called(executor, "apropos_search", pattern="", limit=150, max_chars=1_000)
    answer = index.apropos("")
    assert isinstance(answer, AproposAnswer)
    assert result.structured["total"] == answer.total
    counted = result.structured["counts"]
    for package in counted:
        assert counted[package] == sum(match.package == package for match in answer.matches)
    assert result.structured["left_out"] + len(counted) == len({match.package for match in answer.matches})


def test_what_is_short_itself_is_not_counted_when_its_definitions_are_many(
    executor: Executor, index: Index
) -> None:
    for name in ("car", "print-object"):
        whole = called(executor, "describe_symbol", name=name)
        for budget in (500, 800, 2_000):
            result = called(executor, "describe_symbol", name=name, max_chars=budget)
            first = describe_text(index.describe(name, limit=1))
            assert result.content.startswith(first) and len(result.content) <= budget
            total, shown = whole.structured["definitions_total"], len(result.structured["definitions"])
            assert result.structured["definitions_total"] == total
            assert whole.structured["definitions"][:shown] == result.structured["definitions"]
            assert (shown > 0) == (budget > 500)
            told = f"For {total - shown} more of its {total} definitions, call again with offset={shown}."
            none = f"Its definitions ({total}) are not shown: use a higher max_chars."
            assert (told if shown else none) in result.notes
    page = called(executor, "describe_symbol", name="print-object", offset=3, max_chars=2_000)
    following = 3 + len(page.structured["definitions"])
    assert page.notes[-2].endswith(f"call again with offset={following}.")


@pytest.mark.parametrize(
    ("tool", "arguments", "items"),
    [
        ("find_references", {"name": "mapcan", "limit": 10}, "references"),
        ("find_references", {"name": "car", "limit": 30}, "references"),
        ("apropos_search", {"pattern": "hash-table", "limit": 15}, "matches"),
        ("search_documentation", {"query": "hash table", "limit": 10}, "matches"),
        ("describe_class", {"name": "sb-mop:standard-class"}, "slots"),
        ("describe_class", {"name": "sequence"}, "methods"),
        ("describe_package", {"name": "sb-gray"}, "exports"),
    ],
)
def test_a_list_is_shorter_when_only_its_structured_content_is_too_long(
    executor: Executor, tool: str, arguments: dict[str, Any], items: str
) -> None:
    whole = called(executor, tool, **arguments)
    seen = set()
    most = len(json.dumps(whole.structured)) + 100
    budgets = range(500, most, max(100, most // 200))
    for budget in (len(whole.content), *budgets):
        result = called(executor, tool, **arguments, max_chars=budget)
        assert len(result.content) <= budget
        assert len(json.dumps(result.structured, separators=(",", ":"), ensure_ascii=False)) <= 2 * budget
        if "counts" in result.structured:
            seen.add("counts")
            continue
        shown = len(result.structured[items])
        seen.add("all" if shown == len(whole.structured[items]) else "some")
        if items != "slots" and shown < len(whole.structured[items]):
            assert f" more: call again with offset={shown}" in result.content
        if items == "slots" and shown < len(whole.structured[items]):
            assert any(re.match(r"\d+ of its \d+ slots (was|were) left out", note) for note in result.notes)
    assert (
        seen >= {"all", "some"}
        if tool in ("find_references", "describe_class", "apropos_search")
        else {"all"}
    ), seen


LONG_NAME = "x" * 1_000


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("describe_symbol", {"name": LONG_NAME}, "not found in package CL-USER (status: NIL)"),
        ("describe_symbol", {"name": f"{LONG_NAME[:500]}:car"}, " not found"),
        ("describe_class", {"name": LONG_NAME}, "not found in package CL-USER (status: NIL)"),
        ("find_references", {"name": LONG_NAME}, "not found in package CL-USER (status: NIL)"),
        ("find_references", {"name": LONG_NAME, "depth": 2}, "not found in package CL-USER (status: NIL)"),
        ("find-methods", {"name": LONG_NAME}, "not found in package CL-USER (status: NIL)"),
        ("code-describe", {"name": LONG_NAME}, "not found in package CL-USER (status: NIL)"),
        ("describe_package", {"name": LONG_NAME}, " not found"),
        ("symbol_definition", {"symbols": [LONG_NAME]}, '" does not exist'),
        ("symbol_definition", {"symbols": f"{LONG_NAME[:500]}:{LONG_NAME[:400]}"}, '" does not exist'),
        ("symbol_definition", {"symbols": "a:b:" + LONG_NAME[:900]}, "Invalid symbol name"),
        ("apropos_search", {"pattern": LONG_NAME}, "Found 0 symbols matching 'xxx"),
        ("apropos_search", {"pattern": "\0" * 1_000}, "Found 0 symbols matching"),
        ("apropos_search", {"pattern": "x", "package": LONG_NAME}, " not found"),
        ("apropos_search", {"pattern": "x", "type": LONG_NAME}, "Valid types: function, macro"),
        ("search_documentation", {"query": "the " * 200}, "then matches in arglists and documentation"),
        (
            "search_documentation",
            {"query": "zzqq" * 200},
            "then matches in arglists and documentation",
        ),
        ("search_documentation", {"query": "%" * 1_000}, "No words to search for in"),
        ("search_documentation", {"signature": "(" * 1_000}, "Cannot read the signature"),
        ("search_documentation", {"signature": "x" * 400}, "No type is called xxx"),
    ],
)
def test_what_was_asked_for_does_not_break_the_budget(
    executor: Executor, tool: str, arguments: dict[str, Any], told: str
) -> None:
    result = called(executor, tool, **arguments, max_chars=500)
    assert result.success, result.error
    assert told in result.content
    assert "..." in result.content
    assert len(result.content) <= 500
    assert len(json.dumps(result.structured, separators=(",", ":"), ensure_ascii=False)) <= 1_000
    whole = called(executor, tool, **arguments)
    assert "..." not in whole.content.replace("... and", ""), "shortened though it fits"


def test_a_name_among_symbols_has_a_longest_length(executor: Executor) -> None:
    assert called(executor, "symbol_definition", symbols=["car", LONG_NAME]).success
    result = called(executor, "symbol_definition", symbols=["car", "x" * 1_001])
    assert result.error == "Parameter symbols: a name must have at most 1,000 characters, not 1,001."


def test_addresses_of_resources_are_repeated_shortened(index: Index) -> None:
    for address in (package_address("x" * 100_000), symbol_address("CL-USER", "x" * 100_000)):
        with pytest.raises(NoResourceError) as failure:
            mcp_resources.read(index, address)
        assert "..." in str(failure.value)
        assert " not found" in str(failure.value)
        assert len(str(failure.value)) <= 500


def test_the_status_does_not_deny_the_systems_it_leaves_out(
    executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Index.information
    systems, needed = (
        [f"system-{number}" for number in range(90)],
        [f"needed-{number}" for number in range(90)],
    )
    monkeypatch.setattr(
        Index,
        "information",
        lambda index: replace(real(index), systems=systems, dependencies=needed, command=""),
    )
    shown = 0
    for budget in (500, 1_000, 2_000):
        result = called(executor, "index_status", max_chars=budget)
        assert len(result.content) <= budget
        before, shown = shown, len(result.structured["systems"]) - 1
        assert before <= shown < len(systems)
        assert result.structured["systems"][:shown] == systems[:shown]
        more = "more " if shown else ""
        assert result.structured["systems"][shown:] == [f"{90 - shown} {more}systems (left out)"]
        assert result.content.count(f"{90 - shown} {more}systems (left out)") == 2
        assert (
            f"Names of systems and features were left out to stay within max_chars={budget}." in result.notes
        )
    assert shown > 0
    assert called(executor, "index_status").structured["systems"] == systems


def test_no_budget_is_beyond_a_million_characters() -> None:
    assert budget_of({"max_chars": 50_000_000}) == 1_000_000


# Other servers' names


@pytest.mark.parametrize(
    ("name", "arguments", "tool", "own"),
    [
        ("describe-symbol", {"symbol": "car"}, "describe_symbol", {"name": "car"}),
        ("describe-symbol", {"name": "car"}, "describe_symbol", {"name": "car"}),
        ("describe_symbol", {"symbol": "car"}, "describe_symbol", {"name": "car"}),
        ("find_references", {"symbol": "mapcan"}, "find_references", {"name": "mapcan"}),
        ("who_calls", {"symbol": "mapcan"}, "find_references", {"name": "mapcan", "relation": "calls"}),
        ("describe_class", {"class": "stream"}, "describe_class", {"name": "stream"}),
        ("symbol_definition", {"name": "car"}, "symbol_definition", {"symbols": "car"}),
        ("apropos-search", {"pattern": "maphash"}, "apropos_search", {"pattern": "maphash"}),
        ("code-find-references", {"symbol": "mapcan"}, "find_references", {"name": "mapcan"}),
        ("who-calls", {"name": "mapcan"}, "find_references", {"name": "mapcan", "relation": "calls"}),
        (
            "who-references",
            {"symbol": "*print-base*"},
            "find_references",
            {"name": "*print-base*", "relation": "references"},
        ),
        ("class-info", {"class": "stream"}, "describe_class", {"name": "stream"}),
        ("class-info", {"name": "stream"}, "describe_class", {"name": "stream"}),
        ("find-methods", {"class": "stream"}, "describe_class", {"name": "stream"}),
        (
            "symbol-definition",
            {"symbols": "car", "includeContextDetails": True, "maxLength": 200},
            "symbol_definition",
            {"symbols": "car", "include_package_details": True, "max_length": 200},
        ),
        ("symbol-definition", {"symbols": ["car"]}, "symbol_definition", {"symbols": "car"}),
        ("index-status", {}, "index_status", {}),
    ],
)
def test_names_that_others_use_are_accepted_with_their_arguments(
    executor: Executor, name: str, arguments: dict[str, Any], tool: str, own: dict[str, Any]
) -> None:
    result = called(executor, name, **arguments)
    assert result.success, result.error
    assert result == called(executor, tool, **own)


@pytest.mark.parametrize("name", ["code-describe", "code_describe", "code.describe", "code-find"])
def test_code_describe_answers_in_its_own_words(executor: Executor, name: str) -> None:
    result = called(executor, name, symbol="alexandria:flatten")
    assert json.loads(result.content) == result.structured
    described = called(executor, "describe_symbol", name="alexandria:flatten").structured
    assert set(result.structured) == {"name", "type", "arglist", "documentation", "path", "line"}
    assert all(result.structured[field] == described[field] for field in result.structured)
    nowhere = called(executor, name, symbol=":test").structured
    assert set(nowhere) == {"name", "type", "arglist", "documentation"}
    assert "not found in package CL-USER" in called(executor, name, symbol="nonsense").content
    assert called(executor, name).error == "Missing required parameter: symbol or name"


def test_code_describe_gives_paths_within_the_project_of_the_index(
    executor: Executor, libraries_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(called(executor, "describe_symbol", name="alexandria:flatten").structured["path"])
    project = tmp_path / "project.db"
    shutil.copy(libraries_index, project)
    with closing(sqlite3.connect(project)) as connection, connection:
        connection.execute(
            "INSERT INTO roots (id, name, path) SELECT max(id) + 1, 'project', ? FROM roots",
            (f"{path.parents[1]}/",),
        )
    gone = tmp_path / "gone"
    gone.mkdir()
    with executing(project) as made:
        monkeypatch.chdir(gone)
        gone.rmdir()  # the working folder of the server does not matter
        inside = called(made, "code-describe", symbol="alexandria:flatten")
        assert inside.structured["path"] == str(path.relative_to(path.parents[1]))
        outside = called(made, "code-describe", symbol="car").structured["path"]
        assert outside == called(made, "describe_symbol", name="car").structured["path"]
        assert Path(outside).is_absolute()


@pytest.mark.parametrize("budget", [500, 1_000, 20_000])
def test_code_describe_keeps_its_fields_within_any_budget(executor: Executor, budget: int) -> None:
    for symbol in ("defclass", "print-object", "format", "sb-ext:run-program"):
        result = called(executor, "code-describe", symbol=symbol, max_chars=budget)
        assert json.loads(result.content) == result.structured
        assert set(result.structured) == {"name", "type", "arglist", "documentation", "path", "line"}
        assert len(result.content) <= budget
        whole = called(executor, "code-describe", symbol=symbol)
        left_out = (result.structured["documentation"], whole.structured["documentation"])
        assert (left_out[0] == left_out[1]) == (not result.notes)


def test_find_methods_lists_the_methods_of_a_generic_function(executor: Executor, index: Index) -> None:
    answer = index.describe("print-object")
    assert isinstance(answer, DescribeAnswer)
    methods = [one for one in answer.definitions if one.kind == "method"]
    heading = f"common-lisp:print-object [GENERIC-FUNCTION], {len(methods)} methods"
    shown: list[dict[str, Any]] = []
    while len(shown) < len(methods):
        result = called(executor, "find-methods", symbol="print-object", offset=len(shown))
        lines = result.content.splitlines()
        page = result.structured["definitions"]
        assert lines[0] == heading
        assert result.structured["definitions_total"] == len(methods)
        assert len(page) == min(50, len(methods) - len(shown))
        shown += page
        more = len(methods) - len(shown)
        rest = [f"... and {more} more: call again with offset={len(shown)}"] if more else []
        assert lines[1 + len(page) :] == rest
    assert [one["specializers"] for one in shown] == [one.specializers for one in methods]
    few = called(executor, "find-methods", symbol="make-load-form", limit=2)
    assert [one["kind"] for one in few.structured["definitions"]] == ["method"] * 2
    assert called(executor, "find-methods", name="car").content == "common-lisp:car [FUNCTION], 0 methods"


def test_find_methods_within_a_budget_shows_fewer_and_then_counts(executor: Executor) -> None:
    whole = called(executor, "find-methods", symbol="make-load-form", limit=0)
    fewer = called(executor, "find-methods", symbol="make-load-form", limit=0, max_chars=4_000)
    number, total = len(fewer.structured["definitions"]), len(whole.structured["definitions"])
    assert 0 < number < total
    assert fewer.content.splitlines()[-1] == f"... and {total - number} more: call again with offset={number}"
    counts = called(executor, "find-methods", symbol="make-load-form", limit=0, max_chars=500)
    assert counts.structured["total"] == sum(counts.structured["counts"].values()) == total
    assert counts.content.splitlines()[2] == "Too long for max_chars=500. Number of methods by root:"


def test_two_names_of_one_argument_are_too_many(executor: Executor) -> None:
    result = called(executor, "class-info", **{"class": "stream", "symbol": "pathname"})
    assert result.failure == "bad-arguments"
    assert result.error == "Parameters class and symbol mean the same: give only one of them."
    assert called(executor, "class-info", **{"class": "stream", "symbol": None}).success
    missing = {
        "who-calls": "symbol or name",
        "class-info": "class or symbol or name",
        "SymbolDefinition": "symbol or name or symbols",
        "describe_class": "name",
    }
    for name, parameter in missing.items():
        assert called(executor, name).error == f"Missing required parameter: {parameter}"
    assert "Parameter symbol must be a string" in (called(executor, "who-calls", symbol=5).error or "")


def test_a_registered_tool_comes_before_what_we_call_so(libraries_index: Path) -> None:
    own = Registry()
    for tool in registry:
        own.register(tool)
    own.register(define_tool("who_calls", "Theirs.", [], handler=lambda _: "theirs"))
    with executing(libraries_index, own) as made:
        assert called(made, "who-calls").content == called(made, "who_calls").content == "theirs"
        assert called(made, "who-references", symbol="car").success
        assert called(made, "describe-symbol", symbol="car").success


def test_every_tool_is_accepted_in_kebab_case_and_no_other_spelling_is(executor: Executor) -> None:
    for tool in registry:
        assert called(executor, kebab(tool.name), x=1).failure != "unknown-tool"
    for name in ("Describe_Symbol", "describe.symbol", "describe symbol", "describe__symbol", ""):
        assert called(executor, name, name="car").failure == "unknown-tool", name
    assert {"code.describe", "who-calls", "find-methods", "SymbolDefinition"} <= set(OTHER_NAMES)


def test_nothing_in_a_name_reaches_the_reader(executor: Executor) -> None:
    for name in ('#.(error "read")', "#.(sb-ext:exit)", "'(1 2)", "(car x)", "\0", "\ud800", "a" * 1_000):
        for tool in ("describe_symbol", "find_references", "describe_class"):
            result = called(executor, tool, name=name)
            assert result.success, (tool, name[:40], result.error)
            assert "error" in result.structured
            json.dumps(result.structured, ensure_ascii=False).encode()


def test_negative_answers_of_the_index_are_answers_of_the_tools(executor: Executor, index: Index) -> None:
    for name in ("nonsense", "x:y", "a:b:c", "|", ""):
        answer = index.describe(name)
        assert isinstance(answer, NotFound)
        assert called(executor, "describe_symbol", name=name).content == not_found_text(answer)


def test_several_names_are_described_in_one_answer(libraries_index: Path) -> None:
    names = "mapcar, print-object, no-such-name, (setf gethash), |a,b|, alexandria:flatten"
    with executing(libraries_index) as executor:
        result = called(executor, "describe_symbol", name=names)
        short = called(executor, "describe_symbol", name=",".join(["print-object"] * 40), max_chars=3_000)
    told = result.structured["descriptions"]
    assert [one.get("name", one.get("error")) for one in told] == [
        *("MAPCAR", "PRINT-OBJECT", "symbol-not-found", "(SETF GETHASH)", "symbol-not-found", "FLATTEN"),
    ]
    assert all(len(one["definitions"]) <= 24 // len(told) for one in told if "definitions" in one)
    assert result.content.count("[GENERIC-FUNCTION]") == 1 and "ALEXANDRIA" in result.content
    assert any(one.startswith("print-object: ") for one in result.notes), (
        "whose definitions there are more of"
    )
    Draft202012Validator(output_schema(registry.get("describe_symbol"))).validate(result.structured)
    assert 1 < len(short.structured["descriptions"]) < 40
    assert len(short.structured["descriptions"]) + len(short.structured["left_out"]) == 40
    assert short.notes[-1].startswith("Left out to stay within max_chars=3000: print-object, ")
