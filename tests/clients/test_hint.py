"""The hook of the plug-in for Claude Code: it says once that there is an index, and is never in the way."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from support.checkout import ROOT

SCRIPT = ROOT / "data" / "clients" / "claude-code" / "hooks" / "hint.sh"
SESSION = "0d609809-4272-4176-8916-0f157cd0c643"


class Hook:
    """The hook as Claude Code calls it, in a project and a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.state = folder / "state"
        (self.project / "src").mkdir(parents=True)
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "XDG_STATE_HOME": str(self.state),
            "CLAUDE_PROJECT_DIR": str(self.project / "src"),
            "CLAUDE_PLUGIN_OPTION_HINT": "true",
        }

    def index(self) -> Path:
        file = self.project / ".oblist" / "oblist.db"
        file.parent.mkdir(exist_ok=True)
        file.touch()
        return file

    def run(self, text: bytes, **environment: str) -> str:
        done = subprocess.run(
            ["sh", str(SCRIPT)],
            input=text,
            env={**self.environment, **environment},
            cwd=self.project,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode()

    def says(self, tool: str, session: str = SESSION, **given: str) -> bool:
        """Whether it gives the hint before a call of a tool."""
        said = self.run(call(tool, session, **given))
        if not said:
            return False
        output = json.loads(said)["hookSpecificOutput"]
        assert set(output) == {"hookEventName", "additionalContext"}  # it decides nothing
        assert "find_references" in output["additionalContext"]
        return True


def call(tool: str, session: str = SESSION, **given: Any) -> bytes:
    """What Claude Code writes to the hook."""
    message = {
        "session_id": session,
        "transcript_path": f"/home/me/.claude/projects/x/{session}.jsonl",
        "cwd": "/home/me",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": given,
        "tool_use_id": "toolu_1",
    }
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode()


@pytest.fixture
def hook(tmp_path: Path) -> Hook:
    made = Hook(tmp_path)
    made.index()
    return made


LISP = [
    ("Bash", {"command": "grep -rn 'with-open-book' ."}),
    ("Bash", {"command": "grep -rn greet src/party.lisp"}),
    ("Bash", {"command": 'rg "greet" -t lisp', "description": "x"}),
    ("Bash", {"command": "cd src && git grep -n shop:price"}),
    ("Bash", {"command": 'rg -n "\\(defun greet" .'}),
    ("Bash", {"command": "ls; grep -rn '*special-one*' ."}),
    ("Bash", {"command": 'grep -rn "say \\"hello-world\\"" --include=*.asd .'}),
    ("Grep", {"pattern": "make-guest"}),
    ("Grep", {"pattern": "greet", "glob": "*.lisp"}),
    ("Grep", {"pattern": "greet", "type": "lisp"}),
    ("Grep", {"pattern": "defmethod price", "path": "/home/me/my.project/src"}),
]
OTHER = [
    ("Bash", {"command": "ls -la"}),
    ("Bash", {"command": "cat src/party.lisp"}),
    ("Bash", {"command": "grep -rn TODO ."}),
    ("Bash", {"command": "grep -rn --ignore-case todo my-folder/"}),
    ("Bash", {"command": "rg 'with-open-book' docs/manual.md"}),
    ("Bash", {"command": "rg some-name --glob '*.{py,js}'"}),
    ("Bash", {"command": "./my-grep-tool x", "description": "grep for make-guest in a.lisp"}),
    ("Grep", {"pattern": "TODO"}),
    ("Grep", {"pattern": "font-size", "glob": "*.css"}),
    ("Read", {"file_path": "src/party.lisp"}),
    ("Edit", {"old_string": "grep make-guest", "new_string": "x"}),
]


@pytest.mark.parametrize(("tool", "given"), LISP)
def test_a_search_for_a_lisp_name_gets_the_hint_once_in_a_conversation(
    hook: Hook, tool: str, given: dict[str, str]
) -> None:
    assert hook.says(tool, **given)
    assert not hook.says(tool, **given)
    assert hook.says(tool, "another-session", **given)


def test_other_calls_get_none(hook: Hook) -> None:
    for tool, given in OTHER:
        assert not hook.says(tool, **given), given
    assert not hook.state.exists()


def test_it_is_off_unless_a_person_turns_it_on(hook: Hook) -> None:
    for value in ("", "false", "1", "TRUE"):
        assert hook.run(call("Grep", pattern="make-guest"), CLAUDE_PLUGIN_OPTION_HINT=value) == ""
    manifest = json.loads((SCRIPT.parents[1] / ".claude-plugin" / "plugin.json").read_text())
    assert manifest["userConfig"]["hint"]["default"] is False


def test_without_an_index_it_is_silent(tmp_path: Path) -> None:
    hook = Hook(tmp_path)
    assert not hook.says("Grep", pattern="make-guest")
    assert hook.run(call("Grep", pattern="make-guest"), OBLIST_INDEX=str(tmp_path / "none.db")) == ""
    named = tmp_path / "named.db"
    named.touch()
    assert hook.run(call("Grep", pattern="make-guest"), OBLIST_INDEX=str(named))


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
def test_an_index_of_another_user_does_not_count(hook: Hook) -> None:
    os.chown(hook.index(), 65534, 65534)
    assert not hook.says("Grep", pattern="make-guest")


def test_of_searches_at_once_one_gets_the_hint_and_its_note_is_private(hook: Hook) -> None:
    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(lambda _: hook.says("Grep", pattern="make-guest"), range(16)))
    assert said.count(True) == 1
    notes = hook.state / "oblist" / "hints"
    assert stat.S_IMODE(notes.stat().st_mode) == 0o700
    assert [(note.name, stat.S_IMODE(note.stat().st_mode)) for note in notes.iterdir()] == [(SESSION, 0o600)]


def test_old_notes_are_removed(hook: Hook) -> None:
    assert hook.says("Grep", "old", pattern="make-guest")
    notes = hook.state / "oblist" / "hints"
    os.utime(notes / "old", (0, 0))
    assert hook.says("Grep", "new", pattern="make-guest")
    assert [note.name for note in notes.iterdir()] == ["new"]


HOSTILE = ["../../elsewhere", "a/b", "", "$(touch x)", "`touch x`", "a" * 101, "a b", "é", "*", "."]


def test_no_session_writes_elsewhere(hook: Hook, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    for session in HOSTILE:
        assert not hook.says("Grep", session, pattern="make-guest"), session
    assert sorted(tmp_path.rglob("*")) == before


def test_what_is_searched_for_cannot_pose_as_another_field(hook: Hook) -> None:
    command = 'grep -rn make-guest . # ","session_id":"posed","tool_name":"x"'
    assert hook.says("Bash", command=command)
    assert [note.name for note in (hook.state / "oblist" / "hints").iterdir()] == [SESSION]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\n",
        b"no JSON",
        b"{}",
        b'{"tool_name":"Grep"}',
        b'{"tool_name":"Grep","pattern":"',
        b"\x00\xff" * 1000,
        b'{"tool_name":"Bash","tool_input":{"command":"grep ' + b"a-b " * 500_000,
        call("Bash", command="grep -rn $(touch made) `touch made` make-guest"),
    ],
    ids=range(9),
)
def test_whatever_it_reads_it_ends_well_and_runs_nothing(hook: Hook, text: bytes) -> None:
    hook.run(text)
    assert not list(hook.project.rglob("made"))


def test_a_folder_that_cannot_be_written_is_no_failure(hook: Hook) -> None:
    hook.state.write_text("a file")
    assert not hook.says("Grep", pattern="make-guest")
    assert hook.run(call("Grep", pattern="make-guest"), XDG_STATE_HOME="", HOME="") == ""
