"""One page of a long list: its SQL parameters, and the line that says how many items are left."""

from __future__ import annotations

from collections.abc import Sequence

_MOST_ROWS = 2**63 - 1  # SQLite's largest integer


def rest_line(shown: Sequence[object], total: int, offset: int, more: str) -> list[str]:
    """Return the line that says how many of ``total`` come after the ones ``shown``, if any do.

    ``more`` says how to get them, with ``{offset}`` for the next offset.
    """
    end = offset + len(shown)
    return [f"... and {total - end} more: {more.format(offset=end)}"] if shown and end < total else []


def page(limit: int, offset: int) -> dict[str, int]:
    """Return the values of ``LIMIT :limit OFFSET :offset`` in a statement; ``limit`` 0 means all."""
    return {"limit": min(limit, _MOST_ROWS) or -1, "offset": min(offset, _MOST_ROWS)}
