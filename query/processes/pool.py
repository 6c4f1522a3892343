"""A pool of connections to one index, and one source of values for all of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..api import Index
from ..index.damage import blaming

if TYPE_CHECKING:
    from ..index.value_source import LiveValue, ValueSource

_MOST_IDLE = 16  # as many as are in use at the same time


class IndexPool:
    """Connections to one index, each lent to one thread at a time."""

    def __init__(self, open_one: Callable[[], Index]) -> None:
        """``open_one`` opens the index; it is called again after a failure."""
        self._open_one = open_one
        self._idle: list[Index] = []
        self._is_closed = False
        self._lock = threading.Lock()

    @contextmanager
    def lent(self, *, hurried: bool = False) -> Iterator[Index]:
        """An index for this thread alone; a ``hurried`` one answers short questions only."""
        with self._lock:
            index = self._idle.pop() if self._idle else None
        index = index or self._open_one()
        index.allow(hurried=hurried)
        try:
            with blaming([index]):
                yield index
        finally:
            with self._lock:
                keep = not self._is_closed and len(self._idle) < _MOST_IDLE
                if keep:
                    self._idle.append(index)
            if not keep:
                index.close()

    def close(self) -> None:
        """Close the idle connections at once, and those that are lent out when they come back."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for index in idle:
            index.close()


class SharedValues:
    """One source of values for all connections to an index, so that one SBCL serves them all."""

    def __init__(self, find: Callable[[str], ValueSource]) -> None:
        """``find`` returns the source for a build id."""
        self._find = find
        self._source: ValueSource | None = None
        self._build_id: str | None = None
        self._lock = threading.Lock()

    def __call__(self, build_id: str) -> ValueSource:
        """The source for the index with this build id; the source of an older build is closed."""
        with self._lock:
            old = None
            if build_id != self._build_id or self._source is None:
                old, self._source = self._source, self._find(build_id)
                self._build_id = build_id
            source = self._source
        if old is not None:
            old.close()
        return _Borrowed(source)

    def close(self) -> None:
        """Close the source."""
        with self._lock:
            source, self._source = self._source, None
        if source is not None:
            source.close()


class _Borrowed:
    """A source of values that its borrower cannot close."""

    def __init__(self, source: ValueSource) -> None:
        self._source = source

    def value(self, package: str, name: str) -> LiveValue:
        return self._source.value(package, name)

    def close(self) -> None:
        """Do nothing: others use the source too."""
