"""A call of a tool as its handler sees it: the index to ask, progress reports, and cancellation."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ...catalog.api import open_slice

if TYPE_CHECKING:
    from ...api import Index
    from ...index.not_found import NotFound
    from ...index.parameters import Parameters
    from ...processes.pool import IndexPool, SharedValues
    from .evaluation_host import EvaluationHost
    from .index_builds import IndexBuilds

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class ToolSurroundings:
    """The resources of one server's tools: its index and builds, and the Lisps that evaluate and expand.

    ``structured`` is whether its clients get each answer as an object, beside the text; ``projects`` are the
    folders whose files they may read.
    """

    indexes: IndexPool
    index_path: Callable[[], Path]
    builds: IndexBuilds
    evaluation: EvaluationHost
    expansion: EvaluationHost
    values: SharedValues | None = None
    structured: bool = False
    projects: tuple[Path, ...] = ()

    def notes(self) -> list[str]:
        """Remarks on the state of builds and evaluation, one sentence each."""
        return [*self.builds.notes(), *self.evaluation.notes()]

    def close(self) -> None:
        """End all processes, and close the index."""
        self.evaluation.close()
        self.expansion.close()
        self.builds.close()
        if self.values is not None:
            self.values.close()
        self.indexes.close()


class UnknownStandpointError(Exception):
    """The index lacks the package that names are to be written for; ``answer`` says so."""

    def __init__(self, answer: NotFound) -> None:
        super().__init__(answer.message)
        self.answer = answer


class Call:
    """One call of a tool, from its start to its end or its cancellation."""

    def __init__(
        self,
        surroundings: ToolSurroundings,
        progress: Callable[[str], None] | None = None,
        *,
        hurried: bool = False,
        release: str | None = None,
        seen_from: str | None = None,
    ) -> None:
        """With ``hurried``, the index answers only short questions, and raises NoTimeError for others.

        With ``release``, the index to ask is that of a release in the catalog; with ``seen_from``, it writes
        names as code in that package does.
        """
        self.surroundings = surroundings
        self._release = release
        self._seen_from = seen_from
        self._hurried = hurried
        self.cancelled = False
        self._tell = progress
        self._stops: list[Callable[[], None]] = []
        self._lock = threading.Lock()  # so that nothing is stopped after it has ended

    @contextmanager
    def index(self) -> Iterator[Index]:
        """The index to ask; cancelling the call interrupts its statements.

        Raises UnknownStandpointError if the index lacks the package that names are to be written for.
        """
        if self._release is not None:
            with open_slice(self._release) as index, self.stopped_by(index.interrupt):
                index.allow(hurried=self._hurried)
                self._refuse_unknown_standpoint(index)
                yield index
            return
        indexes = self.surroundings.indexes
        with indexes.lent(hurried=self._hurried) as index, self.stopped_by(index.interrupt):
            self._refuse_unknown_standpoint(index)
            yield index

    def ask(self, index: Index, parameters: Parameters[_Answer]) -> _Answer:
        """The answer of ``index`` to a question, with names written for the package of the call."""
        return index.ask(parameters, seen_from=self._seen_from)

    def _refuse_unknown_standpoint(self, index: Index) -> None:
        if self._seen_from is None:
            return
        from ...index.finding.resolve import package_argument
        from ...index.not_found import NotFound

        index.reopen_if_replaced()
        if isinstance(unknown := package_argument(index, self._seen_from), NotFound):
            raise UnknownStandpointError(unknown)

    @contextmanager
    def stopped_by(self, stop: Callable[[], None]) -> Iterator[None]:
        """A context in which cancelling the call calls ``stop``, from another thread."""
        with self._lock:
            self._stops.append(stop)
            if self.cancelled:
                stop()
        try:
            yield
        finally:
            with self._lock:
                self._stops.remove(stop)

    @property
    def at_work(self) -> bool:
        """Whether there is anything that a cancellation would stop."""
        return bool(self._stops)

    def cancel(self) -> None:
        """Stop the call: nobody is waiting for its answer any more."""
        with self._lock:
            self.cancelled = True
            for stop in self._stops:
                stop()

    def progress(self, message: str) -> None:
        """Report to the client how far the work has got."""
        if self._tell is not None and not self.cancelled:
            self._tell(message)


_CURRENT: ContextVar[Call] = ContextVar("call of a tool")


def this_call() -> Call:
    """The current call, for a handler. Raises LookupError outside a call."""
    return _CURRENT.get()


def wants_objects() -> bool:
    """Whether the current call has its answer as an object beside the text; not outside a call."""
    call = _CURRENT.get(None)
    return call is not None and call.surroundings.structured


@contextmanager
def current(call: Call) -> Iterator[None]:
    """A context in which ``call`` is the current call."""
    token = _CURRENT.set(call)
    try:
        yield
    finally:
        _CURRENT.reset(token)
