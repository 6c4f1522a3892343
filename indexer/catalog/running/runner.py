"""What runs tasks, as the order of tasks sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ..making.orders import SliceOutcome, Survey

Result = Survey | SliceOutcome
CatalogTask = Callable[..., Result]


class Runner(Protocol):
    """Runs tasks that have keys.

    ``results`` of earlier tasks follow the argument of a task: the keys of those, or their values.
    """

    def submit(
        self,
        key: str,
        task: CatalogTask,
        argument: Any,
        results: Sequence[str | SliceOutcome],
        *,
        urgency: float = 0.0,
    ) -> None:
        """Run ``task`` after the tasks whose keys are among ``results``; the more urgent of several first."""

    def next_result(self) -> tuple[str, Result]:
        """Wait for the next task that is done; returns its key and its result. Raises IndexerError."""
