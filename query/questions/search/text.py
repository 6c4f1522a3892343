"""The answer of search as text; pure."""

from __future__ import annotations

from ...index.shown import shown_name
from ..from_line import from_line, named_index
from ..paging import rest_line
from .answer import SearchAnswer, SearchMatch, SeveralSearchAnswer, SeveralSearchMatch


def search_text(answer: SearchAnswer, more: str = "--offset {offset}") -> str:
    """Return the text of search: how the words were interpreted, then one line per match.

    If a limit cut the list, a last line says how many more there are; ``more`` says how to get
    them, with ``{offset}`` for the next offset.
    """
    noun = "symbol" if answer.total == 1 else "symbols"
    lines = [f"Found {answer.total} {noun}: {answer.understood}"]
    if releases := getattr(answer, "releases", None):
        lines.append(f"Libraries about it: {', '.join(map(shown_name, releases))}")
    lines.append("")
    for match in answer.matches:
        about = match.signature or match.summary
        lines.append(f"  {match.written} [{match.type.upper()}]{f'  {about}' if about else ''}")
        lines += [f"      {text}" for text in (match.why, where(match, answer)) if text]
    lines += rest_line(answer.matches, answer.total, answer.offset, more)
    if isinstance(answer, SeveralSearchAnswer):
        lines.append(from_line(answer.indexes, answer.catalog))
    return "\n".join(lines)


def where(match: SearchMatch, answer: SearchAnswer) -> str | None:
    """Return which of several indexes, and which releases in the catalog, have a match; None of one index."""
    if not (isinstance(match, SeveralSearchMatch) and isinstance(answer, SeveralSearchAnswer)):
        return None
    paths = [path for path in match.indexes if path != answer.catalog]
    named = list(map(shown_name, (*paths, *match.releases)))
    return f"in {', '.join(named) if named else named_index(answer.catalog or '', answer.catalog)}"
