"""A pause after several failures in a row, so that a broken source is not tried again for every question."""

from __future__ import annotations

import time

MOST_FAILURES = 5
_SECONDS = 60.0


class Pause:
    """Counts failures, and after MOST_FAILURES in a row asks for a pause."""

    def __init__(self) -> None:
        self._failures = 0
        self._until = 0.0
        self._last_failure = ""

    @property
    def reason(self) -> str | None:
        """The last failure, during a pause; otherwise None."""
        return self._last_failure if time.monotonic() < self._until else None

    def failed(self, reason: str) -> None:
        """Count a failure."""
        self._last_failure = reason
        self._failures += 1
        if self._failures >= MOST_FAILURES:
            self._failures = 0
            self._until = time.monotonic() + _SECONDS

    def succeeded(self) -> None:
        """Forget the failures so far."""
        self._failures = 0
