"""The builds of the index that a server starts, or waits for.

The only build that starts by itself is the one that the server's options ask for.
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
    """The builds of one index; any thread may use it."""

    def __init__(self, index_path: Callable[[], Path]) -> None:
        self._path = index_path
        self._lock = threading.Lock()  # guards ``_builds``
        self._builds: list[BuildProcess] = []
        self._first_build: threading.Thread | None = None
        self._closed = threading.Event()
        self._stage = "starting"
        self._failure: str | None = None
        self._incomplete: str | None = None  # what the first build could not load

    @property
    def building(self) -> bool:
        """Whether the first build has not made an index yet."""
        return self._first_build is not None

    def begin_build(self, arguments: Sequence[str]) -> None:
        """Build the index in a thread, with these ``arguments`` for ``oblist index``."""

        def build() -> None:
            try:
                outcome = self._run(arguments, self._note_stage, FIRST_BUILD_SECONDS)
                self._failure = None if outcome.success else outcome.text
                if outcome.success and outcome.code:
                    self._incomplete = outcome.text
                    _logger.warning("%s", outcome.text)
            except Exception as error:  # noqa: BLE001 - the next call reports it
                self._failure = f"{type(error).__name__}: {error}"
            if self._failure is None:
                self._first_build = None

        self._first_build = threading.Thread(target=build, name="oblist build", daemon=True)
        self._first_build.start()

    def begin_waiting(self, why_not: Callable[[], str | None]) -> None:
        """Wait, in a thread, for the index that another process is building.

        ``why_not`` returns the reason there will be none, once that is known; until then None.
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
        """Wait for the first build, and report its stages to ``call``.

        Returns why there is no index, or none yet; None if there is an index.
        """
        deadline = time.monotonic() + _PATIENCE_SECONDS
        reported = ""
        while (thread := self._first_build) is not None and not call.cancelled:
            thread.join(_LOOK_SECONDS)
            if not thread.is_alive():
                break
            if self._stage != reported:
                reported = self._stage
                call.progress(f"building the index: {reported}")
            if time.monotonic() > deadline:
                return f"The index is still being built ({reported}). Ask again in a minute."
        if self._first_build is None or self._path().exists():  # another process has built it meanwhile
            return None
        return f"The index could not be built: {self._failure} Fix that and start again, or run: oblist index"

    def rebuild(self, call: Requester, seconds: float) -> BuildOutcome:
        """Rebuild the index as recorded in this user's cache. Raises QueryError."""
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
        """The systems that the first build could not load, if any."""
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
