"""The error of a check that cannot be made."""

from __future__ import annotations

from ..errors import QueryError


class CheckError(QueryError):
    """The check cannot be made: its paths, settings or baseline are wrong."""
