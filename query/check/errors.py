"""The error raised when a check cannot be run."""

from __future__ import annotations

from ..errors import QueryError


class CheckError(QueryError):
    """The check cannot be run: its paths, settings or baseline are wrong."""
