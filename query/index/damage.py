"""Errors for which an index is to blame: those that its rows cause, because they contradict each other.

Readers assume what holds in every sound index: that numbers point to rows, that a name is a text. Checking
that at each question would cost more than the answer. Rows for which it does not hold make Python raise one
of ``CAUSED_BY_ROWS`` somewhere; then, and only then, the whole file is examined. If it is sound, the fault is
ours, and the error stays as it is.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from ..errors import IndexDamagedError

CAUSED_BY_ROWS = (
    *(LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError),
    *(RecursionError, MemoryError),
)
_OURS = "oblist."
_MOST_FILES = 16


class Suspect(Protocol):
    """An open file, which may be to blame."""

    @property
    def is_catalog(self) -> bool:
        """Whether it is a catalog."""

    @property
    def address(self) -> str:
        """The file as SQLite opens it."""

    @property
    def identity(self) -> str:
        """A text that differs for each file at the same place."""

    def damaged(self, why: str) -> IndexDamagedError:
        """The error that says what is wrong with the file, and the cure."""


@contextmanager
def blaming(readings: Iterable[Suspect]) -> Iterator[None]:
    """A context that raises IndexDamagedError where damage of one of the ``readings`` explains an error.

    An error that passed through none of our code is the caller's own.
    """
    try:
        yield
    except CAUSED_BY_ROWS as error:
        raise_damage(readings, error)
        raise


def raise_damage(readings: Iterable[Suspect], error: BaseException) -> None:
    """Raise IndexDamagedError if damage of one of the ``readings`` explains an error."""
    if not isinstance(error, CAUSED_BY_ROWS) or type(error).__module__.startswith(_OURS):
        return
    if not _passed_through_ours(error.__traceback__):
        return
    for reading in readings:
        kind = "catalog" if reading.is_catalog else "index"
        if fault := _fault(reading.address, kind, reading.identity):
            raise reading.damaged(fault) from error


@lru_cache(_MOST_FILES)  # a server is asked again and again
def _fault(address: str, kind: str, _: str) -> str | None:
    """What is wrong in a file; the last argument is another for each file at the same place."""
    import sqlite3

    from oblist.indexer.soundness import first_fault

    with closing(sqlite3.connect(address, uri=True)) as connection:
        return first_fault(connection, kind)


def _passed_through_ours(traceback: TracebackType | None) -> bool:
    while traceback is not None:
        if str(traceback.tb_frame.f_globals.get("__name__", "")).startswith(_OURS):
            return True
        traceback = traceback.tb_next
    return False
