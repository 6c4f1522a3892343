"""A file that is ours as a whole."""

from __future__ import annotations

from dataclasses import dataclass

from .part import State


@dataclass(frozen=True, slots=True)
class WholePart:
    """A file that has ``body`` and nothing else."""

    body: str

    def value(self, text: str) -> str | None:
        """The text itself, if there is any."""
        return text or None

    def state(self, text: str) -> State:
        """Whether the file is there, and with this text."""
        if not text:
            return State.ABSENT
        return State.SAME if text == self.body else State.OTHER

    def put(self, _: str) -> str:
        """The body."""
        return self.body

    def take(self, text: str) -> str:
        """Nothing, if the text is ours."""
        return "" if text == self.body else text
