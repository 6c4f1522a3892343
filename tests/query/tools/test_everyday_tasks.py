"""The everyday tasks of a model: each is done by the calls that its table names, within the default level."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query.tools.running.execution import Executor
from support.agents.tool_calls import called, executing
from support.catalogs.libraries import libraries

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
from agent_tasks.tasks import Task, everyday_tasks

TASKS = everyday_tasks(Path("{bare}"))


@pytest.fixture(scope="module")
def executor(libraries_index: Path) -> Iterator[Executor]:
    with executing(libraries_index, structured=False) as made:
        yield made


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.purpose)
def test_a_task_is_done(
    executor: Executor, bare_index: Path, monkeypatch: pytest.MonkeyPatch, task: Task
) -> None:
    monkeypatch.setenv("OBLIST_CATALOG", str(libraries().catalog))
    texts = []
    for tool, arguments in task.calls:
        given = {name: str(bare_index) if value == "{bare}" else value for name, value in arguments.items()}
        result = called(executor, tool, **given)
        assert result.success, result.error
        texts += [result.content, *result.notes]
    assert task.is_done_by(texts), texts


def test_they_are_forty_and_take_few_calls() -> None:
    assert len(TASKS) == len({task.purpose for task in TASKS}) == 40
    assert sum(len(task.calls) for task in TASKS) <= 1.3 * len(TASKS)
