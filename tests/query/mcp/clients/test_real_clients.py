"""Coding agents as people install and configure them: each finds the tools, and uses one.

A script on this machine takes the place of their models.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.clients.agents import AGENTS, Agent, InstalledAgent, documented
from support.clients.dialects import SENTENCE
from support.clients.scripted_model import ScriptedModel

pytestmark = [pytest.mark.full, pytest.mark.timeout(600)]


@pytest.fixture
def project(shelf: tuple[Path, Path], tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".oblist").mkdir(parents=True)
    (folder / ".oblist" / "oblist.db").symlink_to(shelf[0])
    (folder / "src").mkdir()
    return folder


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel("describe_symbol", {"name": "shelf:with-book"}) as running:
        yield running


@pytest.mark.parametrize("configured", ["as documented", "by oblist setup"])
@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_an_agent_is_offered_the_tools_and_gets_an_answer(
    agent: Agent, configured: str, project: Path, model: ScriptedModel, tmp_path: Path
) -> None:
    installed = InstalledAgent(agent, tmp_path / "home", project, model.url)
    if configured == "as documented":
        installed.configure()
    else:
        installed.run(("oblist", "setup", agent.name, "--write"))
        installed.trust()
    assert agent.running in next(line for line in installed.servers().splitlines() if "oblist" in line)
    said = installed.ask("What does shelf:with-book do?")
    assert SENTENCE in said
    assert any(name.endswith("describe_symbol") for name in model.offered), model.offered
    assert any("SHELF::WITH-BOOK [MACRO]" in result for result in model.results), model.results


@pytest.mark.parametrize("agent", [one for one in AGENTS if one.has_roots], ids=lambda agent: agent.name)
def test_the_folder_that_is_open_counts_wherever_the_server_runs(
    agent: Agent, project: Path, model: ScriptedModel, tmp_path: Path
) -> None:
    installed = InstalledAgent(agent, tmp_path / "home", project, model.url)
    installed.configure()
    for name in ("elsewhere", "wrappers"):
        (tmp_path / name).mkdir()
    installed.start_servers_in(tmp_path / "elsewhere", tmp_path / "wrappers")
    installed.ask("What does shelf:with-book do?")
    assert any("SHELF::WITH-BOOK [MACRO]" in result for result in model.results), model.results


def test_what_a_project_brings_starts_only_once_a_person_agrees(
    project: Path, model: ScriptedModel, tmp_path: Path
) -> None:
    claude, codex, gemini, _ = AGENTS
    for agent in (claude, gemini):
        installed = InstalledAgent(agent, tmp_path / agent.name, project, model.url)
        installed.configure(trusted=False)
        (line,) = (line for line in installed.servers().splitlines() if "oblist mcp" in line)
        assert "Pending approval" in line or "Disabled" in line
    untrusted = InstalledAgent(codex, tmp_path / codex.name, project, model.url)
    (project / ".codex").mkdir()
    (project / ".codex" / "config.toml").write_text(documented(codex.heading))
    assert "oblist" not in untrusted.servers()
    trust = tmp_path / codex.name / ".codex" / "config.toml"
    trust.parent.mkdir()
    trust.write_text(f'[projects."{project}"]\ntrust_level = "trusted"\n')
    assert "oblist" in untrusted.servers()
