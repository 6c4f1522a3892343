"""The coding agents that the tests start, with the configurations of docs/mcp.md, and how to ask each."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from support.checkout import INSTALLED, ROOT
from support.command import OBLIST

PROGRAMS = INSTALLED / "oblist-clients" / "node_modules" / ".bin"
SECONDS = 120.0


@dataclass(frozen=True)
class Agent:
    """A coding agent, in its project and in a home of its own."""

    name: str
    """Its name for `oblist setup`."""
    heading: str
    """The part of docs/mcp.md that has its configuration."""
    configuration: str
    """The file that it goes to, in the project, or in the home if that begins with ~."""
    ask: tuple[str, ...]
    """The command that asks a question without a person; the question follows."""
    lists: tuple[str, ...]
    """The command that says which servers run."""
    running: str
    """The words of a line that says that ours does."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """More of it; MODEL stands for the address of the model."""
    set_up: Callable[[Path, Path, str], None] = lambda home, project, model: None
    """Writes what else a person would: which model to ask, and that the project is trusted."""
    has_roots: bool = True
    """Whether it tells servers which folder is open."""


def _claude(home: Path, project: Path, model: str) -> None:
    _write(home / ".claude" / "settings.json", {"enabledMcpjsonServers": ["oblist"]})


def _codex(home: Path, project: Path, model: str) -> None:
    file = home / ".codex" / "config.toml"
    provider = f"""
        model = "scripted"
        model_provider = "scripted"
        [model_providers.scripted]
        name = "scripted"
        base_url = "{model}/v1"
        wire_api = "responses"
        [analytics]
        enabled = false
        """
    ours = file.read_text() if file.exists() else ""
    file.write_text(f"{provider}\n{ours}")


def _gemini(home: Path, project: Path, model: str) -> None:
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"enableAutoUpdate": False},
    }
    _write(home / ".gemini" / "settings.json", settings)
    _write(home / ".gemini" / "trustedFolders.json", {str(project): "TRUST_FOLDER"})
    file = project / ".gemini" / "settings.json"
    trusted = json.loads(file.read_text())
    trusted["mcpServers"]["oblist"]["trust"] = True
    _write(file, trusted)


def _opencode(home: Path, project: Path, model: str) -> None:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "scripted",
        "options": {"baseURL": f"{model}/v1", "apiKey": "none"},
        "models": {"scripted": {"name": "scripted"}},
    }
    settings = {
        "model": "scripted/scripted",
        "small_model": "scripted/scripted",
        "autoupdate": False,
        "share": "disabled",
        "provider": {"scripted": provider},
    }
    _write(home / ".config" / "opencode" / "opencode.json", settings)


_ALLOWED = "mcp__oblist,mcp__plugin_oblist_oblist,LSP,Bash"
# Else it asks its model before the server has started, on a busy machine.
_WAITING_CODEX = (
    *("-c", "mcp_servers.oblist.required=true"),
    *("-c", "mcp_servers.oblist.startup_timeout_sec=100"),
)

AGENTS = (
    Agent(
        "claude-code",
        "Claude Code",
        ".mcp.json",
        (
            "claude",
            "-p",
            "--allowedTools",
            _ALLOWED,
            "--output-format",
            "text",
            "--",
        ),
        ("claude", "mcp", "list"),
        "Connected",
        {
            "ANTHROPIC_BASE_URL": "MODEL",
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "MCP_CONNECTION_NONBLOCKING": "0",  # else the first question may come before the tools
            "MCP_CONNECT_TIMEOUT_MS": "100000",
            "ENABLE_LSP_TOOL": "1",
            "DISABLE_AUTOUPDATER": "1",
        },
        _claude,
    ),
    Agent(
        "codex",
        "Codex",
        "~/.codex/config.toml",
        ("codex", "exec", "--skip-git-repo-check", *_WAITING_CODEX, "--"),
        ("codex", "mcp", "list"),
        "enabled",
        set_up=_codex,
        has_roots=False,
    ),
    Agent(
        "gemini",
        "Gemini CLI",
        ".gemini/settings.json",
        ("gemini", "--model", "gemini-2.5-flash", "-p"),  # by default it asks a model which one to ask
        ("gemini", "mcp", "list"),
        "Connected",
        {"GOOGLE_GEMINI_BASE_URL": "MODEL", "GEMINI_API_KEY": "none"},
        _gemini,
    ),
    Agent(
        "opencode",
        "opencode",
        "opencode.json",
        ("opencode", "run", "--"),
        ("opencode", "mcp", "list"),
        "connected",
        {
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        },
        _opencode,
    ),
)


class InstalledAgent:
    """An agent in its project, with its home and the model that it asks."""

    def __init__(self, agent: Agent, home: Path, project: Path, model: str) -> None:
        program = PROGRAMS / agent.ask[0]
        assert program.exists(), f"{program} is not there. Install it with: .ci/setup clients"
        self._agent = agent
        self._home = home
        self._project = project
        self._model = model
        self.environment = {
            "HOME": str(home),
            # Nothing but the model is asked: whatever else a client looks for is behind a closed door.
            "HTTPS_PROXY": "http://127.0.0.1:9",
            "HTTP_PROXY": "http://127.0.0.1:9",
            "NO_PROXY": "127.0.0.1",
            "PATH": os.pathsep.join([str(PROGRAMS), str(Path(OBLIST).parent), "/usr/bin", "/bin"]),
            **{name: model if value == "MODEL" else value for name, value in agent.environment.items()},
        }
        home.mkdir()

    def configure(self, *, trusted: bool = True) -> None:
        """Write the configuration that docs/mcp.md has for it; then, do what else a person would."""
        in_home = self._agent.configuration.startswith("~/")
        file = (self._home if in_home else self._project) / self._agent.configuration.removeprefix("~/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(documented(self._agent.heading))
        if trusted:
            self.trust()

    def start_servers_in(self, folder: Path, wrappers: Path) -> None:
        """Have oblist start in ``folder``, wherever the agent starts it."""
        wrapper = wrappers / "oblist"
        wrapper.write_text(f'#!/bin/sh\ncd "{folder}" && exec "{OBLIST}" "$@"\n')
        wrapper.chmod(0o755)
        self.environment["PATH"] = f"{wrappers}{os.pathsep}{self.environment['PATH']}"

    def trust(self) -> None:
        """Do what else a person would once it is configured."""
        self._agent.set_up(self._home, self._project, self._model)

    def ask(self, question: str) -> str:
        """What it prints about a question."""
        return self.run((*self._agent.ask, question))

    def servers(self) -> str:
        """What it says of the servers that it knows."""
        return self.run(self._agent.lists)

    def run(self, command: tuple[str, ...], text: str = "") -> str:
        """What a command prints, on standard output and error, if ``text`` is its input."""
        program = OBLIST if command[0] == "oblist" else PROGRAMS / command[0]
        done = subprocess.run(
            [str(program), *command[1:]],
            cwd=self._project,
            env=self.environment,
            input=text,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}"
        return done.stdout


def documented(heading: str) -> str:
    """The first configuration, JSON or TOML, below a heading of docs/mcp.md."""
    text = (ROOT / "docs" / "mcp.md").read_text().partition(f"\n### {heading}\n")[2]
    language = "toml" if "```toml" in text.partition("\n### ")[0] else "json"
    return text.partition(f"```{language}\n")[2].partition("```")[0]


def _write(file: Path, settings: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(settings))
