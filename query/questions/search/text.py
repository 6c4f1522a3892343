"""The answer of search as text; pure."""

from __future__ import annotations

from ..paging import rest_line
from .answer import SearchAnswer


def search_text(answer: SearchAnswer, more: str = "--offset {offset}") -> str:
    """Return the text of search: how the words were interpreted, then one line per match.

    If a limit cut the list, a last line says how many more there are; ``more`` says how to get
    them, with ``{offset}`` for the next offset.
    """
    noun = "symbol" if answer.total == 1 else "symbols"
    lines = [f"Found {answer.total} {noun}: {answer.understood}", ""]
    for match in answer.matches:
        about = match.signature or match.summary
        lines.append(f"  {match.written} [{match.type.upper()}]{f'  {about}' if about else ''}")
        if match.why:
            lines.append(f"      {match.why}")
    lines += rest_line(answer.matches, answer.total, answer.offset, more)
    return "\n".join(lines)
