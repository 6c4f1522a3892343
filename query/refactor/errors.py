"""Why a project is not changed."""

from __future__ import annotations

from ..errors import QueryError
from ..index.not_found import NotFound, not_found_text


class RefactorError(QueryError):
    """A change that cannot be made, with the reason; nothing is written."""


def not_found_error(found: NotFound) -> RefactorError:
    """The error that something is not found, in one line."""
    lines = not_found_text(found).splitlines()
    return RefactorError(". ".join(line.rstrip(".") for line in lines))
