"""Lines for standard error, or another place that may block, written by a thread of their own.

A client may stop reading our standard error, and the server must not stop with it.

The queue handler and listener of ``logging.handlers`` do not promise that. When the queue is full, the
handler prints a traceback on the very stream that is blocked; it does not count the lines it drops; and the
listener's ``stop`` waits for the last line without a time limit. With these three replaced, nothing of them
would be left.
"""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

_MOST_WAITING = 1000
_FLUSH_SECONDS = 2.0


def write_to_stderr(line: str) -> None:
    """Write a line to stderr, bypassing Python's buffers, whose locks a blocked thread must not hold."""
    if sys.stderr is None:  # closed at startup: its descriptor may belong to another file now
        return
    data = line.encode("utf-8", "backslashreplace")
    while data:
        try:
            data = data[os.write(2, data) :]
        except BlockingIOError:  # another process made it non-blocking
            threading.Event().wait(0.05)


class BackgroundLines:
    """Takes lines without ever waiting; when too many are queued, drops and counts the rest."""

    def __init__(
        self, write: Callable[[str], None] = write_to_stderr, *, most_waiting: int = _MOST_WAITING
    ) -> None:
        self._write = write
        self._waiting: queue.Queue[str] = queue.Queue(most_waiting)
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()  # guards the thread and the two counters
        self._dropped = 0
        self._unwritten = 0
        self._all_written = threading.Condition(self._lock)

    def put(self, line: str) -> None:
        """Queue a line."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="oblist lines", daemon=True)
                self._thread.start()
            try:
                self._waiting.put_nowait(line)
                self._unwritten += 1
            except queue.Full:
                self._dropped += 1

    def flush(self, seconds: float = _FLUSH_SECONDS) -> None:
        """Wait until all lines are written, for ``seconds`` at most."""
        with self._all_written:
            self._all_written.wait_for(lambda: not self._unwritten, seconds)

    def _work(self) -> None:
        while True:
            line = self._waiting.get()
            with self._lock:
                dropped, self._dropped = self._dropped, 0
            with suppress(OSError):  # nobody is reading, and there is nowhere else to report it
                if dropped:
                    self._write(f"oblist: {dropped} lines were dropped here: nobody read them in time\n")
                self._write(line)
            with self._all_written:
                self._unwritten -= 1
                self._all_written.notify_all()


class LinesHandler(logging.Handler):
    """A logging handler that writes in the background."""

    def __init__(self, lines: BackgroundLines) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a record; one that cannot be formatted is dropped."""
        with suppress(Exception):
            self._lines.put(self.format(record) + "\n")


stderr_lines = BackgroundLines()
"""The lines for standard error."""
