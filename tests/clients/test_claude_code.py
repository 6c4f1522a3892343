"""The plug-in for Claude Code: its parts agree with the rest, and Claude Code itself installs and uses it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.checkout import ROOT
from support.clients.agents import AGENTS, InstalledAgent, documented
from support.clients.dialects import SENTENCE
from support.clients.scripted_model import ScriptedModel

CLIENTS = ROOT / "data" / "clients"
PLUGIN = CLIENTS / "claude-code"
MANIFEST = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())
NAMED = {"name": "shelf:with-book"}
CLAUDE = AGENTS[0]


def test_the_skill_is_the_page_that_all_agents_get() -> None:
    _, head, body = (PLUGIN / "skills" / "lisp-code" / "SKILL.md").read_text().split("---\n", 2)
    assert head.startswith("name: lisp-code\ndescription: ")
    assert body == f"\n{(CLIENTS / 'agents.md').read_text()}"
    assert len(body.splitlines()) < 40


def test_the_plug_in_starts_what_is_documented_and_has_our_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert MANIFEST["version"] == project["version"]
    assert MANIFEST["license"] == project["license"]
    assert MANIFEST["mcpServers"] == json.loads(documented("Claude Code"))["mcpServers"]
    server = MANIFEST["lspServers"]["oblist"]
    assert [server["command"], *server["args"]] == ["oblist", "lsp"]
    assert set(server["extensionToLanguage"]) == {".lisp", ".asd", ".cl"}


def test_the_market_place_offers_this_folder() -> None:
    market = json.loads((PLUGIN / ".claude-plugin" / "marketplace.json").read_text())
    assert market["name"] == "oblist"
    (offer,) = market["plugins"]
    assert (offer["name"], offer["source"]) == (MANIFEST["name"], "./")
    assert offer["description"] == MANIFEST["description"]


def test_the_hook_cannot_block() -> None:
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"]
    ((event, [entry]),) = hooks.items()
    (hook,) = entry["hooks"]
    assert (event, entry["matcher"]) == ("PreToolUse", "Grep|Bash")
    assert hook["command"].endswith("|| true")
    assert hook["timeout"] <= 5


# Claude Code itself


@pytest.fixture
def project(shelf: tuple[Path, Path], tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".oblist").mkdir(parents=True)
    (folder / ".oblist" / "oblist.db").symlink_to(shelf[0])
    (folder / "book.lisp").write_text("(shelf:with-book (one) one)\n")
    return folder


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel("describe_symbol", NAMED) as running:
        yield running


def installed(project: Path, model: ScriptedModel) -> InstalledAgent:
    """Claude Code with the plug-in, as the documentation says."""
    claude = InstalledAgent(CLAUDE, project.parent / "home", project, model.url)
    claude.run(("claude", "plugin", "marketplace", "add", str(PLUGIN)))
    assert "Successfully installed" in claude.run(("claude", "plugin", "install", "oblist@oblist"))
    return claude


@pytest.mark.full
@pytest.mark.timeout(600)
def test_claude_code_finds_the_plug_in_valid(project: Path, model: ScriptedModel) -> None:
    claude = InstalledAgent(CLAUDE, project.parent / "home", project, model.url)
    for what in (PLUGIN, PLUGIN / ".claude-plugin" / "plugin.json"):
        assert "Validation passed" in claude.run(("claude", "plugin", "validate", "--strict", str(what)))


@pytest.mark.full
@pytest.mark.timeout(600)
def test_with_the_plug_in_claude_code_has_the_tools_and_the_skill(
    project: Path, model: ScriptedModel
) -> None:
    claude = installed(project, model)
    assert "plugin:oblist:oblist: oblist mcp - ✔ Connected" in claude.servers()
    assert SENTENCE in claude.ask("What does with-book do?")
    assert "mcp__plugin_oblist_oblist__describe_symbol" in model.offered
    assert any("SHELF::WITH-BOOK [MACRO]" in result for result in model.results)
    assert "oblist:lisp-code" in model.requests[0][1]


@pytest.mark.full
@pytest.mark.timeout(600)
def test_with_the_plug_in_claude_code_asks_the_language_server(project: Path) -> None:
    place = {"operation": "hover", "filePath": "book.lisp", "line": 1, "character": 10}
    with ScriptedModel("LSP", place) as model:
        claude = installed(project, model)
        claude.environment["ENABLE_TOOL_SEARCH"] = "false"  # the model sees all tools at once
        assert SENTENCE in claude.ask("What is there?")
        assert any("shelf:with-book" in result for result in model.results), model.results


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize("on", [False, True])
def test_the_hint_reaches_the_model_if_it_is_on(project: Path, on: bool) -> None:
    search = {"command": "grep -rn with-book .", "description": "Search"}
    with ScriptedModel("Bash", search) as model:
        claude = installed(project, model)
        if on:
            values = json.dumps({"hint": "true"})
            claude.run(("claude", "plugin", "configure", "oblist@oblist", "--values-stdin"), values)
        assert SENTENCE in claude.ask("Where is with-book?")
        assert any("book.lisp" in result for result in model.results), model.results
        assert ("This project has an index of its Lisp code" in model.requests[-1][1]) == on
