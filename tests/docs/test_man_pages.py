"""The manual pages, as the programs that show them read them."""

from __future__ import annotations

import subprocess

import pytest

from oblist.query.cli import COMMANDS
from support.checkout import ROOT

PAGES = sorted((ROOT / "docs" / "man").iterdir())


def test_each_command_has_a_page() -> None:
    assert {page.name for page in PAGES} == {"oblist.1", *(f"oblist-{name}.1" for name in COMMANDS)}


def test_no_page_has_a_fault() -> None:
    done = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning", *PAGES], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.full
def test_man_shows_each_page_without_a_warning() -> None:
    for page in PAGES:
        done = subprocess.run(
            ["man", "--warnings", "-E", "UTF-8", "-l", page], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), page
        assert "NAME" in done.stdout and "EXIT STATUS" in done.stdout


def test_a_page_keeps_what_begins_with_a_quote_or_a_dot() -> None:
    shown = subprocess.run(
        ["mandoc", "-T", "utf8", ROOT / "docs" / "man" / "oblist-describe.1"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "'(setf gethash)'" in shown.stdout
