"""The commands, configuration and code in the documentation work as they stand there."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from oblist.query.mcp.command import mcp
from oblist.query.tools.aliases import OTHER_NAMES
from oblist.query.tools.registry import registry
from support.agents.mcp_wire import Wire
from support.checkout import ROOT
from support.command import OBLIST, check, oblist

DOCS = ROOT / "docs"
MCP = (DOCS / "mcp.md").read_text(encoding="utf-8")
PAGES = [*sorted(DOCS.rglob("*.md")), DOCS.parent / "README.md", DOCS.parent / "CHANGELOG.md"]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_SERVERS = ("mcpServers", "servers", "mcp_servers")
_ADD = ("claude mcp add", "codex mcp add")
_PARSERS = {"json": json.loads, "toml": tomllib.loads}


def blocks(language: str, text: str = MCP) -> list[str]:
    """The fenced blocks in a language."""
    return [match[2] for match in _BLOCK.finditer(text) if match[1] == language]


def shell_lines() -> Iterator[list[str]]:
    """The words of each command line in docs/mcp.md."""
    for block in blocks("sh"):
        for line in block.splitlines():
            yield shlex.split(line.replace("(", "'('").replace(")", "')'"), comments=True)


def servers() -> list[dict[str, Any]]:
    """The servers that the configuration files in docs/mcp.md name."""
    found = []
    for language, parse in _PARSERS.items():
        for block in blocks(language):
            written = parse(block)
            for key in _SERVERS:
                found += list(written.get(key, {}).values())
    return found


def started() -> Iterator[list[str]]:
    """The arguments of oblist wherever docs/mcp.md has a client start it on stdio."""
    for server in servers():
        if "command" in server:
            assert Path(server["command"]).name == "oblist"
            yield server["args"]
    for words in shell_lines():
        if " ".join(words[:3]) in _ADD and "--" in words:
            command, *arguments = words[words.index("--") + 1 :]
            assert command == "oblist"
            yield arguments


def test_every_block_of_a_configuration_file_parses() -> None:
    assert len(blocks("json")) >= 6
    assert len(blocks("toml")) >= 3
    for page in PAGES:
        for language, parse in _PARSERS.items():
            for block in blocks(language, page.read_text(encoding="utf-8")):
                assert parse(block)


def test_what_clients_are_told_to_start_answers(bare_index: Path, tmp_path: Path) -> None:
    lines = {tuple(arguments) for arguments in started()}
    assert len(list(started())) >= 7 and len(lines) >= 2
    for arguments in lines:
        ours = list(arguments)
        if "--index" in ours:
            assert ours[ours.index("--index") + 1].endswith("/.oblist/oblist.db")
            ours[ours.index("--index") + 1] = str(bare_index)
        assert "--build" not in ours
        environment = {"OBLIST_INDEX": str(bare_index)}
        with Wire([OBLIST, *ours], environment=environment, cwd=tmp_path) as wire:
            assert wire.initialize()["serverInfo"]["name"] == "oblist"
            assert wire.text("describe_symbol", name="mapcar").startswith("COMMON-LISP::MAPCAR [FUNCTION]")


def test_the_project_index_is_found_from_its_folder(bare_index: Path, tmp_path: Path) -> None:
    inner = tmp_path / "project" / "src"
    inner.mkdir(parents=True)
    (tmp_path / "project" / ".oblist").mkdir()
    (tmp_path / "project" / ".oblist" / "oblist.db").symlink_to(bare_index)
    environment = {"OBLIST_INDEX": "", "XDG_DATA_HOME": str(tmp_path)}
    with Wire([OBLIST, "mcp"], environment=environment, cwd=inner) as wire:
        wire.initialize()
        assert "/project/.oblist/oblist.db" in wire.text("index_status")


def test_the_addresses_are_those_that_the_server_says(bare_index: Path) -> None:
    urls = {server["url"] for server in servers() if "url" in server}
    assert urls == {"http://127.0.0.1:8765/mcp"}
    with Wire([OBLIST, "mcp", "--index", str(bare_index), "--http", "0"]) as wire:
        assert wire.process.stderr
        said = wire.process.stderr.readline().decode()
        wire.process.terminate()
    assert re.fullmatch(r"oblist: serving MCP at http://127\.0\.0\.1:\d+/mcp\n", said)


def test_the_bearer_token_is_sent_by_every_client_over_http() -> None:
    over_http = [server for server in servers() if "url" in server]
    assert len(over_http) >= 3
    for server in over_http:
        header = server.get("headers", {}).get("Authorization", "")
        assert header.startswith("Bearer ${") or server.get("bearer_token_env_var") == "OBLIST_TOKEN"


def test_the_command_lines_of_the_server_parse() -> None:
    lines = [words for words in shell_lines() if words[:2] == ["oblist", "mcp"]]
    assert lines
    quoted = re.findall(r"`oblist (mcp [^`]+)`", MCP)
    for words in [*(line[1:] for line in lines), *map(shlex.split, quoted)]:
        mcp.make_context("mcp", words[1:], resilient_parsing=True)


def test_every_option_of_the_server_is_explained() -> None:
    options = [option for one in mcp.params if isinstance(one, click.Option) for option in one.opts]
    assert [option for option in options if f"`{option}" not in MCP and f" {option}" not in MCP] == []


def test_every_tool_is_on_the_page_of_tools() -> None:
    page = (DOCS / "tools.md").read_text(encoding="utf-8")
    for tool in registry:
        assert f"\n## {tool.name}\n" in page
        assert tool.description in page
        assert tool.safety_level != "safe" or not tool.listed or f"$ oblist tools call {tool.name}" in page
        assert all(f"| `{parameter.name}` |" in page for parameter in tool.parameters)
        assert f"`{tool.name}`" in MCP
    assert [name for name in OTHER_NAMES if f"| `{name}` |" not in page] == []


LINKS = [
    (page, target)
    for page in PAGES
    for target in _LINK.findall(page.read_text(encoding="utf-8"))
    if ":" not in target
]


def test_every_page_can_be_reached_from_the_readme() -> None:
    assert {page.name for page, _ in LINKS} >= {"README.md", "mcp.md", "browse.md", "ci.md", "tools.md"}
    reached: set[Path] = set()
    new = {(DOCS.parent / "README.md").resolve()}
    while new:
        reached |= new
        new = {
            (page.parent / target.partition("#")[0]).resolve()
            for page, target in LINKS
            if page.resolve() in new and target[0] != "#"
        } - reached
    assert {page.resolve() for page in PAGES} - reached == set()


@pytest.mark.parametrize(("page", "target"), LINKS, ids=lambda part: getattr(part, "name", part))
def test_a_link_leads_somewhere(page: Path, target: str) -> None:
    name, _, anchor = target.partition("#")
    linked = page.parent / name if name else page
    assert linked.exists()
    if linked.suffix != ".png":
        headings = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
        anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
        assert not anchor or anchor in anchors


def test_the_example_of_a_tool_in_another_package_is_a_tool(bare_index: Path, tmp_path: Path) -> None:
    (code,) = blocks("python")
    (project,) = [facts for facts in map(tomllib.loads, blocks("toml")) if "project" in facts]
    ((name, value),) = project["project"]["entry-points"]["oblist.tools"].items()
    module = value.partition(":")[0]
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"] == [f"{module}.py"]
    (tmp_path / f"{module}.py").write_text(code)
    facts = tmp_path / f"{module}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['project']['name']}\nVersion: 1.0\n"
    )
    (facts / "entry_points.txt").write_text(f"[oblist.tools]\n{name} = {value}\n")
    environment = {"PYTHONPATH": str(tmp_path), "OBLIST_INDEX": str(bare_index)}
    listed = oblist("tools", environment=environment)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert listed.stdout.splitlines()[-1].startswith("undocumented_exports")
    with Wire([OBLIST, "mcp", "--structured"], environment=environment) as wire:
        wire.initialize()
        result = wire.call("undocumented_exports", package="sb-gray")
        missing = wire.text("undocumented_exports", package="no-such-package")
    assert result["isError"] is False
    names = result["structuredContent"]["names"]
    heading, *lines = result["content"][0]["text"].splitlines()
    assert re.fullmatch(r"\d+ of \d+ exports of SB-GRAY have no documentation", heading)
    assert lines == names
    assert missing == "Package NO-SUCH-PACKAGE not found"


def test_the_finding_that_the_readme_begins_with_is_what_check_says(bare_index: Path) -> None:
    shown = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    shown = shown.partition("$ oblist check bzip2.lisp\n")[2].partition("```")[0]
    folder = "/usr/share/common-lisp/source/chipz/"
    code, said, _ = check(bare_index, f"{folder}bzip2.lisp")
    assert code == 1 and "checksum-mismatch" in shown
    assert said.replace(folder, "") == shown
