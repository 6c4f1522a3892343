"""Threads for what would hold up the event loop; none of them keeps the process from ending."""

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
    """Runs functions in daemon threads, at most so many at a time that somebody waits for.

    A function whose waiter gives up runs on, and no longer counts: it may never return. A thread that
    has nothing to do takes the next function: each new one would have memory of its own from malloc.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._limiter: anyio.CapacityLimiter | None = None
        self._at_work: set[_Worker] = set()
        self._idle: list[_Worker] = []

    async def run(self, function: Callable[..., _T], *arguments: Any) -> _T:
        """What the function returns; raises what it raises."""
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
                if ended.done():  # nobody waits any more
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
        """Let what is still at work end, until that time by the monotonic clock."""
        for worker in list(self._at_work):
            worker.await_rest(max(0.0, until - time.monotonic()))


class _Worker:
    """A thread that does one thing after another."""

    def __init__(self) -> None:
        self._tasks: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._resting = threading.Event()
        threading.Thread(target=self._serve, name="oblist call", daemon=True).start()

    def start(self, task: Callable[[], None]) -> None:
        """Have the thread do ``task``; it has nothing else to do now."""
        self._resting.clear()
        self._tasks.put(task)

    def await_rest(self, seconds: float) -> None:
        """Wait until the thread has nothing to do, ``seconds`` at most."""
        self._resting.wait(seconds)

    def _serve(self) -> None:
        while True:
            # Called at once and held by no name: a task keeps its call's arguments and answer alive.
            self._tasks.get()()
            self._resting.set()


def in_background(function: Callable[[], object]) -> None:
    """Start the function in a thread of its own, and do not wait for it."""
    threading.Thread(target=function, name="oblist cancellation", daemon=True).start()


def _outcome(
    context: contextvars.Context, function: Callable[..., _T], arguments: tuple[Any, ...]
) -> tuple[_T | None, Exception | None]:
    try:
        return context.run(function, *arguments), None
    except StopIteration as error:  # a future cannot hold it
        return None, RuntimeError(f"StopIteration: {error}")
    except Exception as error:  # noqa: BLE001 - raised again where it is waited for
        return None, error
    except BaseException as error:  # noqa: BLE001 - it would end the event loop
        return None, RuntimeError(type(error).__name__)
