"""The tool protocol: registration, and the results of calls."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest

from oblist.query.tools.registry import Registry, registry
from oblist.query.tools.results import BAD_ARGUMENTS, FAILED, NO_INDEX, NOT_ALLOWED, TIME_LIMIT, UNKNOWN_TOOL
from oblist.query.tools.rules import broken_rules
from oblist.query.tools.running.call import this_call
from oblist.query.tools.running.execution import Executor
from oblist.query.tools.table import TOOLS
from oblist.query.tools.vocabulary import Parameter, Proposal, Reply, Tool, ToolError, define_tool
from support.agents.plug_ins import install
from support.agents.tool_calls import called, executing
from support.command import oblist

NUMBER = Parameter("number", "number", "A number.", whole=True, minimum=0)


def _nothing(_: Mapping[str, Any]) -> None:
    return None


def _tool(name: str = "some_tool", handler: Any = _nothing, **facts: Any) -> Tool:
    parameters = facts.pop("parameters", [])
    return define_tool(name, "Does something.", parameters, handler=handler, **facts)


# Registration


@pytest.mark.parametrize(
    ("tool", "message"),
    [
        (_tool("someTool"), "Tool 'someTool': the name must be snake_case"),
        (_tool("some-tool"), "snake_case"),
        (_tool(""), "snake_case"),
        (_tool(required=["x"]), "required parameter 'x' is not among its parameters (none)."),
        (
            _tool(safety_level="harmless"),
            "safety level 'harmless' is not known; the levels are: safe, cautious",
        ),
        (_tool(parameters=[NUMBER, NUMBER]), "parameter 'number' is listed twice."),
        (
            _tool(parameters=[Parameter("x", "integer", "")]),
            "has the unknown type 'integer'; types: string, boolean",
        ),
        (_tool(handler=lambda: None), "the handler must be callable with one mapping"),
        (_tool(handler=lambda one, two: None), "callable with one mapping"),
        (_tool(handler="no function"), "callable with one mapping"),
        (_tool(seconds=0), "time limit must be more than 0 seconds"),
        (_tool(seconds="5"), "time limit must be more than 0 seconds, not '5'."),
        (_tool(seconds=float("nan")), "time limit must be more than 0 seconds, not nan."),
        (_tool(title=5), "its title must be a string, not 5."),
        (_tool(required="name"), "required must be a list of parameter names, not 'name'."),
        (_tool(required=[5]), "required must be a list of parameter names, not (5,)."),
        (_tool(parameters=[Parameter("a b", "string", "")]), "parameter 'a b' must be an identifier"),
        (_tool(parameters=[Parameter("x", "string", None)]), "of parameter 'x' must be a string."),
        (_tool(parameters=[Parameter("x", "string", "", default={1})]), "it has no JSON Schema"),
        (_tool(answers=[dict]), "it has no JSON Schema: its answers must be dataclasses"),
        (define_tool("some_tool", " ", [], handler=_nothing), "it needs a description"),
        (define_tool("some_tool", None, [], handler=_nothing), "it needs a description"),
        (define_tool("some_tool", "half \ud800", [], handler=_nothing), "must be encodable as JSON in UTF-8"),
    ],
)
def test_a_tool_that_breaks_a_rule_is_not_registered_and_the_message_names_the_rule(
    tool: Tool, message: str
) -> None:
    tools = Registry()
    with pytest.raises(ToolError) as raised:
        tools.register(tool)
    assert message in str(raised.value)
    assert len(tools) == 0


def test_names_are_unique() -> None:
    tools = Registry()
    tools.register(_tool())
    with pytest.raises(ToolError, match="a tool with this name is already registered"):
        tools.register(_tool())
    assert [tool.name for tool in tools] == ["some_tool"]


def test_a_registered_tool_is_got_by_its_name_and_no_other() -> None:
    tools = Registry()
    tool = tools.register(_tool(parameters=[{"name": "x", "type": "string", "description": "An x."}]))
    assert tools.get("some_tool") is tool
    assert tool.parameters[0].name == "x"
    assert tools.get("another_tool") is None


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_our_own_tools_keep_the_rules(tool: Tool) -> None:
    """They are not checked when they are registered, which a server does as it starts."""
    assert list(broken_rules(tool)) == []


def test_the_registry_of_oblist_has_its_tools() -> None:
    levels = {tool.name: tool.safety_level for tool in registry}
    assert [name for name, level in levels.items() if level == "safe"] == [
        "apropos_search",
        "describe_symbol",
        "symbol_definition",
        "find_references",
        "at",
        "uses",
        "usage_examples",
        "describe_class",
        "describe_package",
        "search_documentation",
        "what_changes",
        "find_library",
        "check_form",
        "edit_form",
        "rename_symbol",
        "clhs",
        "index_status",
        "audit",
        "read_file",
        "macro_definition",
    ]
    assert {name for name, level in levels.items() if level == "cautious"} == {
        "eval_form",
        "expand_form",
        "reindex",
    }
    assert {name for name, level in levels.items() if level == "dangerous"} == {"load_system"}
    assert [tool.name for tool in registry if not tool.listed] == [
        "audit",
        "read_file",
        "macro_definition",
    ]


# Return values of handlers


@pytest.fixture
def executor(bare_index: Path) -> Iterator[Executor]:
    with executing(bare_index, Registry()) as made:
        yield made


def _raise(_: Mapping[str, Any]) -> None:
    raise KeyError("no such key")


@pytest.mark.parametrize(
    ("returned", "content"),
    [
        ("text", "text"),
        ([1, "two", None], '[1,"two",null]'),
        ({"a": [True]}, '{"a":[true]}'),
        (None, "nil"),
        (("text", None), "text"),
        ((None, None), "nil"),
        (42, "42"),
        ("half \ud800 a character", "half \\ud800 a character"),
        (["\udfff"], '["\\\\udfff"]'),
    ],
)
def test_what_a_handler_returns_is_shown(executor: Executor, returned: Any, content: str) -> None:
    executor.registry.register(_tool(handler=lambda _: returned))
    result = called(executor, "some_tool")
    assert (result.success, result.content, result.error) == (True, content, None)


def test_a_reply_has_text_and_structured_content_and_notes(executor: Executor) -> None:
    executor.registry.register(_tool(handler=lambda _: Reply("text", {"a": (1, 2)}, ["Mind that."])))
    result = called(executor, "some_tool")
    assert (result.content, result.structured, result.notes) == ("text", {"a": [1, 2]}, ("Mind that.",))


def test_an_error_message_and_an_exception_are_failures_with_words(executor: Executor) -> None:
    executor.registry.register(_tool("with_message", lambda _: (None, "That is not there.")))
    executor.registry.register(_tool("that_raises", _raise))
    result = called(executor, "with_message")
    assert (result.success, result.content, result.error) == (False, "", "That is not there.")
    result = called(executor, "that_raises")
    assert result.error == "that_raises failed: KeyError: 'no such key'"
    assert result.failure == FAILED


# Arguments


@pytest.fixture
def checking(executor: Executor) -> Executor:
    parameters = [
        Parameter("name", "string", "A name."),
        NUMBER,
        Parameter("flag", "boolean", "A flag."),
        Parameter("sort", "string", "A sort.", choices=("a", "b")),
        Parameter("thing", "object", "A thing."),
        Parameter("names", "string", "Names.", or_array=True),
    ]
    executor.registry.register(_tool("checking", dict, parameters=parameters, required=["name"]))
    return executor


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "Missing required parameter: name"),
        ({"name": None}, "Missing required parameter: name"),
        ({"name": "x", "nmae": 1}, "Unknown parameter: 'nmae'. Did you mean name? Parameters: name, number"),
        ({"name": 5}, "Parameter name must be a string, not 5."),
        ({"name": ["x"]}, "Parameter name must be a string, not an array."),
        ({"name": "x", "number": "5"}, "Parameter number must be a whole number, not '5'."),
        ({"name": "x", "number": 5.5}, "Parameter number must be a whole number, not 5.5."),
        ({"name": "x", "number": True}, "Parameter number must be a whole number, not True."),
        ({"name": "x", "number": -1}, "Parameter number must be at least 0, not -1."),
        ({"name": "x", "number": 10**30}, "Parameter number must be at most 9007199254740991, not 1000"),
        ({"name": "x", "flag": "true"}, "Parameter flag must be a boolean, not 'true'."),
        ({"name": "x", "sort": "c"}, "Parameter sort must be one of a, b, not 'c'."),
        ({"name": "x", "thing": []}, "Parameter thing must be an object, not an array."),
        ({"name": "x", "names": ["a", 1]}, "Parameter names must be a string or an array of strings"),
        ({"name": "x", "names": 1}, "Parameter names must be a string or an array of strings, not 1."),
        ({"name": "x", "y" * 500: 1}, "Unknown parameter: '" + "y" * 59 + "..."),
    ],
)
def test_wrong_arguments_are_named_with_what_to_change(
    checking: Executor, arguments: dict[str, Any], message: str
) -> None:
    result = called(checking, "checking", **arguments)
    assert message in (result.error or "")
    assert (result.success, result.failure) == (False, BAD_ARGUMENTS)


def test_all_that_is_wrong_is_told_at_once(checking: Executor) -> None:
    error = called(checking, "checking", nmae=1, flag=2).error
    assert error is not None
    assert [line.split(":")[0].split(" must")[0] for line in error.splitlines()] == [
        "Missing required parameter",
        "Unknown parameter",
        "Parameter flag",
    ]


def test_right_arguments_reach_the_handler_without_nulls_and_with_whole_numbers(checking: Executor) -> None:
    result = called(checking, "checking", name="x", number=5.0, flag=None, names=["a"], thing={"b": 1})
    assert json.loads(result.content) == {"name": "x", "number": 5, "names": ["a"], "thing": {"b": 1}}
    assert '"number":5,' in result.content


def test_a_tool_that_is_not_registered_cannot_be_called(checking: Executor) -> None:
    result = called(checking, "eval_form", form="1")
    assert result.failure == UNKNOWN_TOOL
    assert result.error == "Unknown tool: 'eval_form'. Tools: checking."


# Levels


def test_what_is_not_allowed_does_not_run_and_is_logged(bare_index: Path, tmp_path: Path) -> None:
    ran: list[str] = []
    tools = Registry()
    tools.register(_tool("careful", lambda _: ran.append("careful"), safety_level="cautious"))
    tools.register(_tool("risky", lambda _: ran.append("risky"), safety_level="dangerous"))
    log = tmp_path / "log"
    with executing(bare_index, tools, log=log) as executor:
        for name in ("careful", "risky"):
            assert called(executor, name).failure == NOT_ALLOWED
        assert executor.tools() == []
    with executing(bare_index, tools, allowed="cautious", log=log) as executor:
        assert called(executor, "careful").success
        refused = called(executor, "risky")
        assert "start the server with --allow dangerous" in (refused.error or "")
        assert [tool.name for tool in executor.tools()] == ["careful"]
    assert ran == ["careful"]
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(entry["tool"], entry["outcome"].split(":")[0]) for entry in entries] == [
        ("careful", "refused"),
        ("risky", "refused"),
        ("careful", "answered"),
        ("risky", "refused"),
    ]
    assert all(set(entry) == {"time", "tool", "arguments", "outcome"} for entry in entries)
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_dangerous_tool_runs_only_when_each_call_is_approved(bare_index: Path, tmp_path: Path) -> None:
    ran: list[Any] = []
    tools = Registry()
    parameters = [Parameter("what", "string", "What.")]
    tools.register(_tool("risky", ran.append, parameters=parameters, safety_level="dangerous"))
    asked: list[tuple[str, Mapping[str, Any]]] = []

    async def decline(tool: Tool, arguments: Mapping[str, Any]) -> str:
        asked.append((tool.name, arguments))
        return "the person declined"

    async def accept(tool: Tool, arguments: Mapping[str, Any]) -> None:
        asked.append((tool.name, arguments))

    with executing(bare_index, tools, allowed="dangerous", log=tmp_path / "log") as executor:
        assert "there is no one to approve" in (called(executor, "risky", what="a").error or "")
        assert "the person declined" in (called(executor, "risky", what="b", approve=decline).error or "")
        assert ran == []
        assert called(executor, "risky", what="c", approve=accept).success
        assert called(executor, "risky", bad=1, approve=accept).failure == BAD_ARGUMENTS
    assert ran == [{"what": "c"}]
    assert asked == [("risky", {"what": "b"}), ("risky", {"what": "c"})]


def test_a_switch_makes_a_call_dangerous_and_what_is_approved_is_carried_out(
    bare_index: Path, tmp_path: Path
) -> None:
    ran: list[str] = []
    tools = Registry()

    def handler(arguments: Mapping[str, Any]) -> Any:
        if not arguments["write"]:
            return "would write"
        if arguments["what"] == "nothing":
            return None, "there is nothing to write"
        return Proposal("+ a line", "digest", lambda: ran.append(arguments["what"]) or "written")

    parameters = [
        Parameter("what", "string", "What."),
        Parameter("write", "boolean", "Write.", default=False),
    ]
    options: dict[str, Any] = {"parameters": parameters, "dangerous_with": "write"}
    tools.register(_tool("writer", handler, **options))
    asked: list[Proposal] = []

    async def accept(_: Tool, __: Mapping[str, Any], proposal: Proposal) -> None:
        asked.append(proposal)

    with executing(bare_index, tools, allowed="cautious", log=tmp_path / "log") as executor:
        refused = called(executor, "writer", what="a", write=True, approve=accept)
        assert refused.failure == NOT_ALLOWED and "write=true is dangerous" in (refused.error or "")
        assert called(executor, "writer", what="a").content == "would write"
        assert [one.name for one in executor.tools()[0].parameters] == ["what"]
    with executing(bare_index, tools, allowed="dangerous", log=tmp_path / "log") as executor:
        assert "nothing to write" in (
            called(executor, "writer", what="nothing", write=True, approve=accept).error or ""
        )
        assert asked == [] and ran == []
        assert called(executor, "writer", what="b", write=True, approve=accept).content == "written"
        assert executor.tools()[0].safety_level == "dangerous"
    assert ran == ["b"] and [one.shown for one in asked] == ["+ a line"]
    with pytest.raises(ToolError, match="dangerous_with='what' needs a safe tool"):
        tools.register(_tool("other", handler, parameters=parameters, dangerous_with="what"))


def test_a_safe_call_proposes_nothing(executor: Executor) -> None:
    executor.registry.register(_tool("sly", lambda _: Proposal("+", "x", lambda: "written")))
    assert "which only a dangerous call may do" in (called(executor, "sly").error or "")


# Time


def test_a_handler_that_takes_too_long_is_left_behind(executor: Executor) -> None:
    let_go = threading.Event()
    executor.registry.register(_tool("endless", lambda _: let_go.wait(60), seconds=0.3))
    start = time.monotonic()
    result = called(executor, "endless")
    let_go.set()
    assert result.failure == TIME_LIMIT
    assert result.error == "endless did not answer within 0.3 s. Ask for less."
    assert time.monotonic() - start < 20


def test_a_question_that_takes_too_long_is_interrupted_and_the_next_one_is_answered(
    executor: Executor,
) -> None:
    ended = threading.Event()

    def endless(_: Mapping[str, Any]) -> None:
        counting = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        try:
            with this_call().index() as index:
                index.rows(counting)
        finally:
            ended.set()

    executor.registry.register(_tool("endless", endless, seconds=0.3))
    executor.registry.register(_tool("quick", _first_package))
    assert called(executor, "endless").failure == TIME_LIMIT
    assert ended.wait(20), "the statement goes on for nobody"
    assert called(executor, "quick").content == "COMMON-LISP"


def _first_package(_: Mapping[str, Any]) -> str:
    with this_call().index() as index:
        return str(index.rows("SELECT min(name) FROM packages WHERE name LIKE 'COMMON%'")[0][0])


def test_a_cancelled_call_interrupts_its_question(executor: Executor) -> None:
    began, ended = threading.Event(), threading.Event()

    def endless(_: Mapping[str, Any]) -> None:
        with this_call().index() as index:
            began.set()
            try:
                while True:
                    index.rows("SELECT count(*) FROM symbol_references, symbols")
            finally:
                ended.set()

    executor.registry.register(_tool("endless", endless, seconds=60))

    async def cancelled() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(executor.call, "endless", {})
            while not began.is_set():
                await anyio.sleep(0.01)
            group.cancel_scope.cancel()

    anyio.run(cancelled)
    assert ended.wait(20)


def test_slow_calls_hold_up_no_others(executor: Executor) -> None:
    let_go = threading.Event()
    executor.registry.register(_tool("slow", lambda _: let_go.wait(60), seconds=60))
    executor.registry.register(_tool("quick", _first_package))
    answered: list[str] = []

    async def call(name: str) -> None:
        await executor.call(name, {})
        answered.append(name)
        if answered.count("quick") == 50:
            let_go.set()

    async def together() -> None:
        async with anyio.create_task_group() as group:
            for name in ["slow"] * 5 + ["quick"] * 50:
                group.start_soon(call, name)

    anyio.run(together)
    assert answered == ["quick"] * 50 + ["slow"] * 5


# Without an index


@pytest.mark.parametrize(
    "tool",
    [
        tool.name
        for tool in registry
        if tool.safety_level == "safe" and tool.name not in ("find_library", "clhs")
    ],
)
def test_without_an_index_every_tool_names_the_command_that_makes_one(tool: str, tmp_path: Path) -> None:
    names = "pattern name place symbols query since path text form users used digest old new"
    arguments = dict.fromkeys(names.split(), "x")
    wanted = registry.get(tool)
    assert wanted is not None
    with executing(tmp_path / "none.db") as executor:
        result = called(executor, tool, **{name: arguments[name] for name in wanted.required})
    assert result.failure == NO_INDEX
    assert "none.db: there is no index. Build one with: oblist index" in (result.error or "")


def test_without_a_catalog_find_library_names_the_command_that_makes_one(
    bare_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OBLIST_CATALOG", str(tmp_path / "none.db"))
    with executing(bare_index) as executor:
        result = called(executor, "find_library", name="x")
    assert result.failure == NO_INDEX
    assert "none.db: there is no catalog. Build one with: oblist catalog build --all" in (result.error or "")


# Tools of other packages


def test_tools_of_other_packages_are_added_and_broken_ones_reported(bare_index: Path, tmp_path: Path) -> None:
    shout = (
        "from oblist.query.tools import Parameter, define_tool, this_call\n"
        "def shout(arguments):\n"
        "    with this_call().index() as index:\n"
        "        return index.describe(arguments['name']).name + '!'\n"
        "def tools():\n"
        "    parameters = [Parameter('name', 'string', 'A symbol.')]\n"
        "    return [define_tool('shout', 'Shouts.', parameters, required=['name'], handler=shout)]\n"
    )
    install(tmp_path, "shouting", shout, "shouting:tools")
    install(tmp_path, "broken", "raise RuntimeError('not today')\n", "broken:tools")
    install(tmp_path, "wrong", "tools = ['no tool']\n", "wrong:tools")
    again = shout.replace("'shout'", "'describe_symbol'")
    install(tmp_path, "taken", again, "taken:tools")
    environment = {"PYTHONPATH": str(tmp_path)}
    listed = oblist("tools", "--json", environment=environment)
    assert [tool["name"] for tool in json.loads(listed.stdout)][-2:] == ["load_system", "shout"]
    assert "Tools broken (broken:tools) were left out: RuntimeError: not today" in listed.stderr
    assert "Tools wrong (wrong:tools) were left out: ToolError: 'no tool' is not a tool" in listed.stderr
    assert "Tools taken (taken:tools) were left out: ToolError: Tool 'describe_symbol'" in listed.stderr
    arguments = ["--args", '{"name": "car"}', "--index", str(bare_index)]
    called_now = oblist("tools", "call", "shout", *arguments, environment=environment)
    assert called_now.stdout == "CAR!\n"
