"""The answer of catalog search as text; pure."""

from __future__ import annotations

from ...questions.paging import rest_line
from .answer import CatalogSearchAnswer


def search_text(answer: CatalogSearchAnswer, more: str = "--offset {offset}") -> str:
    """Return the text: how the query was interpreted, then for each match its release and what it does."""
    noun = "symbol" if answer.total == 1 else "symbols"
    lines = [f"Found {answer.total} {noun}: {answer.understood}"]
    if answer.releases:
        lines.append(f"Libraries about it: {', '.join(answer.releases)}")
    lines.append("")
    for match in answer.matches:
        others = f", also {', '.join(match.other_versions)}" if match.other_versions else ""
        lines.append(f"  {match.written} [{match.type.upper()}]  {match.release}{others}")
        lines += [f"      {about}" for about in (match.signature or match.summary, match.why) if about]
    lines += rest_line(answer.matches, answer.total, answer.offset, more)
    return "\n".join(lines)
