"""Daemon threads for functions that would block the event loop."""

from __future__ import annotations

import asyncio
import contextvars
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import anyio

_T = TypeVar("_T")


class Threads:
    """Runs functions in daemon threads, at most ``most`` at a time.

    A function whose caller gave up keeps running, but no longer counts: it may never return. Idle threads are
    reused, since malloc gives each new thread memory of its own.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._limiter: anyio.CapacityLimiter | None = None
        self._at_work: set[_Worker] = set()
        self._idle: list[_Worker] = []

    async def run(self, function: Callable[..., _T], *arguments: Any) -> _T:
        """Run the function, and return its value or raise its exception."""
        if self._limiter is None:  # made within the event loop
            self._limiter = anyio.CapacityLimiter(self._most)
        async with self._limiter:
            loop = asyncio.get_running_loop()
            ended: asyncio.Future[_T] = loop.create_future()
            context = contextvars.copy_context()
            worker = self._idle.pop() if self._idle else _Worker()
            self._at_work.add(worker)

            def settle(result: Any, error: Exception | None) -> None:
                self._at_work.discard(worker)
                self._idle.append(worker)
                if ended.done():  # the caller gave up
                    return
                if error is not None:
                    ended.set_exception(error)
                else:
                    ended.set_result(result)

            def work() -> None:
                result, error = _outcome(context, function, arguments)
                with suppress(RuntimeError):  # the loop has ended meanwhile
                    loop.call_soon_threadsafe(settle, result, error)

            worker.start(work)
            return await ended

    def join(self, until: float) -> None:
        """Wait for running functions to end, until the time ``until`` on the monotonic clock."""
        for worker in list(self._at_work):
            worker.await_rest(max(0.0, until - time.monotonic()))


class _Worker:
    """A thread that runs one task after another."""

    def __init__(self) -> None:
        self._tasks: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._resting = threading.Event()
        threading.Thread(target=self._serve, name="oblist call", daemon=True).start()

    def start(self, task: Callable[[], None]) -> None:
        """Run ``task`` in the thread, which must be idle."""
        self._resting.clear()
        self._tasks.put(task)

    def await_rest(self, seconds: float) -> None:
        """Wait until the thread is idle, for ``seconds`` at most."""
        self._resting.wait(seconds)

    def _serve(self) -> None:
        while True:
            # No variable holds the task: that would keep the arguments and the answer of its call alive.
            self._tasks.get()()
            self._resting.set()


def in_background(function: Callable[[], object]) -> None:
    """Run the function in a thread of its own, without waiting for it."""
    threading.Thread(target=function, name="oblist cancellation", daemon=True).start()


def _outcome(
    context: contextvars.Context, function: Callable[..., _T], arguments: tuple[Any, ...]
) -> tuple[_T | None, Exception | None]:
    try:
        return context.run(function, *arguments), None
    except StopIteration as error:  # a future cannot hold it
        return None, RuntimeError(f"StopIteration: {error}")
    except Exception as error:  # noqa: BLE001 - raised again in the caller
        return None, error
    except BaseException as error:  # noqa: BLE001 - it would end the event loop
        return None, RuntimeError(type(error).__name__)
