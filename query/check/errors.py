"""Why a check cannot be made."""

from __future__ import annotations

from ..errors import QueryError


class CheckError(QueryError):
    """What is asked for cannot be checked: paths, settings or a baseline that are not what they should be."""
