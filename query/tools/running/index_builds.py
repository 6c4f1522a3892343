"""Builds of the index that a server starts, or waits for.

Nothing here starts by itself but the build that the server was started with.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .requester import Requester

if TYPE_CHECKING:
    from ...processes.build import BuildOutcome, BuildProcess

_logger = logging.getLogger("oblist")
FIRST_BUILD_SECONDS = 3600.0
_PATIENCE_SECONDS = 50.0  # clients commonly give up after 60
_LOOK_SECONDS = 0.1


class IndexBuilds:
    """Builds of one index; for any thread."""

    def __init__(self, index_path: Callable[[], Path]) -> None:
        self._path = index_path
        self._lock = threading.Lock()  # for the next line
        self._builds: list[BuildProcess] = []
        self._first_build: threading.Thread | None = None
        self._closed = threading.Event()
        self._stage = "starting"
        self._failure: str | None = None
        self._incomplete: str | None = None  # what the first build could not load

    @property
    def building(self) -> bool:
        """Whether the build that the server was started with has not made an index."""
        return self._first_build is not None

    def begin_build(self, arguments: Sequence[str]) -> None:
        """Build the index with these arguments of ``oblist index``, in a thread of its own."""

        def build() -> None:
            try:
                outcome = self._run(arguments, self._note_stage, FIRST_BUILD_SECONDS)
                self._failure = None if outcome.success else outcome.text
                if outcome.success and outcome.code:
                    self._incomplete = outcome.text
                    _logger.warning("%s", outcome.text)
            except Exception as error:  # noqa: BLE001 - said to whoever asks next
                self._failure = f"{type(error).__name__}: {error}"
            if self._failure is None:
                self._first_build = None

        self._first_build = threading.Thread(target=build, name="oblist build", daemon=True)
        self._first_build.start()

    def begin_waiting(self, why_not: Callable[[], str | None]) -> None:
        """Wait, in a thread of its own, for the index that another process builds.

        ``why_not`` tells why that will not come about, as soon as it is known.
        """

        def wait() -> None:
            self._note_stage("loading the project")
            while not self._path().exists() and not self._closed.wait(_LOOK_SECONDS):
                if (reason := why_not()) is not None:
                    self._failure = reason
                    return
            self._first_build = None

        self._first_build = threading.Thread(target=wait, name="oblist watch", daemon=True)
        self._first_build.start()

    def await_build(self, call: Requester) -> str | None:
        """Wait for the build that the server was started with, telling its stages.

        The answer is why there is no index yet, or after all.
        """
        deadline = time.monotonic() + _PATIENCE_SECONDS
        told = ""
        while (thread := self._first_build) is not None and not call.cancelled:
            thread.join(_LOOK_SECONDS)
            if not thread.is_alive():
                break
            if self._stage != told:
                told = self._stage
                call.progress(f"building the index: {told}")
            if time.monotonic() > deadline:
                return f"The index is still being built ({told}). Ask again in a minute."
        if self._first_build is None or self._path().exists():  # somebody else has built it meanwhile
            return None
        return (
            f"The index could not be built: {self._failure} Mend that and start again, or run: oblist index"
        )

    def rebuild(self, call: Requester, seconds: float) -> BuildOutcome:
        """Build the index again as it was built, by the record in this user's cache. Raises QueryError."""
        from ...processes.build import rebuild_arguments

        with call.index() as index:
            build_id = index.facts.get("build_id", "")
        return self._run(rebuild_arguments(self._path(), build_id), call.progress, seconds, call)

    def _run(
        self,
        arguments: Sequence[str],
        on_stage: Callable[[str], None],
        seconds: float,
        call: Requester | None = None,
    ) -> BuildOutcome:
        from ...processes.build import BuildProcess

        process = BuildProcess(arguments)
        with self._lock:
            self._builds.append(process)
        try:
            if call is None:
                return process.run(on_stage, seconds)
            with call.stopped_by(process.cancel):
                return process.run(on_stage, seconds)
        finally:
            with self._lock:
                self._builds.remove(process)

    def _note_stage(self, stage: str) -> None:
        self._stage = stage

    def notes(self) -> list[str]:
        """What the first build could not load, if anything."""
        return [self._incomplete] if self._incomplete else []

    def close(self) -> None:
        """Cancel all builds."""
        self._closed.set()
        with self._lock:
            builds = list(self._builds)
        for build in builds:
            build.cancel()
        if (thread := self._first_build) is not None:
            thread.join(_PATIENCE_SECONDS / 5)
