"""Live values: a client that starts an SBCL when a question first needs it, and looks after it.

All dealings with the child are one thread's, so concurrent questions share it, each with a deadline
of its own; and the kernel ends the child with that thread.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from indexer.format import user_cache_folder
from lisp.build_records import BuildRecord, BuildRecords, runtime_facts
from lisp.live_child import ChildGoneError, ChildLateError, LiveChild, start_by_loading, start_from_core
from lisp.sbcl import SbclError

TIME_LIMIT = "<value not printed: time limit>"
PRINTING_ERROR = "<error printing value>"
DEADLINE_SECONDS = 2.0
_CORE_SECONDS = 10.0
_LOADING_SECONDS = 600.0
_IDLE_SECONDS = 0.2  # how long an idle thread takes to end, and more
_MOST_FAILURES = 5
_PAUSE_SECONDS = 60.0
_NOT_BUILT_HERE = (
    "no live value: this index was not built here, or long ago; only `oblist index` on this machine "
    "gives values"
)
_NOT_THERE = {
    "unbound": "it is unbound in the live image",
    "no-symbol": "the live image has no such symbol: it is not quite the one that was indexed",
    "no-package": "the live image has no such package: it is not quite the one that was indexed",
}


@dataclass(frozen=True, slots=True)
class LiveValue:
    """The text of a value, None when there is none; and what to know about it."""

    text: str | None
    note: str | None = None


class ValueSource(Protocol):
    """Where values come from."""

    def value(self, package: str, name: str) -> LiveValue:
        """The value of the symbol ``name`` of ``package``, or why there is none; it never raises."""

    def close(self) -> None:
        """Let go of what answers."""


def live_values(patience: float = DEADLINE_SECONDS) -> Callable[[str], ValueSource]:
    """For ``open_index``: the values of the image that an index was built from.

    Only a build record in the user's own cache says what is started. ``patience`` bounds, in seconds,
    how long a question waits while SBCL starts.
    """
    return lambda build_id: BuildValues(build_id, patience)


class BuildValues:
    """The values of the image of one build; its record is looked for when a question needs it."""

    def __init__(self, build_id: str, patience: float) -> None:
        self._build_id = build_id
        self._patience = patience
        self._image: LiveImage | None = None
        self._lock = threading.Lock()

    def value(self, package: str, name: str) -> LiveValue:
        """The value of the symbol ``name`` of ``package``, or why there is none."""
        with self._lock:
            if self._image is None:
                self._image = self._found_image()
            image = self._image
        if image is None:
            # Not remembered: a build that just ended may yet leave its record.
            return LiveValue(None, _NOT_BUILT_HERE)
        return image.value(package, name)

    def close(self) -> None:
        """End the child, if there is one."""
        with self._lock:
            image, self._image = self._image, None
        if image is not None:
            image.close()

    def _found_image(self) -> LiveImage | None:
        try:
            cache = user_cache_folder()
        except RuntimeError:  # a user without a home has no cache either
            return None
        records = BuildRecords(cache)
        record = records.find(self._build_id)
        return LiveImage(records, record, cache, self._patience) if record else None


class LiveImage:
    """The image of a build as a child process: from its snapshot, or else by loading the systems."""

    def __init__(self, records: BuildRecords, record: BuildRecord, cache: Path, patience: float) -> None:
        self._records = records
        self._record = record
        self._cache = cache
        self._patience = patience
        self._tasks: queue.SimpleQueue[tuple[Future[LiveValue], str, str] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._starting = True  # until the child greets
        # What follows is the thread's own.
        self._child: LiveChild | None = None
        self._note: str | None = None
        self._failures = 0
        self._paused_until = 0.0
        self._last_failure = ""

    def value(self, package: str, name: str) -> LiveValue:
        """The value of the symbol ``name`` of ``package``, within the deadline."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="oblist live values", daemon=True)
                self._thread.start()
        future: Future[LiveValue] = Future()
        starting = self._starting
        self._tasks.put((future, package, name))
        try:
            return future.result(self._patience if starting else DEADLINE_SECONDS)
        except TimeoutError:
            if future.cancel():
                return LiveValue(None, "no live value: SBCL is busy with other questions; ask again")
            if starting:
                return LiveValue(None, "no live value yet: SBCL is still loading the systems; ask again")
            return LiveValue(TIME_LIMIT)

    def close(self) -> None:
        """End the child. A later question would start another."""
        with self._lock:
            if self._thread is not None:
                self._tasks.put(None)
                self._thread.join(_IDLE_SECONDS)
                if self._thread.is_alive() and (child := self._child) is not None:
                    child.kill()  # it is loading, or printing: nobody waits for that any more
                    self._thread.join(DEADLINE_SECONDS)
                self._thread = None
                self._starting = True

    # In the thread

    def _work(self) -> None:
        try:
            while task := self._tasks.get():
                future, package, name = task
                if future.set_running_or_notify_cancel():
                    future.set_result(self._safe_answer(package, name))
        finally:
            self._drop()

    def _safe_answer(self, package: str, name: str) -> LiveValue:
        """The answer, whatever happens: without this thread there would be none for anybody."""
        try:
            return self._answer(package, name)
        except Exception as error:  # noqa: BLE001 - said to whoever asked
            return self._not_started(f"{type(error).__name__}: {error}")

    def _answer(self, package: str, name: str) -> LiveValue:
        if time.monotonic() < self._paused_until:
            failures = f"SBCL failed {_MOST_FAILURES} times, the last time because {self._last_failure}"
            return LiveValue(None, f"no live value: {failures}")
        try:
            child = self._child or self._start()
        except ChildLateError:
            return self._not_started("SBCL does not start in time")
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
            return LiveValue(TIME_LIMIT, self._note)
        except ChildGoneError:
            self._failed("it ended")  # and its last act was to print this value
            return LiveValue(PRINTING_ERROR, self._note)
        self._failures = 0
        if kind in _NOT_THERE:
            return LiveValue(None, _NOT_THERE[kind])
        return LiveValue(text, self._note)

    def _start(self) -> LiveChild:
        """Start the child and wait for its greeting; what is odd about it becomes the note."""
        record, words = self._record, []
        core = self._records.core(record.build_id)
        if not Path(record.sbcl).exists():
            raise SbclError(f"{record.sbcl}, which built the index, is not there any more")
        if runtime_facts(Path(record.sbcl)) != record.runtime:
            words.append(f"{record.sbcl} changed since the index was built")
            self._records.forget_core(record.build_id)
            core = None
        started = self._from_core(core) if core else None
        if core and not started:
            words.append("the snapshot does not start, so the systems were loaded anew")
        child, (version, not_loaded) = started or self._by_loading()
        if version != record.sbcl_version:
            words.append(f"the value is from SBCL {version}, the index is of {record.sbcl_version}")
        if not_loaded:
            words.append(f"{not_loaded} of the things that the build loaded did not load")
        self._note = "; ".join(words) or None
        self._starting = False
        return child

    def _from_core(self, core: Path) -> tuple[LiveChild, tuple[str, int]] | None:
        """A child from the snapshot, and its greeting; None when it does not start.

        The file stays: what keeps it from starting may be this process's own limits.
        """
        self._child = child = start_from_core(self._record, core)
        try:
            return child, child.greeting(_CORE_SECONDS)
        except (ChildGoneError, ChildLateError):
            self._drop()
            return None

    def _by_loading(self) -> tuple[LiveChild, tuple[str, int]]:
        self._child = child = start_by_loading(self._record, self._cache)
        return child, child.greeting(_LOADING_SECONDS)

    def _failed(self, reason: str) -> None:
        self._drop()
        self._last_failure = reason
        self._failures += 1
        if self._failures >= _MOST_FAILURES:
            self._failures = 0
            self._paused_until = time.monotonic() + _PAUSE_SECONDS

    def _drop(self) -> None:
        self._starting = True
        if self._child is not None:
            self._child.close()
            self._child = None
