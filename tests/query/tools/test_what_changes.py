"""what_changes: what edits reach, and what changed in the exported API since another index."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.diff.answer import DiffAnswer
from oblist.query.diff.ask import diff
from oblist.query.tools.running.execution import Executor
from support.agents.tool_calls import called, executing
from support.projects.ledger import ledger
from support.projects.repositories import git


@pytest.fixture(scope="module")
def executor(libraries_index: Path) -> Iterator[Executor]:
    with executing(libraries_index) as made:
        yield made


@pytest.fixture(scope="module")
def answer(libraries_index: Path, bare_index: Path) -> DiffAnswer:
    with open_index(bare_index) as old, open_index(libraries_index) as new:
        found = diff(old, new)
    assert isinstance(found, DiffAnswer)
    assert found.total > 5
    return found


def test_the_pages_joined_are_the_changes_of_diff(
    executor: Executor, bare_index: Path, answer: DiffAnswer
) -> None:
    shown: list[str] = []
    while len(shown) < answer.total:
        page = called(executor, "what_changes", since=str(bare_index), limit=3, offset=len(shown))
        assert page.structured["total"] == answer.total
        changes = page.structured["changes"]
        shown += [change["written"] for change in changes]
        following = f"... and {answer.total - len(shown)} more: call again with offset={len(shown)}"
        assert (following in page.content) == (len(shown) < answer.total)
        assert all(change["message"] in page.content for change in changes)
    assert shown == [change.written for change in answer.changes]


def test_a_package_is_compared_alone(executor: Executor, bare_index: Path) -> None:
    only = called(executor, "what_changes", since=str(bare_index), package="alexandria").structured
    assert only["packages"] == ["ALEXANDRIA"]
    assert only["total"] > 0
    same = called(executor, "what_changes", since=str(bare_index), package="sb-ext")
    assert same.content == "No change in the exported API of 1 package."


def test_what_is_no_index_is_said_to_be_none(executor: Executor, tmp_path: Path) -> None:
    missing = called(executor, "what_changes", since=str(tmp_path / "none.db"))
    assert not missing.success and "none.db: there is no index" in (missing.error or "")
    other = tmp_path / "other.db"
    other.write_text("nothing of the sort")
    damaged = called(executor, "what_changes", since=str(other))
    assert not damaged.success and "other.db" in (damaged.error or "")
    unknown = called(executor, "what_changes", since=str(tmp_path / "none.db"), package="no-such")
    assert not unknown.success


def test_what_edits_reach_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "ledger"
    shutil.copytree(ledger(), project)
    monkeypatch.setenv("OBLIST_ROOTS", f"project={project}:ledger={project}")
    git(project, "init", "--quiet")
    git(project, "add", ".")
    git(project, "commit", "--quiet", "--message", "first")
    file = project / "amounts.lisp"
    with executing(project / ".oblist/oblist.db") as executor:
        nothing = called(executor, "what_changes")
        assert nothing.content == "Nothing has changed."
        file.write_text(file.read_text().replace("(round amount +cents+)", "(floor amount +cents+)"))
        for since in ({}, {"since": "HEAD"}, {"since": "build"}):
            found = called(executor, "what_changes", **since)
            names = {name for one in found.structured["tests"] for name in one["runs"]}
            assert {"ledger::rounded.1", "ledger::converted.1"} <= names
            assert "ledger::fee.1" not in names
            assert "rounded (changed)" in found.content
        short = called(executor, "what_changes", max_chars=500)
        assert len(short.content) <= 500
        assert short.structured["tests_total"] == found.structured["tests_total"]
        unknown = called(executor, "what_changes", since="no-such-branch")
        assert not unknown.success
        assert "no revision 'no-such-branch'" in (unknown.error or "")


def test_an_index_of_no_project_has_no_edits(executor: Executor) -> None:
    refused = called(executor, "what_changes")
    assert not refused.success
    assert "is not the index of a single project" in (refused.error or "")


def test_the_former_name_is_known(executor: Executor, bare_index: Path) -> None:
    by_old_name = called(executor, "api_changes", since=str(bare_index), package="sb-ext")
    assert by_old_name.content == "No change in the exported API of 1 package."
