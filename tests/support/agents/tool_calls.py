"""Calling tools in this process, with one event loop per call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio

from oblist.query.tools.registry import Registry, registry
from oblist.query.tools.results import ToolResult
from oblist.query.tools.running.execution import Executor
from oblist.query.tools.running.server import executor_for


@contextmanager
def executing(
    index: Path,
    tools: Registry = registry,
    *,
    allowed: str = "safe",
    live: bool = False,
    log: Path | None = None,
    structured: bool = True,
) -> Iterator[Executor]:
    """An executor on an index, closed afterwards."""
    executor = executor_for(tools, index, allowed=allowed, live=live, log=log, structured=structured)
    try:
        yield executor
    finally:
        executor.close()


def called(executor: Executor, tool: str, /, *, approve: Any = None, **arguments: Any) -> ToolResult:
    """The result of a call."""
    return anyio.run(partial(executor.call, tool, arguments, approve=approve))
