"""What a server may start: builds of the index, and the Lisp that evaluates.

Nothing here starts by itself but the build that the server was started with.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ...errors import InterruptedQuestionError, QueryError

if TYPE_CHECKING:
    from ...api import Index
    from ...index.value_source import LiveValue
    from ...processes.build import BuildOutcome, BuildProcess
    from ...values.evaluation import Evaluator

_logger = logging.getLogger("oblist")
FIRST_BUILD_SECONDS = 3600.0
_PATIENCE_SECONDS = 50.0  # clients commonly give up after 60
_LOOK_SECONDS = 0.1
_TURN_SECONDS = 30.0  # how long a form waits for those before it
_OLD_IMAGE = "it ran in the image of the build before; what changed since is not in it"


class Requester(Protocol):
    """A call that waits for something here: it may be cancelled, and wants to know how far the work is."""

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits any more."""

    def index(self) -> AbstractContextManager[Index]:
        """The index to ask."""

    def stopped_by(self, stop: Callable[[], None]) -> AbstractContextManager[None]:
        """Within this, cancelling the call calls ``stop``, from another thread."""

    def progress(self, message: str) -> None:
        """Tell whoever asked how far the work is."""


class BusyError(QueryError):
    """The Lisp that evaluates is at work for others."""

    def __init__(self) -> None:
        super().__init__("The Lisp is busy with another form. Ask again.")


@dataclass(frozen=True, slots=True)
class LentEvaluator:
    """The Lisp that evaluates, and what to know about the image it runs in."""

    evaluator: Evaluator
    note: str | None


class Workshop:
    """Builds of one index, and the Lisp that evaluates in its image; for any thread."""

    def __init__(self, index_path: Callable[[], Path]) -> None:
        self._path = index_path
        self._evaluator: Evaluator | None = None
        self._evaluator_build: str | None = None
        self._evaluating = threading.Lock()
        self._lock = threading.Lock()  # for the evaluator's making, and what follows
        self._builds: list[BuildProcess] = []
        self._first_build: threading.Thread | None = None
        self._closed = threading.Event()
        self._stage = "starting"
        self._failure: str | None = None
        self._incomplete: str | None = None  # what the first build could not load

    # Builds

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

    # Evaluation

    @contextmanager
    def evaluator(self, call: Requester) -> Iterator[LentEvaluator]:
        """The Lisp that evaluates, for this call alone; cancelling the call ends what it evaluates.

        Raises InterruptedQuestionError when the call is cancelled before its turn, and BusyError
        when that does not come soon.
        """
        deadline = time.monotonic() + _TURN_SECONDS
        while not self._evaluating.acquire(timeout=_LOOK_SECONDS):
            if call.cancelled:
                raise InterruptedQuestionError
            if time.monotonic() > deadline:
                raise BusyError
        try:
            with call.index() as index:
                build_id = index.facts.get("build_id", "")
            evaluator = self._evaluator_of(build_id)
            old = build_id != self._evaluator_build
            with call.stopped_by(evaluator.cancel):
                yield LentEvaluator(evaluator, _OLD_IMAGE if old else None)
        finally:
            self._evaluating.release()

    def value(self, package: str, name: str) -> LiveValue | None:
        """The value that a symbol has in the Lisp that evaluates; None when none runs. It never raises."""
        evaluator = self._evaluator
        return evaluator.value(package, name) if evaluator is not None else None

    def _evaluator_of(self, build_id: str) -> Evaluator:
        """That which runs; when none does, one for the build that the index is of by now."""
        from ...values.evaluation import Evaluator

        with self._lock:
            old = evaluator = self._evaluator
            if evaluator is None or (build_id != self._evaluator_build and not evaluator.running):
                self._evaluator = evaluator = Evaluator(build_id)
                self._evaluator_build = build_id
        if old is not None and old is not evaluator:
            old.close()
        return evaluator

    def notes(self) -> list[str]:
        """What to know about the state of things, a sentence each."""
        notes = [self._incomplete] if self._incomplete else []
        if self._evaluator is not None and self._evaluator.running:
            notes.append("A Lisp for eval_form runs; values of variables are those in it.")
        return notes

    def close(self) -> None:
        """End all that was started."""
        self._closed.set()
        with self._lock:
            builds, evaluator = list(self._builds), self._evaluator
        for build in builds:
            build.cancel()
        if evaluator is not None:
            evaluator.close()
        if (thread := self._first_build) is not None:
            thread.join(_PATIENCE_SECONDS / 5)
