"""Why a project is not changed."""

from __future__ import annotations

from ..errors import QueryError


class RefactorError(QueryError):
    """A change that cannot be made, with the reason; nothing is written."""
