"""The MCP server, driven by the SDK's own client, and by a raw one at each protocol revision."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference

from oblist.query import Index, open_index
from oblist.query.answers import DescribeAnswer
from oblist.query.mcp.resources import package_address, symbol_address
from oblist.query.questions.describe.text import describe_text
from oblist.query.tools.registry import registry
from oblist.query.tools.schemas import output_schema
from support.agents.mcp_wire import LEGACY, MODERN, Wire, oblist_mcp
from support.command import OBLIST
from support.typed_names import piped

SAFE = [tool.name for tool in registry if tool.safety_level == "safe" and tool.listed]
SYMBOLS = 2000
NAMED = ["find_references", "find_references", "describe_class", "describe_symbol, symbol_definition"]


@pytest.fixture(scope="module")
def index(libraries_index: Path) -> Iterator[Index]:
    with open_index(libraries_index) as opened:
        yield opened


@pytest.fixture(scope="module")
def wire(libraries_index: Path) -> Iterator[Wire]:
    """One server for most tests, at the newest revision with a handshake."""
    with oblist_mcp(libraries_index, "--no-live") as made:
        made.initialize()
        yield made


@asynccontextmanager
async def _connected(index: Path, mode: str, *arguments: str, **options: Any) -> AsyncIterator[Client]:
    server = StdioServerParameters(
        command=OBLIST, args=["mcp", "--structured", "--index", str(index), *arguments]
    )
    async with Client(server, mode=mode, read_timeout_seconds=60, **options) as client:
        yield client


# The SDK's own client, which checks structured content against the output schemas


@pytest.mark.parametrize("mode", ["legacy", "auto", MODERN])
def test_the_sdks_client_lists_calls_reads_completes_and_prompts(libraries_index: Path, mode: str) -> None:
    async def drive() -> None:
        async with _connected(libraries_index, mode, "--no-live") as client:
            assert (client.protocol_version == MODERN) == (mode != "legacy")
            assert [tool.name for tool in (await client.list_tools()).tools] == SAFE
            answer = await client.call_tool("describe_symbol", {"name": "alexandria:flatten"})
            assert answer.is_error is False
            assert answer.structured_content["written"] == "alexandria:flatten"
            assert answer.content[0].text.startswith("ALEXANDRIA::FLATTEN [FUNCTION]\n  Arglist: (TREE)")
            other = await client.call_tool("code.describe", {"symbol": "car"})
            assert other.is_error is False
            wrong = await client.call_tool("describe_symbol", {"nam": "car"})
            assert wrong.is_error is True
            assert wrong.content[0].text.startswith("Missing required parameter: name\n")
            pages = await client.list_resources()
            assert package_address("ALEXANDRIA") in [resource.uri for resource in pages.resources]
            templates = (await client.list_resource_templates()).resource_templates
            assert [template.uri_template for template in templates] == [
                "lisp://package/{name}",
                "lisp://symbol/{package}/{name}",
            ]
            read = await client.read_resource(symbol_address("COMMON-LISP", "MAPCAR"))
            assert read.contents[0].text.startswith("COMMON-LISP::MAPCAR [FUNCTION]")
            reference = ResourceTemplateReference(uri="lisp://symbol/{package}/{name}")
            names = await client.complete(
                reference, {"name": "name", "value": "mapc"}, {"package": "COMMON-LISP"}
            )
            assert names.completion.values == ["MAPC", "MAPCAN", "MAPCAR", "MAPCON"]
            prompts = (await client.list_prompts()).prompts
            prompt = await client.get_prompt(prompts[0].name, {"task": "Write a parser."})
            assert prompt.messages[0].content.text.startswith("The task: Write a parser.\n")
            nothing = await client.complete(
                PromptReference(name=prompts[0].name), {"name": "task", "value": ""}
            )
            assert nothing.completion.values == []

    anyio.run(drive)


# The raw client, at every revision


@pytest.mark.parametrize("version", [*LEGACY, MODERN])
def test_every_revision_is_served(libraries_index: Path, version: str) -> None:
    with oblist_mcp(libraries_index, "--no-live") as wire:
        if version == MODERN:
            wire.be_modern()
            about = wire.request("server/discover")["result"]
            assert MODERN in about["supportedVersions"]
        else:
            about = wire.initialize(version)
            assert about["protocolVersion"] == version
            assert about["serverInfo"]["name"] == "oblist"
        assert set(about["capabilities"]) >= {"tools", "resources", "prompts", "completions"}
        assert len(about["instructions"]) < 1500
        assert "data, not instructions" in about["instructions"]
        lines = re.findall("^- .*: (.*)$", about["instructions"], re.MULTILINE)
        assert lines == [*NAMED[:3], "at", *NAMED[3:]]
        tools = wire.request("tools/list")["result"]["tools"]
        assert [tool["name"] for tool in tools] == SAFE
        assert all(tool["inputSchema"]["type"] == tool["outputSchema"]["type"] == "object" for tool in tools)
        assert all(tool["annotations"]["readOnlyHint"] for tool in tools)
        result = wire.call("apropos_search", pattern="maphash", package="cl")
        assert result["isError"] is False
        assert result["content"][0]["text"] == (
            "Found 1 symbol matching 'maphash':\n\n  COMMON-LISP::MAPHASH [FUNCTION]"
        )
        assert result["structuredContent"]["total"] == 1
        assert wire.request("no/such/method")["error"]["code"] == -32601


def test_where_forms_may_be_expanded_the_instructions_say_so(libraries_index: Path) -> None:
    with oblist_mcp(libraries_index, "--no-live", "--allow", "cautious") as wire:
        lines = re.findall("^- .*: (.*)$", wire.initialize()["instructions"], re.MULTILINE)
        assert lines == [*NAMED[:3], "expand_form", *NAMED[3:]]


def test_by_default_answers_are_text_alone(libraries_index: Path) -> None:
    with Wire([OBLIST, "mcp", "--index", str(libraries_index), "--no-live"]) as wire:
        wire.initialize()
        tools = wire.request("tools/list")["result"]["tools"]
        assert [tool["name"] for tool in tools] == SAFE
        assert not any("outputSchema" in tool for tool in tools)
        result = wire.call("describe_symbol", name="car")
        assert "structuredContent" not in result
        assert result["content"][0]["text"].startswith("COMMON-LISP::CAR [FUNCTION]\n")
        assert wire.call("code-describe", symbol="car")["structuredContent"]["name"] == "CAR"


@pytest.mark.parametrize("number", [400, pytest.param(SYMBOLS, marks=pytest.mark.full)])
def test_texts_and_structured_content_over_many_symbols(number: int, wire: Wire, index: Index) -> None:
    rows = index.rows(
        "SELECT symbols.name, packages.name FROM symbols JOIN packages ON packages.id = package_id"
        " ORDER BY symbols.id"
    )
    validator = Draft202012Validator(output_schema(registry.get("describe_symbol")))
    seen = nulls = 0
    for name, package in random.Random(6).sample(rows, number):
        typed = piped(name)
        answer = index.describe(typed, f'"{package}"')
        assert isinstance(answer, DescribeAnswer)
        result = wire.call("describe_symbol", name=typed, package=f'"{package}"', max_chars=1_000_000)
        assert result["isError"] is False
        assert result["content"][0]["text"].startswith(describe_text(answer))
        validator.validate(result["structuredContent"])
        assert result["structuredContent"]["name"] == answer.name
        nulls += result["structuredContent"]["value"] is None
        seen += 1
    assert seen == number
    assert nulls, "unknown fields are null, not absent"


@pytest.mark.parametrize(
    ("tool", "arguments", "text"),
    [
        ("describe_symbol", {"name": "x", "package": "nonexistent"}, "Package NONEXISTENT not found"),
        (
            "describe_symbol",
            {"name": "nonexistent-symbol"},
            "Symbol NONEXISTENT-SYMBOL not found in package CL-USER (status: NIL)",
        ),
        ("apropos_search", {"pattern": "no-such-thing"}, "Found 0 symbols matching 'no-such-thing':\n"),
        (
            "apropos_search",
            {"pattern": "x", "type": "thing"},
            "Invalid type: thing. Valid types: function, macro, variable, class, generic-function",
        ),
    ],
)
def test_negative_answers_of_the_contract_are_no_errors(
    wire: Wire, tool: str, arguments: dict[str, Any], text: str
) -> None:
    result = wire.call(tool, **arguments)
    assert result["isError"] is False
    assert result["content"][0]["text"].startswith(text)


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("describe_symbol", {}, "Missing required parameter: name"),
        ("describe_symbol", {"name": 5}, "Parameter name must be a string, not 5."),
        ("apropos_search", {"pattern": "x", "type": 5}, "Parameter type must be a string, not 5."),
        ("find_references", {"name": "car", "relation": "uses"}, "must be one of calls, macroexpands"),
        ("find_references", {"name": "car", "depth": 2, "offset": 1}, "leave out offset"),
        ("find_references", {"name": "t", "depth": 2, "relation": "specializes"}, "leave out depth"),
        ("no_such_tool", {}, "Unknown tool: 'no_such_tool'. Tools: apropos_search, describe_symbol"),
        ("eval_form", {"form": "1"}, "start the server with --allow cautious to allow it"),
        ("load_system", {"system": "x"}, "start the server with --allow dangerous to allow it"),
    ],
)
def test_wrong_calls_are_errors_that_say_what_to_change(
    wire: Wire, tool: str, arguments: dict[str, Any], message: str
) -> None:
    result = wire.call(tool, **arguments)
    assert result["isError"] is True
    assert message in result["content"][0]["text"]
    assert "structuredContent" not in result


def test_kebab_names_are_listed_when_asked_for_and_accepted_anyway(libraries_index: Path) -> None:
    with oblist_mcp(libraries_index, "--names", "kebab", "--no-live") as wire:
        about = wire.initialize()
        names = [tool["name"] for tool in wire.request("tools/list")["result"]["tools"]]
        assert names == [name.replace("_", "-") for name in SAFE]
        assert "describe-symbol" in about["instructions"]
        assert "describe_symbol" not in about["instructions"]
        for name in ("describe-symbol", "describe_symbol"):
            assert wire.call(name, name="car")["isError"] is False


# Resources


def test_every_package_and_odd_names_are_resources(wire: Wire, index: Index) -> None:
    listed: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while True:
        page = wire.request("resources/list", cursor)["result"]
        listed += page["resources"]
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert [one["uri"] for one in listed] == sorted(map(package_address, index.package_names.values()))
    for one in listed:
        text = wire.request("resources/read", {"uri": one["uri"]})["result"]["contents"][0]["text"]
        assert text.startswith(f"Package {one['name']}")
        assert len(text) <= 20_000
    odd = index.rows(
        "SELECT symbols.name, packages.name FROM symbols JOIN packages ON packages.id = package_id"
        " WHERE symbols.name IN ('/', '..', '//', '%', '|', '\\', '?', '#', 'a') OR symbols.name LIKE '%:%'"
        " OR symbols.name GLOB '*[a-z ]*' ORDER BY symbols.id LIMIT 200"
    )
    assert {"/", "//"} <= {name for name, _ in odd}
    for name, package in odd:
        answer = wire.request("resources/read", {"uri": symbol_address(package, name)})
        first = answer["result"]["contents"][0]["text"].split(" [")[0]
        assert first.startswith(f"{package}::"), (name, package)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("lisp://package/NONE", "Package NONE not found"),
        ("lisp://symbol/CL/NONE", "Symbol NONE not found in package"),
        ("lisp://symbol/NONE/CAR", "Package NONE not found"),
        ("lisp://package/", "Package"),
        ("lisp://package/../../etc/passwd", "addresses are lisp://package/{name}"),
        ("lisp://package/" + quote("../../etc/passwd", safe=""), "Package ../../ETC/PASSWD not found"),
        ("lisp://symbol/CL/..", "not found in package"),
        ("lisp://other/CL", "addresses are lisp://package/{name} or lisp://symbol/{package}/{name}"),
        ("file:///etc/passwd", "addresses begin with lisp://"),
        ("", "addresses begin with lisp://"),
    ],
)
def test_what_is_no_resource_is_said_to_be_none(wire: Wire, address: str, message: str) -> None:
    error = wire.request("resources/read", {"uri": address})["error"]
    assert error["code"] == -32602
    assert error["message"].startswith("Resource not found: ")
    assert message in error["message"]


def test_completion_knows_packages_and_the_symbols_of_the_package_chosen(wire: Wire, index: Index) -> None:
    def complete(uri: str, name: str, value: str, **chosen: str) -> dict[str, Any]:
        params = {
            "ref": {"type": "ref/resource", "uri": uri},
            "argument": {"name": name, "value": value},
            "context": {"arguments": chosen},
        }
        completion: dict[str, Any] = wire.request("completion/complete", params)["result"]["completion"]
        return completion

    symbol = "lisp://symbol/{package}/{name}"
    assert complete("lisp://package/{name}", "name", "alex")["values"] == ["ALEXANDRIA", "ALEXANDRIA-2"]
    assert complete(symbol, "package", "cl-pp")["values"] == ["CL-PPCRE"]
    assert "FLATTEN" in complete(symbol, "name", "flat", package="alexandria")["values"]
    every = complete(symbol, "name", "")
    assert (len(every["values"]), every["hasMore"]) == (100, True)
    assert every["total"] > 5000
    assert complete(symbol, "name", "x", package="none")["values"] == []
    assert complete("lisp://other/{x}", "x", "a")["values"] == []


def test_a_prompt_teaches_the_tools_and_another_one_is_not_there(wire: Wire) -> None:
    text = wire.request("prompts/get", {"name": "find-your-way-in-lisp"})["result"]["messages"][0]["content"]
    taught = {"search_documentation", "check_form", *", ".join(NAMED).split(", ")}
    assert {name for name in SAFE if len(name) > 4 and name in text["text"]} == taught
    assert "There is no prompt 'other'" in wire.request("prompts/get", {"name": "other"})["error"]["message"]
    odd = {"name": "find-your-way-in-lisp", "arguments": {"x": "y"}}
    assert "the only one is task" in wire.request("prompts/get", odd)["error"]["message"]


# Lines that are not messages


def test_what_is_no_message_is_answered_and_the_next_one_too(wire: Wire) -> None:
    for line, code in [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"42", -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        (b'{"a": "' + b"x" * (5 * 1024 * 1024) + b'"}', -32600),
    ]:
        wire.send(line)
        answer = wire.receive()
        assert answer["error"]["code"] == code, line[:40]
    assert wire.text("describe_symbol", name="car").startswith("COMMON-LISP::CAR")


def test_a_batch_is_taken_apart(wire: Wire) -> None:
    call = {"name": "describe_symbol", "arguments": {"name": "car"}}
    wire.send(
        [
            {"jsonrpc": "2.0", "id": "one", "method": "tools/call", "params": call},
            {"jsonrpc": "2.0", "id": "two", "method": "ping"},
            {"no": "message", "id": "three"},
        ]
    )
    answers = {message["id"]: message for message in (wire.receive() for _ in range(3))}
    assert answers["one"]["result"]["isError"] is False
    assert answers["two"]["result"] == {}
    assert answers["three"]["error"]["code"] == -32600


def test_half_a_character_is_answered_about(wire: Wire) -> None:
    params = {"name": "describe_symbol", "arguments": {"name": "\ud800"}}
    wire.send(json.dumps({"jsonrpc": "2.0", "id": "half", "method": "tools/call", "params": params}).encode())
    result = wire.answer_to("half")["result"]
    assert result["isError"] is False
    assert result["content"][0]["text"].startswith("Symbol \\ud800 not found in package CL-USER")


# Pending requests


def test_fifty_calls_at_once_are_answered_and_the_slow_one_holds_up_none(wire: Wire) -> None:
    slow = {"name": "find_references", "arguments": {"name": "car", "limit": 0, "max_chars": 50_000_000}}
    wire.send({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": slow})
    for number in range(49):
        params = {"name": "describe_symbol", "arguments": {"name": "mapcar"}}
        wire.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
    order = [wire.receive()["id"] for _ in range(50)]
    assert sorted(map(str, order)) == sorted(map(str, ["slow", *range(49)]))
    assert order[-1] == "slow"


def test_a_cancelled_call_is_not_answered_and_the_next_one_is(wire: Wire) -> None:
    slow = {"name": "find_references", "arguments": {"name": "car", "limit": 0, "max_chars": 50_000_000}}
    wire.send({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": slow})
    wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "slow"}})
    wire.send({"jsonrpc": "2.0", "id": "next", "method": "ping"})
    assert wire.receive()["id"] == "next"
    with pytest.raises(TimeoutError):
        wire.receive(1.0)


def test_a_replaced_index_is_noticed(libraries_index: Path, bare_index: Path, tmp_path: Path) -> None:
    path = tmp_path / "oblist.db"
    os.link(bare_index, path)
    with oblist_mcp(path, "--no-live") as wire:
        wire.initialize()
        assert wire.text("describe_symbol", name="alexandria:flatten").startswith(
            "Package ALEXANDRIA not found"
        )
        other = tmp_path / "other.db"
        os.link(libraries_index, other)
        other.replace(path)
        assert wire.text("describe_symbol", name="alexandria:flatten").startswith("ALEXANDRIA::FLATTEN")
        path.unlink()
        result = wire.call("describe_symbol", name="car")
        assert result["isError"] is True
        assert "Build one with: oblist index" in result["content"][0]["text"]


def test_without_an_index_all_requests_name_the_command_that_makes_one(
    tmp_path: Path, bare_index: Path
) -> None:
    path = tmp_path / "oblist.db"
    with oblist_mcp(path, "--no-live") as wire:
        wire.initialize()
        assert [tool["name"] for tool in wire.request("tools/list")["result"]["tools"]] == SAFE
        for method, params in [
            ("resources/list", {}),
            ("resources/read", {"uri": "lisp://package/CL"}),
            (
                "completion/complete",
                {
                    "ref": {"type": "ref/resource", "uri": "lisp://package/{name}"},
                    "argument": {"name": "name", "value": "a"},
                },
            ),
        ]:
            message = wire.request(method, params)["error"]["message"]
            assert f"{path}: there is no index. Build one with: oblist index" in message
        assert wire.call("index_status")["isError"] is True
        os.link(bare_index, path)
        assert wire.text("describe_symbol", name="car").startswith("COMMON-LISP::CAR")


# The end


def wait_until_signals_are_handled(process: int) -> None:
    """Wait until the process handles SIGTERM, which Python does not by default."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
        caught = int(status.split("SigCgt:")[1].split()[0], 16)
        if caught >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.05)
    raise AssertionError("the server never began to handle signals")


@pytest.mark.parametrize("end", ["eof", signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("begun", [True, False])
def test_the_server_ends_cleanly(bare_index: Path, end: Any, begun: bool) -> None:
    wire = oblist_mcp(bare_index, "--no-live")
    if begun:
        wire.initialize()
        wire.call("describe_symbol", name="car")
    else:
        wait_until_signals_are_handled(wire.process.pid)
    if end != "eof":
        wire.process.send_signal(end)
        assert wire.process.wait(20) == 0
    words = wire.close()
    assert wire.process.returncode == 0
    assert words == ""


def test_what_is_under_way_at_the_end_of_the_input_is_answered(bare_index: Path) -> None:
    wire = oblist_mcp(bare_index, "--no-live")
    wire.initialize()
    for number in range(20):
        params = {"name": "apropos_search", "arguments": {"pattern": "a", "limit": 0, "max_chars": 5_000_000}}
        wire.send({"jsonrpc": "2.0", "id": f"call {number}", "method": "tools/call", "params": params})
    assert wire.process.stdin
    wire.process.stdin.close()
    answers = [wire.receive() for _ in range(20)]
    assert all("result" in answer for answer in answers)
    assert wire.close() == ""


def test_requests_from_a_file_are_answered_into_a_file(bare_index: Path, tmp_path: Path) -> None:
    import subprocess

    initialize = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "file", "version": "1"},
    }
    call = {"name": "describe_symbol", "arguments": {"name": "car"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    requests, answers = tmp_path / "requests", tmp_path / "answers"
    requests.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with requests.open("rb") as stdin, answers.open("wb") as stdout:
        command = [OBLIST, "mcp", "--index", str(bare_index), "--no-live"]
        done = subprocess.run(command, stdin=stdin, stdout=stdout, timeout=60, check=False)
    assert done.returncode == 0
    assert [json.loads(line)["id"] for line in answers.read_text().splitlines()] == [1, 2]


def test_a_client_that_goes_away_ends_the_server(bare_index: Path) -> None:
    wire = oblist_mcp(bare_index, "--no-live")
    wire.initialize()
    assert wire.process.stdout
    wire.process.stdout.close()
    wire.send({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert wire.process.wait(20) == 0
    assert wire.close() == ""


def test_errors_of_the_client_are_the_clients(libraries_index: Path) -> None:
    async def drive() -> None:
        async with _connected(libraries_index, "legacy", "--no-live") as client:
            with pytest.raises(MCPError, match="Resource not found"):
                await client.read_resource("lisp://package/NONE")

    anyio.run(drive)


def test_the_default_index_is_looked_for_until_there_is_one(bare_index: Path, tmp_path: Path) -> None:
    environment = {"XDG_DATA_HOME": str(tmp_path / "data"), "OBLIST_INDEX": ""}
    with Wire([OBLIST, "mcp", "--no-live"], environment=environment, cwd=tmp_path) as wire:
        wire.initialize()
        assert "there is no index" in wire.text("describe_symbol", name="car")
        (tmp_path / ".oblist").mkdir()
        os.link(bare_index, tmp_path / ".oblist" / "oblist.db")
        assert wire.text("describe_symbol", name="car").startswith("COMMON-LISP::CAR")
