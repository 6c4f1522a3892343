"""Why a name is not renamed."""

from __future__ import annotations

from ..errors import QueryError


class RefactorError(QueryError):
    """A rename that cannot be made, with the reason; nothing is written."""
