"""What a surface that calls tools works with, made from its options."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from .index import Index, open_index
from .index_pool import IndexPool, SharedValues
from .live import ValueSource, live_values, values_of
from .tool_call import Surroundings
from .tool_execution import Executor
from .tool_log import ToolLog
from .tools import Registry
from .workshop import Workshop


def executor_for(
    registry: Registry, index: Path, *, allowed: str, log: Path | None = None, live: bool = True
) -> Executor:
    """An executor of the tools in ``registry`` on the index at ``index``; OSError for the log.

    ``allowed`` is the highest safety level that may run; ``live`` says whether values are asked for.
    """
    workshop = Workshop(index)
    values = SharedValues(partial(_values, workshop)) if live else None
    pool = IndexPool(partial(_open, index, values))
    surroundings = Surroundings(pool, index, workshop, values)
    return Executor(registry, surroundings, allowed=allowed, log=ToolLog(log))


def _open(path: Path, values: SharedValues | None) -> Index:
    return open_index(path, values=values)


def _values(workshop: Workshop, build_id: str) -> ValueSource:
    """The values in the Lisp that evaluates while it runs, else those of the image that was indexed."""
    return values_of(workshop, live_values()(build_id))
