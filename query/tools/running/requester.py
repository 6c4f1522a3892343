"""The call that waits for a build or an evaluation, as these see it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ...api import Index


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
