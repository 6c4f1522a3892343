"""The candidates for what has been typed, as the scripts of the shells ask for them."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oblist.query.cli import COMMANDS
from oblist.query.completion.candidates import MOST
from oblist.query.completion.typed import typed_line
from support.command_line import oblist


def asked(line: str, index: Path | None = None, shell: str = "zsh", word: str = "") -> list[str]:
    """The lines that a shell gets: what sort of candidates they are, and these."""
    environment = {"OBLIST_INDEX": str(index)} if index else {}
    done = oblist("completion", shell, "--line", line, "--word", word, environment=environment)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("oblist des", ["describe"]),
        ("/usr/bin/oblist catalog s", ["search", "show"]),
        ("oblist describe --no-l", ["--no-live"]),
        ("oblist check --format sar", ["sarif"]),
        ("oblist describe mapcar --pack", ["--package"]),
        ("oblist describe multiple-value-b", ["multiple-value-bind"]),
        ("oblist describe MULTIPLE-VALUE-B", ["multiple-value-bind"]),
        ("oblist describe -p sb-mop ensure-class-u", ["ensure-class-using-class"]),
        ("oblist definition car sb-ext:posix-g", ["sb-ext:posix-getenv"]),
        ("oblist xref sb-ext::posix-g", ["sb-ext::posix-getenv"]),
        ("oblist rename :allow-other-k", [":allow-other-keys"]),
        ("oblist describe '*print-ba", ["*print-base*"]),
        ("oblist describe \\*print-ba", ["*print-base*"]),
        ("oblist package sb-pro", ["sb-profile"]),
        ("oblist describe car --package=sb-gr", ["sb-gray"]),
        ("oblist apropos x --seen-from sb-gr", ["sb-gray"]),
        ("oblist uses sb-pro", ["sb-profile"]),
        ("oblist uses project sb-pro", ["sb-profile"]),
        ("oblist methods print-object --on standard-o", ["standard-object"]),
    ],
)
def test_what_begins_so(line: str, some: list[str], bare_index: Path) -> None:
    kind, *found = asked(line, bare_index)
    assert kind == "plain"
    assert set(some) <= set(found)
    beginning = typed_line(line).beginning.rpartition("=")[2]
    assert all(one.lower().startswith(beginning.lower()) for one in found)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("oblist check ", "file"),
        ("oblist describe car --index ", "file"),
        ("oblist index --project ", "dir"),
        ("oblist rename a b --project ", "dir"),
        ("oblist diff ", "file"),
    ],
)
def test_files_and_folders_are_for_the_shell(line: str, kind: str) -> None:
    assert asked(line) == [kind]


def test_all_commands_are_candidates_and_none_is_imported() -> None:
    kind, *found = asked("oblist ")
    assert kind == "plain" and found == list(COMMANDS)


def test_systems_of_the_index(libraries_index: Path) -> None:
    assert asked("oblist watch --system al", libraries_index) == ["plain", "alexandria"]


def test_there_are_only_so_many(bare_index: Path) -> None:
    assert len(asked("oblist describe ", bare_index)) == 1 + MOST


def test_an_index_that_the_line_names_is_asked(bare_index: Path, tmp_path: Path) -> None:
    line = f"oblist describe --index {bare_index} sb-ext:posix-g"
    assert asked(line, tmp_path / "none.db") == ["plain", "sb-ext:posix-getenv"]


@pytest.mark.parametrize("content", [None, b"", b"(defun f ())\n" * 100, b"SQLite format 3\0" + b"x" * 5_000])
def test_without_a_usable_index_there_are_no_names(tmp_path: Path, content: bytes | None) -> None:
    index = tmp_path / "oblist.db"
    if content is not None:
        index.write_bytes(content)
    for line in ("oblist describe m", "oblist package c", "oblist uses c", "oblist describe -p c"):
        assert asked(line, index) == ["plain"]


@pytest.mark.parametrize("line", ["", "oblist nothing x", "oblist describe --limit x y", "oblist --version "])
def test_a_line_that_is_wrong_or_ends_at_once_is_no_error(line: str, bare_index: Path) -> None:
    kind, *found = asked(line, bare_index)
    assert kind in {"plain", "other"}
    assert not [one for one in found if one.startswith("oblist ")]  # the version


@pytest.mark.parametrize(
    ("line", "word", "shown"),
    [
        ("oblist describe sb-ext:*ev", "*ev", r"\*evaluator-mode\*"),
        ("oblist describe 'sb-ext:*ev", "sb-ext:*ev", "sb-ext:*evaluator-mode*"),
        ("oblist describe sb-ext:posix-g", "posix-g", "posix-getenv"),
        ("oblist package sb-pro", "sb-pro", "sb-profile"),
    ],
)
def test_bash_gets_what_it_puts_in_place_of_its_own_word(
    line: str, word: str, shown: str, bare_index: Path
) -> None:
    assert asked(line, bare_index, "bash", word) == ["plain", shown]


def test_no_name_that_a_terminal_may_obey_is_a_candidate(bare_index: Path, tmp_path: Path) -> None:
    changed = tmp_path / "oblist.db"
    shutil.copyfile(bare_index, changed)
    with closing(sqlite3.connect(changed)) as connection, connection:
        connection.execute("UPDATE packages SET name = char(27) || '[2J' || name WHERE name LIKE 'SB-PRO%'")
    found = asked("oblist package ", changed)
    assert "sb-gray" in found and not [one for one in found if "sb-profile" in one or "SB-PROFILE" in one]


def test_fish_is_told_what_each_is(bare_index: Path) -> None:
    assert asked("oblist describe multiple-value-b", bare_index, "fish") == [
        "plain",
        "multiple-value-bind\tmacro",
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_printed(shell: str) -> None:
    done = oblist("completion", shell)
    assert done.returncode == 0 and f"oblist completion {shell} --line" in done.stdout
