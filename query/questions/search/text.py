"""The answer of search as text; pure."""

from __future__ import annotations

from ...index.shown import shown_name
from ..from_line import from_line, named_index
from ..paging import rest_line
from .answer import SearchAnswer, SearchMatch


def search_text(answer: SearchAnswer, more: str = "--offset {offset}") -> str:
    """Return the text of search: how the words were interpreted, then one line per match.

    If a limit cut the list, a last line says how many more there are; ``more`` says how to get
    them, with ``{offset}`` for the next offset.
    """
    noun = "symbol" if answer.total == 1 else "symbols"
    lines = [f"Found {answer.total} {noun}: {answer.understood}"]
    if releases := getattr(answer, "releases", None):
        lines.append(f"Related libraries: {', '.join(map(shown_name, releases))}")
    lines.append("")
    for match in answer.matches:
        about = match.signature or match.summary
        lines.append(f"  {match.written} [{match.type.upper()}]{f'  {about}' if about else ''}")
        lines += [f"      {text}" for text in (match.why, where(match, answer)) if text]
    lines += rest_line(answer.matches, answer.total, answer.offset, more)
    return "\n".join([*lines, *from_line(answer)])


def where(match: SearchMatch, answer: SearchAnswer) -> str | None:
    """Return which of several indexes, and which releases in the catalog, have a match; None of one index."""
    indexes: list[str] | None = getattr(match, "indexes", None)
    if indexes is None:
        return None
    catalog = getattr(answer, "catalog", None)
    named = [shown_name(one) for one in (*indexes, *getattr(match, "releases", ())) if one != catalog]
    return f"in {', '.join(named) if named else named_index(catalog or '', catalog)}"
