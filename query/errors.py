"""The errors raised when an index is queried: one root class, and a subclass for each cure."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = "oblist"
_MOST_QUOTED = 400


class QueryError(Exception):
    """The question could not be answered at all; one that merely finds nothing is answered with NotFound."""


def replaced_meanwhile(error: BaseException) -> str | None:
    """What to say of an ``error`` that comes from files of oblist that are gone; None for another error."""
    if isinstance(error, ImportError) and (error.name or "").partition(".")[0] == _PACKAGE:
        return "The program files of oblist were removed or replaced while it was running: start it again."
    return None


class IndexUnusableError(QueryError):
    """The file is not a readable index; the message names the file, what is wrong with it, and the cure."""

    def __init__(self, path: Path, what: str, cure: str) -> None:
        what = _harmless(what)
        super().__init__(f"{path}: {what} {cure}")
        self.path = path
        self.what = what
        self.cure = cure


def _harmless(text: str) -> str:
    """The text without what a terminal would obey: it may quote what is in a file of somebody else's."""
    shown = "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)
    return shown if len(shown) <= _MOST_QUOTED else f"{shown[:_MOST_QUOTED]}..."


class IndexMissingError(IndexUnusableError):
    """There is no file at the path."""


class IndexDamagedError(IndexUnusableError):
    """The file is empty, truncated, incomplete, or not an SQLite file."""


class IndexVersionError(IndexUnusableError):
    """The file is another program's database, or an index of another format."""


class UnrecordedError(QueryError):
    """The question rests on a part of the records that the producer of the index left out."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(f"{path}: {text}")


class ReleaseError(QueryError):
    """The catalog has no such release, or the release has no index."""


class InterruptedQuestionError(QueryError):
    """Another thread interrupted the question."""

    def __init__(self) -> None:
        super().__init__("The question was interrupted.")


class LateAnswerError(QueryError):
    """The question took longer than it may."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"There was no answer within {seconds:.3g} s. Ask for less.")


class NoTimeError(QueryError):
    """The question may take a long time, and the caller has a deadline."""

    def __init__(self) -> None:
        super().__init__("The question may take a long time.")


class StatementError(QueryError):
    """The SQL statement is invalid, or would do more than read."""


class ExportError(QueryError):
    """The export cannot be written to its destination."""


class RootsError(QueryError):
    """A --root or OBLIST_ROOTS entry is not NAME=PATH, or --root names one that the index does not have."""


class AttachError(QueryError):
    """The address to attach to is malformed or not allowed."""


class ServingError(QueryError):
    """The server cannot start with the options given."""
