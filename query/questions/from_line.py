"""The last line of a text: the indexes that an answer comes from."""

from __future__ import annotations

from ..index.shown import shown_name


def from_line(answer: object) -> list[str]:
    """Return the line that says how much each of several indexes has; nothing for the answer of one."""
    counts: dict[str, int] | None = getattr(answer, "indexes", None)
    if counts is None:
        return []
    catalog = getattr(answer, "catalog", None)
    return [f"From: {', '.join(f'{named_index(path, catalog)} ({count})' for path, count in counts.items())}"]


def named_index(path: str, catalog: str | None) -> str:
    """Return the path of an index, or of the catalog, as texts show it."""
    return f"the catalog {shown_name(path)}" if path == catalog else shown_name(path)
