"""Evaluating forms in the image of a build: a separate Lisp, which starts with the first form.

It is not the process that reports the values of the index. Definitions last until it ends; while it runs,
it can report values too, as the forms have left them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass

from oblist.lisp.evaluation_child import EvaluationChild, EvaluationLimits, evaluation_image
from oblist.lisp.live_child import ChildGoneError, ChildLateError, ImageChild
from oblist.lisp.sbcl import SbclError

from ..expansions import ONCE
from ..index.value_source import LiveValue
from .live import DEADLINE_SECONDS, NOT_THERE, PRINTING_ERROR, TIME_LIMIT, ChildThread, find_build

MOST_FORM_BYTES = 1_000_000
EVALUATED = "evaluated"
_NOT_BUILT_HERE = (
    "no Lisp can be started: this index was built elsewhere, or too long ago; run `oblist index` on this "
    "machine"
)
_LOST = "its changes are lost"
_START_SECONDS = 20.0  # how long a form waits for the systems to load
_NOT_BEGUN = "cancelled before it began"
_ENDED_BEFORE = f"; The Lisp has ended since the last form: {_LOST}. This is a new one.\n"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The outcome of a form, or of loading a system: the text to show, and a note about the image.

    ``unstartable`` is whether it failed since no Lisp can be started for this index.
    """

    success: bool
    text: str
    note: str | None = None
    unstartable: bool = False


class Evaluator:
    """Evaluates forms in the image of the build with this id, one request at a time, from any thread.

    What to start is read only from a build record in the user's own cache. Nothing is started until the
    first form arrives.
    """

    def __init__(self, build_id: str, limits: EvaluationLimits | None = None) -> None:
        self._build_id = build_id
        self._limits = limits or EvaluationLimits()
        self._thread = ChildThread("oblist evaluation", self._end)
        self._lock = threading.Lock()  # guards the next two fields, and the making of the image
        self._busy = False
        self._cancellations = 0
        # Only the thread uses the following fields, except to kill the image.
        self._cancellations_before = 0  # the number of cancellations when the current request began
        self._running = False
        self._used = False  # something was evaluated in the running Lisp
        self._lost = False  # something was evaluated in a Lisp that has ended, not yet reported
        self._image: ImageChild[EvaluationChild] | None = None

    @property
    def running(self) -> bool:
        """Whether a Lisp is running in which something may have been evaluated."""
        return self._running

    def evaluate(self, form: str, package: str = "CL-USER") -> Evaluation:
        """Evaluate all forms in the text ``form``, read in ``package``, and return the values of the last.

        Printed output comes before the values. Never raises: an error becomes the text.
        """
        wrong = _unfit(form, "form") or _unfit(package, "package name")
        if wrong:
            return _error(wrong)
        late = f"the form did not finish within {self._limits.evaluating} s"
        return self._question(lambda child: child.evaluate(package, form), "the form", late)

    def expand(self, form: str, package: str = "CL-USER", how: str = ONCE) -> Evaluation:
        """Expand the macro form in the text ``form``, read in ``package``; ``how`` is one of EXPANSIONS.

        What the macro prints comes before the expansion. Never raises: an error becomes the text.
        """
        wrong = _unfit(form, "form") or _unfit(package, "package name")
        if wrong:
            return _error(wrong)
        late = f"the macro did not finish within {self._limits.evaluating} s"
        return self._question(lambda child: child.expand(how, package, form), "the macro", late)

    def load_system(self, name: str) -> Evaluation:
        """Load the system ``name`` with ASDF. Never raises: an error becomes the text."""
        wrong = _unfit(name, "system name")
        if wrong:
            return _error(wrong)
        late = f"loading {name} did not finish within {self._limits.loading} s"
        return self._question(lambda child: child.load(name), f"loading {name}", late)

    def value(self, package: str, name: str) -> LiveValue | None:
        """The current value of a symbol in the Lisp; None if it is not running. Never raises."""
        if not self._running:
            return None
        future = self._thread.submit(lambda: self._value(package, name))
        try:
            return future.result(DEADLINE_SECONDS)
        except (TimeoutError, CancelledError):
            future.cancel()
            return LiveValue(None, "no value: the Lisp is busy evaluating; ask again")

    def cancel(self) -> None:
        """End the Lisp at once if it is busy, and cancel every request that is waiting for its turn."""
        with self._lock:
            self._cancellations += 1
            if self._busy:
                self._kill()

    def close(self) -> None:
        """End the Lisp, if it is running. A later request would start another."""
        self.cancel()
        self._thread.stop(self._kill)

    def _kill(self) -> None:
        if (image := self._image) is not None:
            image.kill()

    def _question(
        self, ask: Callable[[EvaluationChild], tuple[str, str]], what: str, late: str
    ) -> Evaluation:
        cancellations, late_start = self._cancellations, threading.Event()

        def answer() -> Evaluation:
            return self._answer(cancellations, ask, what, late, late_start)

        try:
            future = self._thread.submit(answer)
            try:
                return future.result(None if self._running else _START_SECONDS)
            except TimeoutError:
                if not self._running:
                    late_start.set()  # the start goes on, but this form is given up
                    return _error("SBCL is still loading the systems; ask again")
                return future.result()
        except CancelledError:
            return _error(_NOT_BEGUN)

    # Run in the thread

    def _answer(
        self,
        cancellations: int,
        ask: Callable[[EvaluationChild], tuple[str, str]],
        what: str,
        late: str,
        late_start: threading.Event,
    ) -> Evaluation:
        with self._lock:
            if self._cancellations != cancellations:
                return _error(_NOT_BEGUN)
            self._busy, self._cancellations_before = True, cancellations
        try:
            return self._evaluation(ask, late_start)
        except ChildLateError:
            return self._failed(f"{late}; the Lisp was stopped and {_LOST}")
        except ChildGoneError:
            return self._failed(f"{what} ended the Lisp; {_LOST}")
        except Exception as error:  # noqa: BLE001 - reported to the caller
            return self._failed(f"{type(error).__name__}: {error}")
        finally:
            with self._lock:
                self._busy = False

    def _evaluation(
        self, ask: Callable[[EvaluationChild], tuple[str, str]], late_start: threading.Event
    ) -> Evaluation:
        if (image := self._image) is not None and image.child is not None and image.child.has_ended():
            self._end_untold()
        try:
            child = self._started()
        except (SbclError, ChildGoneError, ChildLateError, OSError) as error:
            reason = "it took too long" if isinstance(error, ChildLateError) else error
            return self._failed(f"SBCL did not start: {reason}")
        if child is None:
            return Evaluation(False, f"Error: {_NOT_BUILT_HERE}", unstartable=True)
        if late_start.is_set():
            return _error("SBCL did not load the systems in time")
        before, self._lost = _ENDED_BEFORE if self._lost else "", False
        kind, text = ask(child)
        self._used = True
        note = self._image.note if self._image else None
        if kind == "done":
            return Evaluation(True, before + text, note)
        return Evaluation(False, f"{text}\n{before}" if before else text, note)

    def _started(self) -> EvaluationChild | None:
        """The child, started now if necessary; None if there is no record to start it from."""
        if self._image is not None and self._image.child is not None:
            return self._image.child
        found = find_build(self._build_id)
        if found is None:
            return None
        with self._lock:
            self._image = image = evaluation_image(*found, self._limits)
            if self._is_cancelled():
                image.kill()
        child = image.start()
        self._running = True
        return child

    def _failed(self, reason: str) -> Evaluation:
        """Drop the child, and return the error message."""
        if not self._is_cancelled():
            self._end()
            return _error(reason)
        self._end_untold()  # the canceller does not see this message
        return _error(f"cancelled; the Lisp was stopped and {_LOST}")

    def _is_cancelled(self) -> bool:
        return self._cancellations != self._cancellations_before

    def _value(self, package: str, name: str) -> LiveValue | None:
        image = self._image
        if image is None or image.child is None:
            return None
        try:
            kind, text = image.child.value(package, name)
        except ChildLateError:
            self._end_untold()
            return LiveValue(TIME_LIMIT, f"the Lisp was stopped and {_LOST}", EVALUATED)
        except (ChildGoneError, OSError):
            self._end_untold()
            return LiveValue(PRINTING_ERROR, f"the Lisp ended and {_LOST}", EVALUATED)
        if kind in NOT_THERE:
            return LiveValue(None, NOT_THERE[kind])
        return LiveValue(text, image.note, EVALUATED)

    def _end_untold(self) -> None:
        """Drop the child; the next form will report that its changes are lost."""
        self._lost = self._lost or self._used
        self._end()

    def _end(self) -> None:
        self._used = False
        self._running = False
        if self._image is not None:
            self._image.drop()


def _error(reason: str) -> Evaluation:
    return Evaluation(False, f"Error: {reason}")


def _unfit(text: str, what: str) -> str | None:
    """The reason why ``text`` cannot be sent to a Lisp, if any."""
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        code = f"U+{ord(text[error.start]):04X}"
        return f"the {what} has a lone surrogate ({code}) at character {error.start}; UTF-8 cannot encode it"
    if size > MOST_FORM_BYTES:
        return f"the {what} has {size:,} bytes; the limit is {MOST_FORM_BYTES:,}"
    return None
