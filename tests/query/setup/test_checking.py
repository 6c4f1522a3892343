"""Servers that do not answer as they should are told from those that do, within a limit."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from oblist.query.setup.checking.answered import answered
from oblist.query.setup.client import LSP, MCP, ServerStart
from oblist.query.setup.errors import SetupError
from support.editors.emporium import emporium
from support.starts.programs import counted_program


@pytest.fixture(scope="module")
def project() -> Path:
    """A project with an index."""
    return emporium()


@pytest.mark.parametrize(("server", "words"), [(MCP, "index "), (LSP, "it finds 3 symbols for mapcar")])
def test_a_server_of_ours_answers(server: str, words: str, project: Path) -> None:
    answer = answered(ServerStart(server, [counted_program("oblist"), server], project))
    assert answer.startswith(words)
    assert server == LSP or answer.endswith(f"{project.name}/.oblist/oblist.db")


def test_the_variables_of_a_clients_file_count(project: Path, tmp_path: Path) -> None:
    start = ServerStart(
        MCP, [counted_program("oblist"), "mcp"], project, {"OBLIST_INDEX": str(tmp_path / "no.db")}
    )
    with pytest.raises(SetupError, match=r"no\.db: there is no index"):
        answered(start)


@pytest.mark.parametrize("server", [MCP, LSP])
@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import sys; sys.exit('no such thing')", "does not answer as a server should: no such thing"),
        ("pass", "does not answer as a server should"),
        ("print('hello'); print('x' * 10_000)", "does not"),
        ("import time; time.sleep(600)", "did not answer within 3 seconds"),
        ("import os\nwhile True: os.write(1, b'x' * 4096)", "does not|did not answer"),
    ],
)
def test_a_program_that_is_no_server_is_told(code: str, words: str, server: str, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=words):
        answered(ServerStart(server, [sys.executable, "-c", code], tmp_path), seconds=3)


@pytest.mark.parametrize("server", [MCP, LSP])
@pytest.mark.parametrize(
    ("start", "words"),
    [
        (
            lambda server, path: ServerStart(server, ["no-such-program"], path),
            "no-such-program is not on the PATH",
        ),
        (lambda server, path: ServerStart(server, [f"{path}/none"], path), "none does not exist"),
        (
            lambda server, path: ServerStart(server, [sys.executable], path / "gone"),
            "gone, in which the server is started, does not",
        ),
    ],
)
def test_a_server_that_cannot_be_started_is_told(
    start: Callable[[str, Path], ServerStart], words: str, server: str, tmp_path: Path
) -> None:
    with pytest.raises(SetupError, match=words):
        answered(start(server, tmp_path))
