"""docs/security.md: each command and tool has a line, whose tests exist; a dash means nothing happens."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from oblist.query.cli import cli
from oblist.query.tools.registry import registry
from support.catalogs.libraries import libraries
from support.checkout import ROOT

TEXT = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
WRITES, STARTS, LISTENS = 2, 3, 4  # the columns

# Runs a command, and reports what it did that a reader of an index need not do.
AUDITED = """
import atexit, json, os, sys
seen = {"writes": [], "starts": [], "listens": []}
changing = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate"}
changing |= {"os.utime", "os.chmod"}
starting = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.system"}
def audit(event, args):
    if event == "open":
        path, _, flags = args
        writing = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if writing and path != os.devnull and not isinstance(path, int):
            seen["writes"].append(str(path))
    elif event == "sqlite3.connect":
        if "mode=ro" not in str(args[0]) and args[0] != ":memory:":
            seen["writes"].append(str(args[0]))
    elif event in changing:
        seen["writes"].append(event)
    elif event in starting:
        seen["starts"].append(event)
    elif event in ("socket.bind", "socket.connect"):
        seen["listens"].append(event)
atexit.register(lambda: os.write(2, ("\\nAUDIT " + json.dumps(seen)).encode()))
from oblist.query.cli import main
sys.argv = ["oblist", *sys.argv[1:]]
sys.addaudithook(audit)
main()
"""


def rows(heading: str) -> dict[str, list[str]]:
    """The cells of the table below ``heading``, by each name in the first one."""
    table = TEXT.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    found: dict[str, list[str]] = {}
    for line in table.splitlines():
        if line.startswith("| `"):
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            found.update(dict.fromkeys(re.findall(r"`([a-z_ -]+)`", cells[0]), cells))
    return found


COMMANDS, TOOLS = rows("Commands"), rows("Tools for agents")


def test_each_command_and_tool_has_a_line() -> None:
    assert set(COMMANDS) == {*cli.list_commands(click.Context(cli)), "tools call", "catalog build"}
    assert {name for name in TOOLS if not name.startswith("-")} == {tool.name for tool in registry}


@pytest.mark.parametrize("name", [*COMMANDS, *TOOLS])
def test_its_tests_exist(name: str) -> None:
    tests = re.findall(r"`(tests/[a-z_/]+\.py)`", {**COMMANDS, **TOOLS}[name][-1])
    assert tests
    for path in tests:
        assert (ROOT / path).is_file(), path


def examples(index: Path, folder: Path) -> Iterator[list[str]]:
    """A call of each command that needs no project; ``folder`` is for what it writes."""
    source = folder / "source.lisp"
    source.write_text("(car '(1))\n")
    yield ["describe", "car"]
    for command in ("apropos", "definition", "xref", "examples", "search"):
        yield [command, "mapcar"]
    yield ["package", "common-lisp-user"]
    yield ["class", "standard-object"]
    yield ["at", "src/code/list.lisp:185"]
    yield ["uses", "package:sb-bsd-sockets", "cl"]
    yield ["slot", "sb-c::ctran", "next"]
    yield ["outline", "package:sb-gray"]
    yield ["complete", "m-v-b"]
    yield ["completion", "bash", "--line", "oblist describe mapc"]
    yield ["audit", "package:sb-gray"]
    yield ["methods", "print-object", "--on", "pathname"]
    yield ["query", "SELECT 1"]
    yield ["diff", str(index), str(index)]
    yield ["affected", "--project", str(folder)]
    yield ["check", str(source)]
    yield ["export", "ctags", "-o", str(folder / "tags")]
    yield ["check-index", "--index", str(index)]
    yield ["clhs", "sb-ext:run-program"]
    yield ["catalog", "search", "area"]
    yield ["catalog", "show", "shapes"]
    yield ["provides", "area"]
    for command in ("problems", "info", "cache"):
        yield [command]
    yield ["tools"]


def test_a_dash_means_that_it_does_not(
    bare_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OBLIST_INDEX", str(bare_index))
    monkeypatch.setenv("OBLIST_CATALOG", str(libraries().catalog))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    named = set()
    for command in examples(bare_index, tmp_path):
        done = subprocess.run(
            [sys.executable, "-c", AUDITED, *command], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode in (0, 1), (command, done.stderr)  # 1: an SBCL may have kept no uses
        seen = json.loads(done.stderr.rpartition("AUDIT ")[2])
        cells = COMMANDS[command[0]]
        for column, what in ((WRITES, "writes"), (STARTS, "starts"), (LISTENS, "listens")):
            if cells[column] == "-":
                assert seen[what] == [], (command, what)
        if command[0] == "export":
            assert seen["writes"], "what is written is seen"
        named.add(command[0])
    dashes = {name for name, cells in COMMANDS.items() if cells[WRITES] == "-" and cells[LISTENS] == "-"}
    assert dashes <= named, "each of them has an example"
