"""Threads for what would hold up the event loop: one for each call, which keeps no process from ending."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import anyio

_T = TypeVar("_T")


class Threads:
    """Runs functions in daemon threads, at most so many at a time that somebody waits for.

    A function whose waiter gives up runs on, and no longer counts: it may never return.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._limiter: anyio.CapacityLimiter | None = None
        self._at_work: set[threading.Thread] = set()

    async def run(self, function: Callable[..., _T], *arguments: Any) -> _T:
        """What the function returns; raises what it raises."""
        if self._limiter is None:  # made within the event loop
            self._limiter = anyio.CapacityLimiter(self._most)
        async with self._limiter:
            loop = asyncio.get_running_loop()
            ended: asyncio.Future[_T] = loop.create_future()
            context = contextvars.copy_context()

            def settle(result: Any, error: Exception | None) -> None:
                if ended.done():  # nobody waits any more
                    return
                if error is not None:
                    ended.set_exception(error)
                else:
                    ended.set_result(result)

            def work() -> None:
                result, error = _outcome(context, function, arguments)
                self._at_work.discard(threading.current_thread())
                with suppress(RuntimeError):  # the loop has ended meanwhile
                    loop.call_soon_threadsafe(settle, result, error)

            thread = threading.Thread(target=work, name="oblist call", daemon=True)
            self._at_work.add(thread)
            thread.start()
            return await ended

    def join(self, until: float) -> None:
        """Let what is still at work end, until that time by the monotonic clock."""
        for thread in list(self._at_work):
            thread.join(max(0.0, until - time.monotonic()))


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
