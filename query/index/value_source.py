"""The protocol by which an index gets the values of variables from a live Lisp."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class LiveValue:
    """The printed value (None if there is none), a note about it, and its origin."""

    text: str | None
    note: str | None = None
    origin: str = "live"


class ValueSource(Protocol):
    """A source of the values of variables."""

    def value(self, package: str, name: str) -> LiveValue:
        """Return the value of the symbol ``name`` of ``package``, or why it has none; never raises."""

    def close(self) -> None:
        """Release the process or connection that it uses."""
