"""The executors of one server whose clients work on different projects: one for each index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .execution import Executor
from .threads import in_background

_MOST_IDLE = 8


@dataclass(slots=True)
class _Held:
    executor: Executor
    calls: int = 0


class Executors:
    """An executor for each index, made when it is first asked; used from one event loop."""

    def __init__(self, common: Executor, on: Callable[[Path], Executor]) -> None:
        """``common`` answers clients without an index of their own; ``on`` makes one on another index."""
        self.common = common
        self._on = on
        self._held: dict[Path, _Held] = {}  # the most recently asked last

    @contextmanager
    def lent(self, index: Path | None) -> Iterator[Executor]:
        """The executor on ``index``, or for None the common one, for one call."""
        if index is None:
            yield self.common
            return
        held = self._held.pop(index, None) or _Held(self._on(index))
        self._held[index] = held
        held.calls += 1
        try:
            yield held.executor
        finally:
            held.calls -= 1
            self._close_idle()

    def _close_idle(self) -> None:
        """Close those that nobody has asked for longest: each may have connections and a Lisp."""
        idle = [index for index, held in self._held.items() if not held.calls]
        for index in idle[: max(0, len(idle) - _MOST_IDLE)]:
            in_background(self._held.pop(index).executor.surroundings.close)

    def close(self) -> None:
        """End all processes, and write the log."""
        for held in self._held.values():
            held.executor.surroundings.close()
        self._held.clear()
        self.common.close()
