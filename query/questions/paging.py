"""One page of a long list: how SQL is asked for it, and the line that says how much is left."""

from __future__ import annotations

from collections.abc import Sequence

_MOST_ROWS = 2**63 - 1  # SQLite's biggest number


def rest_line(shown: Sequence[object], total: int, offset: int, more: str) -> list[str]:
    """The line that says how many of ``total`` come after what is ``shown``, if any do.

    ``more`` is how to get them, with ``{offset}`` for where to go on.
    """
    end = offset + len(shown)
    return [f"... and {total - end} more: {more.format(offset=end)}"] if shown and end < total else []


def page(limit: int, offset: int) -> dict[str, int]:
    """The values of a statement that ends with ``LIMIT :limit OFFSET :offset``; ``limit`` 0 means all."""
    return {"limit": min(limit, _MOST_ROWS) or -1, "offset": min(offset, _MOST_ROWS)}
