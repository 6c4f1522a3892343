"""The executor of a server or command that calls tools, made from its options."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from oblist.indexer.format import index_to_read

from ...api import Index, open_index
from ...index.value_source import ValueSource
from ...processes.pool import IndexPool, SharedValues
from ..registry import Registry
from .call import ToolSurroundings
from .evaluation_host import EvaluationHost
from .execution import Executor
from .executors import Executors
from .index_builds import IndexBuilds
from .log import ToolLog


def executor_for(
    registry: Registry,
    index: Path | None,
    *,
    allowed: str,
    log: Path | None = None,
    live: bool = True,
    structured: bool = False,
    projects: tuple[Path, ...] = (),
) -> Executor:
    """An executor of the tools in ``registry`` on the index at ``index``. Raises OSError for the log.

    None means the default index, which is looked for at each call until there is one. ``allowed`` is the
    highest safety level that may run; ``live`` says whether to ask for values of variables, ``structured``
    whether results have their answers as objects, beside the text, and ``projects`` whose files may be read.
    """
    surroundings = _surroundings(index, live=live, structured=structured, projects=projects)
    return Executor(registry, surroundings, allowed=allowed, log=ToolLog(log))


def executors_like(executor: Executor) -> Executors:
    """The executor for all clients, and others like it on the indexes that clients bring."""
    common = executor.surroundings

    def on(index: Path) -> Executor:
        live = common.values is not None
        return executor.beside(
            _surroundings(index, live=live, structured=common.structured, projects=common.projects)
        )

    return Executors(executor, on)


def _surroundings(
    index: Path | None, *, live: bool, structured: bool, projects: tuple[Path, ...]
) -> ToolSurroundings:
    place = _Place(index)
    evaluation = EvaluationHost()
    values = SharedValues(partial(_values, evaluation)) if live else None
    pool = IndexPool(partial(_open, place, values))
    return ToolSurroundings(
        pool, place, IndexBuilds(place), evaluation, EvaluationHost(), values, structured, projects
    )


class _Place:
    """The path of the index; once an index has been found, the path never changes."""

    def __init__(self, explicit: Path | None) -> None:
        self._found = explicit

    def __call__(self) -> Path:
        if self._found is not None:
            return self._found
        path = index_to_read()
        if path.exists():
            self._found = path
        return path


def _open(place: Callable[[], Path], values: SharedValues | None) -> Index:
    return open_index(place(), values=values, guess=True)


def _values(evaluation: EvaluationHost, build_id: str) -> ValueSource:
    """The values in the Lisp that evaluates, or, while that is not running, in the indexed image."""
    from ...values.live import live_values, values_of

    return values_of(evaluation, live_values()(build_id))
