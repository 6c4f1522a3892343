"""The MCP server as seen by the MCP Inspector, a client in another language."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from oblist.query.tools.registry import registry
from oblist.query.tools.schemas import mcp_tool
from support.agents.mcp_servers import HttpServer
from support.checkout import INSTALLED
from support.command import OBLIST

pytestmark = [pytest.mark.full, pytest.mark.timeout(600)]
INSPECTOR = INSTALLED / "oblist-inspector" / "node_modules" / ".bin" / "mcp-inspector"
SAFE = [tool.offered(dangerous=False) for tool in registry if tool.safety_level == "safe" and tool.listed]


def inspected(target: list[str], method: str, *options: str) -> dict[str, Any]:
    """The inspector's answer to one question."""
    assert INSPECTOR.exists(), f"{INSPECTOR} is not there. Install it with: .ci/setup inspector"
    command = [str(INSPECTOR), "--cli", *target, "--method", method, *options]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def ask_everything(target: list[str]) -> None:
    tools = inspected(target, "tools/list")["tools"]
    assert [tool["name"] for tool in tools] == [tool.name for tool in SAFE]
    for tool, shown in zip(SAFE, tools, strict=True):
        assert shown["inputSchema"] == mcp_tool(tool)["inputSchema"]
        assert shown["outputSchema"] == mcp_tool(tool, structured=True)["outputSchema"]
    call = ["--tool-name", "describe_symbol", "--tool-arg", "name=cl:mapcar"]
    described = inspected(target, "tools/call", *call)
    assert described["isError"] is False
    assert described["content"][0]["text"].startswith("COMMON-LISP::MAPCAR [FUNCTION]")
    assert described["structuredContent"]["name"] == "MAPCAR"
    wrong = inspected(target, "tools/call", "--tool-name", "describe_symbol", "--tool-arg", "symbl=car")
    assert wrong["isError"] is True
    listed = inspected(target, "resources/list")["resources"]
    assert "lisp://package/COMMON-LISP" in [one["uri"] for one in listed]
    read = inspected(target, "resources/read", "--uri", "lisp://symbol/COMMON-LISP/CAR")
    assert read["contents"][0]["text"].startswith("COMMON-LISP::CAR [FUNCTION]")
    templates = inspected(target, "resources/templates/list")["resourceTemplates"]
    assert [one["uriTemplate"] for one in templates] == [
        "lisp://package/{name}",
        "lisp://symbol/{package}/{name}",
    ]
    assert len(inspected(target, "prompts/list")["prompts"]) == 1


def test_the_inspector_lists_calls_and_reads_over_stdio(bare_index: Path) -> None:
    ask_everything([OBLIST, "mcp", "--structured", "--index", str(bare_index), "--no-live"])


def test_the_inspector_lists_calls_and_reads_over_http(bare_index: Path) -> None:
    with HttpServer(bare_index, "--no-live") as server:
        ask_everything([server.url, "--transport", "http"])
        assert server.end()[::2] == (0, "")
