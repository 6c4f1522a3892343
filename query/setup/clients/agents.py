"""Coding agents, which start the MCP server. Each file is as the client's documentation has it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..client import AGENT, LSP, MCP, Client, ClientFile, ServerStart
from ..files.block_part import BlockPart
from ..files.json_part import JsonPart
from ..files.parts import FileParts
from ..files.toml_part import TomlPart
from ..place import SetupPlace
from ..shipped import shipped_path, shipped_text
from .starts import one_list, program_and_arguments

_SERVERS = "mcpServers"
_NAME = "oblist"
_REINDEX_SECONDS = 600


def _server(program: str, *arguments: str) -> dict[str, Any]:
    return {"command": program, "args": ["mcp", *arguments]}


def _stdio(program: str) -> dict[str, Any]:
    return {"type": "stdio", **_server(program)}


def _claude_code(place: SetupPlace) -> ClientFile:
    part = JsonPart((_SERVERS, _NAME), _stdio(place.program))
    return ClientFile(place.project / ".mcp.json", part, program_and_arguments(place))


def _claude_desktop(place: SetupPlace) -> ClientFile:
    part = JsonPart((_SERVERS, _NAME), _server(place.own_program, "--index", str(place.index)))
    path = _desktop_folder(place) / "claude_desktop_config.json"
    return ClientFile(path, part, program_and_arguments(place, MCP, place.home))


def _desktop_folder(place: SetupPlace) -> Path:
    if place.platform == "darwin":
        return place.home / "Library" / "Application Support" / "Claude"
    return place.config / "Claude"


def _codex(place: SetupPlace) -> ClientFile:
    content = {**_server(place.program), "tool_timeout_sec": _REINDEX_SECONDS}
    part = TomlPart(("mcp_servers", _NAME), content)
    return ClientFile(_codex_folder(place) / "config.toml", part, program_and_arguments(place))


def _codex_folder(place: SetupPlace) -> Path:
    chosen = os.environ.get("CODEX_HOME")
    return Path(chosen) if chosen else place.home / ".codex"


def _gemini(place: SetupPlace) -> ClientFile:
    part = JsonPart((_SERVERS, _NAME), _server(place.program))
    return ClientFile(place.project / ".gemini" / "settings.json", part, program_and_arguments(place))


def _vscode(place: SetupPlace) -> ClientFile:
    part = JsonPart(("servers", _NAME), _stdio(place.program))
    return ClientFile(place.project / ".vscode" / "mcp.json", part, program_and_arguments(place))


def _cursor(place: SetupPlace) -> ClientFile:
    part = JsonPart((_SERVERS, _NAME), _stdio(place.program))
    return ClientFile(place.project / ".cursor" / "mcp.json", part, program_and_arguments(place))


def _zed(place: SetupPlace) -> ClientFile:
    part = JsonPart(("context_servers", _NAME), {**_server(place.own_program), "env": {}})
    return ClientFile(place.config / "zed" / "settings.json", part, program_and_arguments(place))


def _opencode(place: SetupPlace) -> ClientFile:
    schema = {"$schema": "https://opencode.ai/config.json"}
    server = {"type": "local", "command": [place.program, "mcp"], "enabled": True}
    editor = {"command": [place.program, "lsp"], "extensions": [".lisp", ".asd", ".cl"]}
    part = FileParts((JsonPart(("mcp", _NAME), server, schema), JsonPart(("lsp", _NAME), editor)))

    def starts(values: list[Any]) -> Sequence[ServerStart]:
        asked = ((MCP, values[0]), (LSP, values[1]))
        return [one for server, value in asked if value for one in one_list(place, server)(value)]

    return ClientFile(_opencode_file(place), part, starts)


def _opencode_file(place: SetupPlace) -> Path:
    with_comments = place.project / "opencode.jsonc"
    return with_comments if with_comments.exists() else place.project / "opencode.json"


def _agents_md(place: SetupPlace) -> ClientFile:
    part = BlockPart(shipped_text("agents.md"), "<!-- {} -->")
    return ClientFile(place.project / "AGENTS.md", part)


_PLUGIN = shlex.quote(str(shipped_path("claude-code")))

AGENTS = (
    Client(
        "claude-code",
        "Claude Code",
        AGENT,
        _claude_code,
        ("claude",),
        lambda place: (place.home / ".claude",),
        (
            "Claude Code asks once whether to trust the servers of this project: /mcp shows them.",
            f"There is a plug-in, too (docs/mcp.md): claude plugin marketplace add {_PLUGIN}",
        ),
    ),
    Client(
        "claude-desktop",
        "Claude Desktop",
        AGENT,
        _claude_desktop,
        (),
        lambda place: (_desktop_folder(place),),
        ("Quit Claude Desktop and start it again.",),
    ),
    Client("codex", "Codex", AGENT, _codex, ("codex",), lambda place: (_codex_folder(place),)),
    Client("gemini", "Gemini CLI", AGENT, _gemini, ("gemini",), lambda place: (place.home / ".gemini",)),
    Client(
        "vscode",
        "Visual Studio Code",
        AGENT,
        _vscode,
        ("code", "code-insiders", "codium"),
        lambda place: (place.config / "Code", place.project / ".vscode"),
        (
            "VS Code asks once whether to trust the server.",
            "The extension for Lisp files comes apart from this: docs/lsp.md says how.",
        ),
    ),
    Client(
        "cursor",
        "Cursor",
        AGENT,
        _cursor,
        ("cursor",),
        lambda place: (place.home / ".cursor", place.project / ".cursor"),
        ("Switch the server on in Cursor's settings, below MCP.",),
    ),
    Client("zed", "Zed", AGENT, _zed, ("zed", "zeditor"), lambda place: (place.config / "zed",)),
    Client(
        "opencode",
        "opencode",
        AGENT,
        _opencode,
        ("opencode",),
        lambda place: (place.config / "opencode", _opencode_file(place)),
    ),
    Client(
        "agents-md",
        "AGENTS.md, which agents read",
        AGENT,
        _agents_md,
        (),
        lambda place: (place.project / "AGENTS.md",),
        needs_index=False,
    ),
)
"""The agents, in the order in which they are listed."""
