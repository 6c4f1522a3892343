"""Several parts of one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .part import FilePart, State


@dataclass(frozen=True, slots=True)
class FileParts:
    """All of ``parts`` in the same file."""

    parts: Sequence[FilePart]

    def value(self, text: str) -> list[Any] | None:
        """What the file has of each; None if it has none of them."""
        values = [part.value(text) for part in self.parts]
        return None if all(value is None for value in values) else values

    def state(self, text: str) -> State:
        """``OTHER`` if one of them is, ``SAME`` if all are; ``ABSENT`` if one is missing."""
        states = {part.state(text) for part in self.parts}
        if State.OTHER in states:
            return State.OTHER
        return State.ABSENT if State.ABSENT in states else State.SAME

    def put(self, text: str) -> str:
        """The text with all of them."""
        for part in self.parts:
            if part.state(text) is not State.SAME:
                text = part.put(text)
        return text

    def take(self, text: str) -> str:
        """The text without any of them."""
        for part in reversed(self.parts):
            text = part.take(text)
        return text
