"""What answers questions for the values of variables: the protocol between an index and a live Lisp."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class LiveValue:
    """The text of a value, None when there is none; what to know about it, and where it is from."""

    text: str | None
    note: str | None = None
    origin: str = "live"


class ValueSource(Protocol):
    """Where values come from."""

    def value(self, package: str, name: str) -> LiveValue:
        """The value of the symbol ``name`` of ``package``, or why there is none; it never raises."""

    def close(self) -> None:
        """Let go of what answers."""
