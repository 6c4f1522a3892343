"""The errors of asking an index: one root, and a child for each cure."""

from __future__ import annotations

from pathlib import Path


class QueryError(Exception):
    """A question that has no answer because of the index, not because of the question."""


class IndexUnusableError(QueryError):
    """The file is not a readable index; the text names it, what was expected and the cure."""

    def __init__(self, path: Path, what: str, cure: str) -> None:
        super().__init__(f"{path}: {what} {cure}")
        self.path = path
        self.what = what
        self.cure = cure


class IndexMissingError(IndexUnusableError):
    """There is no file at the path."""


class IndexDamagedError(IndexUnusableError):
    """The file is empty, truncated, incomplete, or not an SQLite file."""


class IndexVersionError(IndexUnusableError):
    """The file is another program's database, or an index of another format."""


class InterruptedQuestionError(QueryError):
    """Another thread interrupted the question."""

    def __init__(self) -> None:
        super().__init__("The question was interrupted.")


class NoTimeError(QueryError):
    """The question may take a long time, and the caller has a deadline."""

    def __init__(self) -> None:
        super().__init__("The question may take a long time.")


class StatementError(QueryError):
    """An SQL statement that is wrong, or would do more than read."""


class ExportError(QueryError):
    """The export cannot be written to its place."""


class RootsError(QueryError):
    """A --root or OBLIST_ROOTS entry is not NAME=PATH, or names no root of the index."""


class AttachError(QueryError):
    """The address to attach to is malformed or not allowed."""


class ServingError(QueryError):
    """The server cannot start with the options given."""
