"""The command ``setup``: what it lists, shows, writes and takes back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oblist.query.setup.clients.table import CLIENTS
from oblist.query.setup.place import SetupPlace, this_place
from support.command_line import run_main


def test_the_list_has_every_client_and_says_which_are_here(place: SetupPlace) -> None:
    (place.home / ".codex").mkdir()
    (place.home / ".codex" / "config.toml").write_text("a = \n")
    run = run_main("setup")
    assert run.code == 0
    for name, client in CLIENTS.items():
        assert f"  {name:14}  {client.title}: " in run.output
    assert "  codex           Codex: broken\n" in run.output
    assert f"{place.home}/.codex/config.toml:1:5: this is not TOML: Invalid value" in run.output
    assert "  cursor          Cursor: not set up, not found here\n" in run.output
    rows = {row["name"]: row for row in json.loads(run_main("setup", "--json").output)}
    assert list(rows) == list(CLIENTS)
    assert rows["codex"]["standing"] == "broken" and rows["codex"]["here"] is True
    assert rows["cursor"] == {
        "name": "cursor",
        "title": "Cursor",
        "sort": "agent",
        "here": False,
        "standing": "not set up",
        "file": str(place.project / ".cursor" / "mcp.json"),
        "problem": None,
        "answer": None,
    }


def test_a_difference_is_shown_and_nothing_written(place: SetupPlace) -> None:
    (place.project / ".mcp.json").write_text('{"a": 1}')
    run = run_main("setup", "claude-code", "codex")
    assert run.code == 0
    path = place.project / ".mcp.json"
    assert run.output.startswith(
        f'--- {path}\n+++ {path}\n@@ -1 +1 @@\n-{{"a": 1}}\n\\ No newline at end of file\n+'
    )
    assert f"--- /dev/null\n+++ {place.home}/.codex/config.toml\n" in run.output
    assert f"oblist: --write would write {path}\n" in run.errors
    assert "--write also builds it, and building it loads the systems of the project" in run.errors
    assert path.read_text() == '{"a": 1}' and not (place.home / ".codex").exists()


def test_writing_twice_and_undoing_twice(place: SetupPlace) -> None:
    first = run_main("setup", "cursor", "kate", "--write", "--no-index")
    assert (first.code, first.output) == (0, "")
    assert f"oblist: wrote {place.project}/.cursor/mcp.json\n" in first.errors
    assert "note: Kate asks once whether it may start the server.\n" in first.errors
    again = run_main("setup", "cursor", "--write", "--no-index")
    assert again.errors == f"oblist: cursor is already set up in {place.project}/.cursor/mcp.json\n"
    undone = run_main("setup", "cursor", "kate", "--undo")
    assert undone.code == 0
    assert f"oblist: removed {place.project}/.cursor/mcp.json\n" in undone.errors
    assert not (place.project / ".cursor").exists() and not (place.config / "kate").exists()
    assert run_main("setup", "cursor", "--undo").errors == "oblist: cursor is not set up\n"


def test_nothing_is_written_if_one_of_the_files_is_broken(place: SetupPlace) -> None:
    (place.project / ".mcp.json").write_text("{\n")
    run = run_main("setup", "cursor", "claude-code", "--write", "--no-index")
    assert run.code == 2
    assert run.errors == (
        f'oblist: {place.project}/.mcp.json:2:1: this is not JSON: a name in quotes or "}}" is missing '
        "at the end. Correct the file and try again; nothing was written.\n"
    )
    assert not (place.project / ".cursor").exists()


def test_what_is_written_is_also_said_as_json(place: SetupPlace) -> None:
    (written,) = json.loads(run_main("setup", "gemini", "--write", "--no-index", "--json").output)
    assert written["name"] == "gemini" and written["written"] is True and "+  " in written["change"]
    (again,) = json.loads(run_main("setup", "gemini", "--write", "--no-index", "--json").output)
    assert again["written"] is False and again["change"] == ""
    (undone,) = json.loads(run_main("setup", "gemini", "--undo", "--json").output)
    assert undone["written"] is True and "-  " in undone["change"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["claude-cod"],
            "There is no client 'claude-cod'. Did you mean claude-code? The clients are: claude-code, ",
        ),
        (["xyz"], "There is no client 'xyz'. The clients are: "),
        (["--write"], "Name the clients, such as: "),
        (["--undo"], "Name the clients, such as: "),
        (["codex", "--write", "--undo"], "Give only one of these: --write, --undo."),
        (["--check", "--undo", "codex"], "Give only one of these: --undo, --check."),
        (["codex", "--project", "/no/such"], "'/no/such' does not exist"),
    ],
)
def test_misuse_is_explained(arguments: list[str], words: str, place: SetupPlace) -> None:
    run = run_main("setup", *arguments)
    assert run.code == 2 and words in run.errors
    assert not (place.home / ".codex").exists()


def test_a_check_says_what_works_and_what_does_not(
    place: SetupPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    nothing = run_main("setup", "--check")
    assert nothing.code == 1 and nothing.output.startswith(f"Nothing is set up for {place.project}.")
    run_main("setup", "github", "pre-commit", "codex", "--write", "--no-index")
    (place.home / ".codex" / "config.toml").write_text('[mcp_servers.oblist]\ncommand = "/no/such"\n')
    (place.project / ".mcp.json").write_text('{"mcpServers": {"oblist": {"args": []}}}')
    run = run_main("setup", "--check")
    assert run.code == 1
    assert run.output.splitlines() == [
        "claude-code: does not work: the entry for oblist names no command",
        "codex: does not work: the program /no/such does not exist: install oblist there, or set this client "
        "up again",
        f"pre-commit: does not work: {place.index} does not exist: build it with oblist index --project .",
        "github: works: there is nothing to start; the file is correct",
    ]
    assert run_main("setup", "--check", "github").code == 0
    unset = run_main("setup", "--check", "cursor")
    assert unset.code == 1
    assert unset.output == "cursor: not set up. Set it up with: oblist setup cursor --write\n"


def test_a_file_that_cannot_be_written_is_named(place: SetupPlace) -> None:
    (place.project / ".cursor").write_text("a file")
    run = run_main("setup", "cursor", "--write", "--no-index")
    assert run.code == 2 and f"{place.project}/.cursor/mcp.json cannot be " in run.errors


def test_the_project_is_the_folder_around_with_a_sign_of_one(
    place: SetupPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = place.project / "src" / "deep"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert this_place().project == inner
    (place.project / ".git").mkdir()
    (place.home / ".git").mkdir()  # the home folder is no project
    assert this_place().project == place.project
    assert this_place(tmp_path).project == tmp_path
