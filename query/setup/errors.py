"""What prevents a client from being set up."""

from __future__ import annotations

from pathlib import Path

from ..errors import QueryError


class SetupError(QueryError):
    """A client cannot be set up, or its setup cannot be undone; the text says why, and what to do."""


class BrokenFileError(SetupError):
    """A client's file cannot be read as what it should be; ``line`` and ``column`` count from 1."""

    def __init__(self, why: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(why)
        self.line = line
        self.column = column

    def at(self, path: Path) -> SetupError:
        """The error with the file and the place in it."""
        place = ":".join(str(one) for one in (path, self.line, self.column) if one is not None)
        return SetupError(f"{place}: {self}. Correct the file and try again; nothing was written.")
