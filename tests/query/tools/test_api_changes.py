"""api_changes: what changed in the exported API since another index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.diff.answer import DiffAnswer
from oblist.query.diff.ask import diff
from oblist.query.tools.running.execution import Executor
from support.agents.tool_calls import called, executing


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
        page = called(executor, "api_changes", since=str(bare_index), limit=3, offset=len(shown))
        assert page.structured["total"] == answer.total
        changes = page.structured["changes"]
        shown += [change["written"] for change in changes]
        following = f"... and {answer.total - len(shown)} more: call again with offset={len(shown)}"
        assert (following in page.content) == (len(shown) < answer.total)
        assert all(change["message"] in page.content for change in changes)
    assert shown == [change.written for change in answer.changes]


def test_a_package_is_compared_alone(executor: Executor, bare_index: Path) -> None:
    only = called(executor, "api_changes", since=str(bare_index), package="alexandria").structured
    assert only["packages"] == ["ALEXANDRIA"]
    assert only["total"] > 0
    same = called(executor, "api_changes", since=str(bare_index), package="sb-ext")
    assert same.content == "No change in the exported API of 1 package."


def test_what_is_no_index_is_said_to_be_none(executor: Executor, tmp_path: Path) -> None:
    missing = called(executor, "api_changes", since=str(tmp_path / "none.db"))
    assert not missing.success and "none.db: there is no index" in (missing.error or "")
    other = tmp_path / "other.db"
    other.write_text("nothing of the sort")
    damaged = called(executor, "api_changes", since=str(other))
    assert not damaged.success and "other.db" in (damaged.error or "")
    unknown = called(executor, "api_changes", since=str(tmp_path / "none.db"), package="no-such")
    assert not unknown.success
