"""The processes that run the tasks."""

from __future__ import annotations

import ctypes
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..errors import IndexerError
from .tasks import Order, Report, Survey, make_slice, survey

_ATTEMPTS = 3
_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG, prctl(2)

Result = Survey | Report | IndexerError


@dataclass(frozen=True, slots=True)
class _Task:
    definition: Path
    run: Callable[..., Survey | Report]
    arguments: tuple[object, ...]


class Workers:
    """Runs tasks, ``jobs`` at a time: in this process if that is 1, else in processes of their own."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._waiting: list[_Task] = []  # with one job
        self._running: dict[Future[Survey | Report], _Task] = {}
        self._attempts: dict[tuple[Path, Callable[..., Survey | Report]], int] = {}
        self._pool = self._new_pool() if jobs > 1 else None

    @property
    def has_room(self) -> bool:
        """Whether another task can run at once."""
        return len(self._running) + len(self._waiting) < self._jobs

    def survey(self, definition: Path, order: Order) -> None:
        """Start the survey of the release that is defined in ``definition``."""
        self._submit(_Task(definition, survey, (order,)))

    def slice(self, definition: Path, order: Order, omitted: Mapping[str, str]) -> None:
        """Start to make a slice."""
        self._submit(_Task(definition, make_slice, (order, dict(omitted))))

    def _submit(self, task: _Task) -> None:
        if self._pool is None:
            self._waiting.append(task)
        else:
            self._running[self._pool.submit(task.run, *task.arguments)] = task

    def next_result(self) -> tuple[Path, Result]:
        """Wait for the next task that is done; returns its definition file and its result."""
        if self._pool is None:
            task = self._waiting.pop(0)
            try:
                return task.definition, task.run(*task.arguments)
            except IndexerError as error:
                return task.definition, error
        while True:
            ready, _ = wait(self._running, return_when=FIRST_COMPLETED)
            future = next(iter(ready))
            task = self._running.pop(future)
            try:
                return task.definition, future.result()
            except IndexerError as error:
                return task.definition, error
            except BrokenProcessPool:
                lost = [task, *self._running.values()]
                self._running.clear()
                self._stop()
                self._pool = self._new_pool()
                for one in lost:
                    if not self._may_try_again(one):
                        self._lost(lost, one)
                        why = "The process that made it was killed, three times."
                        return one.definition, IndexerError(why)
                for one in lost:
                    self._submit(one)

    def _may_try_again(self, task: _Task) -> bool:
        key = (task.definition, task.run)
        self._attempts[key] = self._attempts.get(key, 0) + 1
        return self._attempts[key] < _ATTEMPTS

    def _lost(self, tasks: list[_Task], given_up: _Task) -> None:
        for one in tasks:
            if one is not given_up:
                self._submit(one)

    def _new_pool(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._jobs, mp_context=context, initializer=_begin_worker)

    def _stop(self) -> None:
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.kill()
            self._pool.shutdown(wait=True, cancel_futures=True)

    @contextmanager
    def running(self) -> Iterator[Workers]:
        """End all processes at the end."""
        try:
            yield self
        finally:
            self._stop()


def _begin_worker() -> None:
    """End with the parent, which alone hears an interrupt."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with_libc = getattr(ctypes.CDLL(None), "prctl", None)
    if with_libc is not None:
        with_libc(_SET_DEATH_SIGNAL, signal.SIGKILL)
