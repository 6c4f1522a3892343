"""The last line of a text: the indexes that an answer comes from."""

from __future__ import annotations

from collections.abc import Mapping

from ..index.shown import shown_name


def from_line(counts: Mapping[str, int], catalog: str | None) -> str:
    """Return the line that says how much each index that was asked has; ``catalog`` is the path of one."""
    named = [f"{named_index(path, catalog)} ({count})" for path, count in counts.items()]
    return f"From: {', '.join(named)}"


def named_index(path: str, catalog: str | None) -> str:
    """Return the path of an index, or of the catalog, as texts show it."""
    return f"the catalog {shown_name(path)}" if path == catalog else shown_name(path)
