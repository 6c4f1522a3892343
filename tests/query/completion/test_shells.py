"""Completion in real shells: what a command gets after a tab."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.clients.shells import SHELLS, completed

# What is typed, and the words that the command gets.
LINES = {
    "a command": ("desc", ["describe"]),
    "an option": ("describe --pack", ["describe", "--package"]),
    "a choice": ("check --format sar", ["check", "--format", "sarif"]),
    "a name": ("describe multiple-value-b", ["describe", "multiple-value-bind"]),
    "a name with a package": ("describe sb-ext:posix-getenv", ["describe", "sb-ext:posix-getenv"]),
    "a name with two colons": ("describe sb-int::%hash-table-al", ["describe", "sb-int::%hash-table-alist"]),
    "a name with stars": ("describe *print-ba", ["describe", "*print-base*"]),
    "stars and a package": ("describe sb-ext:*ev", ["describe", "sb-ext:*evaluator-mode*"]),
    "stars and a package in quotes": ("describe 'sb-ext:*ev", ["describe", "sb-ext:*evaluator-mode*"]),
    "a keyword": ("describe :allow-other-k", ["describe", ":allow-other-keys"]),
    "a package": ("package sb-pro", ["package", "sb-profile"]),
    "a package of an option": ("describe -p sb-gr", ["describe", "-p", "sb-gray"]),
    "nothing": ("describe no-such-name-anywhere", ["describe", "no-such-name-anywhere"]),
}
SHORT = ("a name with two colons", "stars and a package")
# A word with a star and without quotes is completed by fish itself, to the files that it fits.
OF_FISH = ("a name with stars", "stars and a package")


@pytest.mark.parametrize("line", SHORT)
def test_in_bash(line: str, tmp_path: Path, bare_index: Path) -> None:
    typed, words = LINES[line]
    assert completed("bash", typed, tmp_path, bare_index) == words


@pytest.mark.full
@pytest.mark.parametrize("shell", SHELLS)
def test_in_all_shells(shell: str, tmp_path: Path, bare_index: Path) -> None:
    wrong = {}
    for line, (typed, words) in LINES.items():
        if shell == "fish" and line in OF_FISH:
            continue
        if (got := completed(shell, typed, tmp_path, bare_index)) != words:
            wrong[line] = got
    assert wrong == {}


@pytest.mark.full
@pytest.mark.parametrize("shell", SHELLS)
def test_without_an_index_nothing_is_completed(shell: str, tmp_path: Path) -> None:
    typed = "describe sb-ext:posix-g"
    assert completed(shell, typed, tmp_path, tmp_path / "none.db") == typed.split()
