"""The Lisp that evaluates for the tools of a server.

There is only one. It starts when a call needs it, and is lent to one call at a time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...errors import InterruptedQuestionError, QueryError
from .requester import Requester

if TYPE_CHECKING:
    from ...index.value_source import LiveValue
    from ...values.evaluation import Evaluator

_LOOK_SECONDS = 0.1
_TURN_SECONDS = 30.0  # how long a form waits for its turn
_OLD_IMAGE = "it ran in the image of an earlier build, without later changes"


class BusyError(QueryError):
    """The Lisp that evaluates is busy with other calls."""

    def __init__(self) -> None:
        super().__init__("The Lisp is busy with another form. Ask again.")


@dataclass(frozen=True, slots=True)
class LentEvaluator:
    """The Lisp that evaluates, and a note about its image."""

    evaluator: Evaluator
    note: str | None


class EvaluationHost:
    """Lends out the Lisp that evaluates in the image of an index; any thread may ask."""

    def __init__(self) -> None:
        self._evaluator: Evaluator | None = None
        self._evaluator_build: str | None = None
        self._evaluating = threading.Lock()
        self._lock = threading.Lock()  # guards making the evaluator

    @contextmanager
    def evaluator(self, call: Requester) -> Iterator[LentEvaluator]:
        """The Lisp that evaluates, for this call alone; cancelling the call ends the evaluation.

        Raises InterruptedQuestionError when the call is cancelled before its turn, and BusyError when its
        turn does not come soon.
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
        """The value of a symbol in the Lisp that evaluates forms; None if it is not running. Never raises."""
        evaluator = self._evaluator
        return evaluator.value(package, name) if evaluator is not None else None

    def _evaluator_of(self, build_id: str) -> Evaluator:
        """The evaluator that is running, or else one for the index's current build."""
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
        """A remark on the Lisp, if it is running."""
        if self._evaluator is None or not self._evaluator.running:
            return []
        return ["A Lisp for eval_form is running; the values of variables are read from it."]

    def close(self) -> None:
        """End the Lisp."""
        with self._lock:
            evaluator = self._evaluator
        if evaluator is not None:
            evaluator.close()
