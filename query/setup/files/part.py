"""What oblist puts into a client's file."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Protocol


class State(Enum):
    """Whether a file has a part: not at all, as it would be written now, or in another form."""

    ABSENT = "absent"
    SAME = "same"
    OTHER = "other"


class FilePart(Protocol):
    """One thing that belongs in a client's file; a file that does not exist has an empty text.

    All methods raise BrokenFileError if the text is not what the client reads.
    """

    def state(self, text: str) -> State:
        """Whether the text has the part."""

    def put(self, text: str) -> str:
        """The text with the part, which replaces one in another form."""

    def take(self, text: str) -> str:
        """The text without the part."""

    def value(self, text: str) -> Any:
        """What the client reads there, such as the table of a server; None if there is nothing."""


def line_end(text: str) -> str:
    """How the lines of a text end."""
    return "\r\n" if "\r\n" in text else "\n"


def place_of(text: str, position: int) -> tuple[int, int]:
    """Line and column of a position, from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def set_in(data: Any, path: Sequence[str], value: Any) -> Any:
    """A copy of nested mappings in which ``path`` leads to ``value``."""
    if not path:
        return value
    old = data if isinstance(data, dict) else {}
    return {**old, path[0]: set_in(old.get(path[0]), path[1:], value)}


def found_in(data: Any, path: Sequence[str]) -> Any:
    """The value that ``path`` leads to in nested mappings, or None."""
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def without_in(data: Any, path: Sequence[str]) -> Any:
    """A copy of nested mappings without what ``path`` leads to, and without those that are then empty."""
    kept = {name: value for name, value in data.items() if name != path[0]}
    inner = without_in(data[path[0]], path[1:]) if len(path) > 1 else {}
    return {name: inner if name == path[0] else data[name] for name in data if name in kept or inner}
