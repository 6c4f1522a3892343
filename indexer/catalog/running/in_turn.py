"""Running tasks in this process, one after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from ..making.orders import Outcome
from .runner import Result, Task


class InTurn:
    """A runner that runs each task when its result is waited for, in the order in which they came.

    A task must come after those whose results it needs.
    """

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, Task, Any, Sequence[str | Outcome]]] = deque()
        self._results: dict[str, Result] = {}

    def submit(
        self, key: str, task: Task, argument: Any, results: Sequence[str | Outcome], *, urgency: float = 0.0
    ) -> None:
        """See Runner."""
        self._waiting.append((key, task, argument, results))

    def next_result(self) -> tuple[str, Result]:
        """See Runner."""
        key, task, argument, results = self._waiting.popleft()
        before = (self._results[one] if isinstance(one, str) else one for one in results)
        result = self._results[key] = task(argument, *before)
        return key, result
