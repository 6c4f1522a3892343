"""Running tasks in this process, one after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from ..making.orders import SliceOutcome
from .runner import CatalogTask, Result


class InTurn:
    """A runner that runs each task when its result is waited for, in the order in which they came.

    A task must come after those whose results it needs.
    """

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, CatalogTask, Any, Sequence[str | SliceOutcome]]] = deque()
        self._results: dict[str, Result] = {}

    def submit(
        self,
        key: str,
        task: CatalogTask,
        argument: Any,
        results: Sequence[str | SliceOutcome],
        *,
        urgency: float = 0.0,
    ) -> None:
        """See Runner."""
        self._waiting.append((key, task, argument, results))

    def next_result(self) -> tuple[str, Result]:
        """See Runner."""
        key, task, argument, results = self._waiting.popleft()
        before = (self._results[one] if isinstance(one, str) else one for one in results)
        result = self._results[key] = task(argument, *before)
        return key, result
