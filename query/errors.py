"""Why a question could not be asked of an index: one root, a child for each cure."""

from __future__ import annotations

from pathlib import Path


class QueryError(Exception):
    """A question that has no answer because of the index, not because of the question."""


class IndexUnusableError(QueryError):
    """The file is no index that can be read; the text names it, what was expected and the cure."""

    def __init__(self, path: Path, what: str, cure: str) -> None:
        super().__init__(f"{path}: {what} {cure}")
        self.path = path
        self.what = what
        self.cure = cure


class IndexMissingError(IndexUnusableError):
    """There is no file at the path."""


class IndexDamagedError(IndexUnusableError):
    """The file is empty, truncated, no SQLite file, or not complete."""


class IndexVersionError(IndexUnusableError):
    """The file is another program's database, or an index of another format."""


class InterruptedQuestionError(QueryError):
    """The question was interrupted before it was answered, by another thread."""

    def __init__(self) -> None:
        super().__init__("The question was interrupted.")


class NoTimeError(QueryError):
    """The question may take long, and was asked by somebody who has no time."""

    def __init__(self) -> None:
        super().__init__("The question may take long.")


class StatementError(QueryError):
    """A statement in SQL that cannot be answered: what it says, or that it would not only read."""


class ExportError(QueryError):
    """A file that cannot be written where it was asked for."""


class RootsError(QueryError):
    """A root that was said to lie elsewhere is not one of the index, or is not NAME=PATH."""


class AttachError(QueryError):
    """The address of an image to attach to is none, or is not to be talked to."""


class ServingError(QueryError):
    """A server that cannot be started as it was asked for."""
