"""The interface to a call that waits for a build or an evaluation."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ...api import Index


class Requester(Protocol):
    """A call that waits for a build or an evaluation, may be cancelled, and takes progress reports."""

    @property
    def cancelled(self) -> bool:
        """Whether the call was cancelled."""

    def index(self) -> AbstractContextManager[Index]:
        """The index to ask."""

    def stopped_by(self, stop: Callable[[], None]) -> AbstractContextManager[None]:
        """A context in which cancelling the call calls ``stop``, from another thread."""

    def progress(self, message: str) -> None:
        """Report to the client how far the work has got."""
