"""The answer of search from several indexes as text; pure."""

from __future__ import annotations

from ...index.shown import shown_name
from ...questions.paging import rest_line
from ..from_line import from_line, named_index
from .answer import SeveralSearchAnswer, SeveralSearchMatch


def several_search_text(answer: SeveralSearchAnswer, more: str = "--offset {offset}") -> str:
    """Return the text of search, with the indexes or the releases of each match below it."""
    noun = "symbol" if answer.total == 1 else "symbols"
    lines = [f"Found {answer.total} {noun}: {answer.understood}"]
    if answer.releases:
        lines.append(f"Libraries about it: {', '.join(map(shown_name, answer.releases))}")
    lines.append("")
    for match in answer.matches:
        about = match.signature or match.summary
        lines.append(f"  {match.written} [{match.type.upper()}]{f'  {about}' if about else ''}")
        lines += [f"      {text}" for text in (match.why, where(match, answer.catalog)) if text]
    lines += rest_line(answer.matches, answer.total, answer.offset, more)
    lines.append(from_line(answer.indexes, answer.catalog))
    return "\n".join(lines)


def where(match: SeveralSearchMatch, catalog: str | None) -> str:
    """The indexes that have a match, and the releases in the catalog."""
    paths = [path for path in match.indexes if path != catalog]
    named = list(map(shown_name, (*paths, *match.releases)))
    return f"in {', '.join(named) if named else named_index(catalog or '', catalog)}"
