"""Live values from a child SBCL, which starts when a question first needs it.

One thread talks to the child, so concurrent questions share it, each with its own deadline; and the kernel
ends the child when that thread ends.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from oblist.indexer.format import user_cache_folder
from oblist.lisp.build_records import BuildRecord, BuildRecords
from oblist.lisp.live_child import (
    ChildGoneError,
    ChildLateError,
    ImageChild,
    LiveChild,
    NoCoreError,
    start_from_core,
)
from oblist.lisp.sbcl import SbclError

from ..index.value_source import LiveValue, ValueSource
from .pause import MOST_FAILURES, Pause

TIME_LIMIT = "<value not printed: time limit>"
PRINTING_ERROR = "<error printing value>"
DEADLINE_SECONDS = 2.0
_IDLE_SECONDS = 0.2  # longer than an idle thread takes to end
_HOW_TO_GET_ONE = "run `oblist index` to save an image, or name a running one with --attach"
_NOT_BUILT_HERE = f"no live value: this index was built elsewhere, or long ago; {_HOW_TO_GET_ONE}"
NOT_THERE = {
    "unbound": "it is unbound in the live image",
    "no-symbol": "the live image has no such symbol: it differs from the indexed one",
    "no-package": "the live image has no such package: it differs from the indexed one",
}


class EvaluatedValues(Protocol):
    """The values in a Lisp that evaluates forms; they exist only while it is running."""

    def value(self, package: str, name: str) -> LiveValue | None:
        """The value of a symbol in that Lisp; None if it is not running. Never raises."""


def live_values(patience: float = DEADLINE_SECONDS) -> Callable[[str], ValueSource]:
    """For ``open_index``: the values of the image that the index was built from.

    Only a build record in the user's own cache says what to start. A question waits at most ``patience``
    seconds for SBCL to start.
    """
    return lambda build_id: BuildValues(build_id, patience)


def values_of(evaluator: EvaluatedValues, otherwise: ValueSource) -> ValueSource:
    """The values of ``evaluator`` while its Lisp is running, and of ``otherwise`` while it is not."""
    return _ValuesOf(evaluator, otherwise)


class _ValuesOf:
    """A source of values that does not close the evaluator."""

    def __init__(self, evaluator: EvaluatedValues, otherwise: ValueSource) -> None:
        self._evaluator = evaluator
        self._otherwise = otherwise

    def value(self, package: str, name: str) -> LiveValue:
        """The value of the symbol ``name`` of ``package``, or why it has none."""
        return self._evaluator.value(package, name) or self._otherwise.value(package, name)

    def close(self) -> None:
        """Close the other source."""
        self._otherwise.close()


class BuildValues:
    """The values of the image of one build, whose record is looked up when a question needs it."""

    def __init__(self, build_id: str, patience: float) -> None:
        self._build_id = build_id
        self._patience = patience
        self._image: LiveImage | None = None
        self._closed = False
        self._lock = threading.Lock()

    def value(self, package: str, name: str) -> LiveValue:
        """The value of the symbol ``name`` of ``package``, or why it has none."""
        with self._lock:
            if self._closed:  # nothing would end a child started now
                return LiveValue(None, "no live value: the index has been replaced; ask again")
            if self._image is None:
                self._image = self._found_image()
            image = self._image
        if image is None:
            # Not remembered: a build that has just ended may still write its record.
            return LiveValue(None, _NOT_BUILT_HERE)
        return image.value(package, name)

    def close(self) -> None:
        """End the child, if there is one, and start no other."""
        with self._lock:
            self._closed = True
            image, self._image = self._image, None
        if image is not None:
            image.close()

    def _found_image(self) -> LiveImage | None:
        found = find_build(self._build_id)
        return LiveImage(found.records, found.record, self._patience) if found else None


class FoundBuild(NamedTuple):
    """A build by this user: all build records, its own, and the cache folder that contains them."""

    records: BuildRecords
    record: BuildRecord
    cache: Path


def find_build(build_id: str) -> FoundBuild | None:
    """The build with this id; None if this user did not make it on this machine."""
    try:
        cache = user_cache_folder()
    except RuntimeError:  # a user without a home folder has no cache either
        return None
    records = BuildRecords(cache)
    record = records.find(build_id)
    return FoundBuild(records, record, cache) if record else None


Answer = TypeVar("Answer")


_Tasks = queue.SimpleQueue[tuple[Callable[[], None], Callable[[], bool]] | None]


class ChildThread:
    """The one thread that talks to a child, for one task after another. It starts with the first task.

    ``end`` is called when the thread ends.
    """

    def __init__(self, name: str, end: Callable[[], None]) -> None:
        self._name = name
        self._end = end
        self._tasks: _Tasks = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def submit(self, task: Callable[[], Answer]) -> Future[Answer]:
        """Queue ``task`` for the thread; ``stop`` cancels the tasks that are still waiting."""
        future: Future[Answer] = Future()

        def run() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(task())
                except Exception as error:  # noqa: BLE001 - reported to the caller
                    future.set_exception(error)

        with self._lock:
            if self._thread is None:
                self._tasks = queue.SimpleQueue()
                self._thread = threading.Thread(
                    target=self._work, args=(self._tasks,), name=self._name, daemon=True
                )
                self._thread.start()
            self._tasks.put((run, future.cancel))
        return future

    def stop(self, kill: Callable[[], None]) -> None:
        """End the thread; if it is busy, ``kill`` the child it is waiting for."""
        with self._lock:
            if self._thread is not None:
                with suppress(queue.Empty):
                    while waiting := self._tasks.get_nowait():
                        waiting[1]()
                self._tasks.put(None)
                self._thread.join(_IDLE_SECONDS)
                if self._thread.is_alive():
                    kill()  # it is loading, or printing a value that nobody wants now
                    self._thread.join(DEADLINE_SECONDS)
                self._thread = None

    def _work(self, tasks: _Tasks) -> None:
        try:
            while task := tasks.get():
                task[0]()
        finally:
            self._end()


class LiveImage:
    """The image of a build, as a child process that is asked for values."""

    def __init__(self, records: BuildRecords, record: BuildRecord, patience: float) -> None:
        self._patience = patience
        self._starting = True  # until the child greets
        self._thread = ChildThread("oblist live values", self._drop)
        # Only the thread uses the following fields.
        self._image = ImageChild(records, record, start_from_core)
        self._pause = Pause()

    def value(self, package: str, name: str) -> LiveValue:
        """The value of the symbol ``name`` of ``package``, within the deadline."""
        starting = self._starting
        future = self._thread.submit(lambda: self._safe_answer(package, name))
        try:
            return future.result(self._patience if starting else DEADLINE_SECONDS)
        except TimeoutError:
            if future.cancel():
                return LiveValue(None, "no live value: SBCL is busy with other questions; ask again")
            if starting:
                return LiveValue(None, "no live value yet: SBCL is still starting; ask again")
            return LiveValue(TIME_LIMIT)
        except CancelledError:
            return LiveValue(None, "no live value: the SBCL that reads values was closed")

    def close(self) -> None:
        """End the child. A later question would start another."""
        self._thread.stop(self._image.kill)

    # Run in the thread

    def _safe_answer(self, package: str, name: str) -> LiveValue:
        """Answer, whatever happens: the thread must survive."""
        try:
            return self._answer(package, name)
        except Exception as error:  # noqa: BLE001 - reported to the caller
            return self._not_started(f"{type(error).__name__}: {error}")

    def _answer(self, package: str, name: str) -> LiveValue:
        if (reason := self._pause.reason) is not None:
            failures = f"SBCL failed {MOST_FAILURES} times, the last time because {reason}"
            return LiveValue(None, f"no live value: {failures}")
        try:
            child = self._image.child or self._start()
        except NoCoreError as error:
            return LiveValue(None, f"no live value: {error}; {_HOW_TO_GET_ONE}")
        except ChildLateError:
            return self._not_started("SBCL did not start in time")
        except (SbclError, ChildGoneError, OSError) as error:
            return self._not_started(f"SBCL does not start: {error}")
        return self._ask(child, package, name)

    def _not_started(self, reason: str) -> LiveValue:
        self._failed(reason)
        return LiveValue(None, f"no live value: {reason}")

    def _ask(self, child: LiveChild, package: str, name: str) -> LiveValue:
        try:
            kind, text = child.ask(package, name, DEADLINE_SECONDS)
        except ChildLateError:
            self._failed("it did not answer in time")
            return LiveValue(TIME_LIMIT, self._image.note)
        except ChildGoneError:
            self._failed("it ended")  # while it printed this value
            return LiveValue(PRINTING_ERROR, self._image.note)
        self._pause.succeeded()
        if kind in NOT_THERE:
            return LiveValue(None, NOT_THERE[kind])
        return LiveValue(text, self._image.note)

    def _start(self) -> LiveChild:
        child = self._image.start()
        self._starting = False
        return child

    def _failed(self, reason: str) -> None:
        self._drop()
        self._pause.failed(reason)

    def _drop(self) -> None:
        self._starting = True
        self._image.drop()
