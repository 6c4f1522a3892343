"""The answer of catalog releases as text; pure."""

from __future__ import annotations

from ...questions.paging import rest_line
from .answer import ReleasesAnswer


def releases_text(answer: ReleasesAnswer, more: str = "--offset {offset}") -> str:
    """Return the text: a line for each release, with its state unless it loaded, and its description."""
    noun = "release" if answer.total == 1 else "releases"
    lines = [f"Found {answer.total} {noun}", ""]
    for one in answer.releases:
        state = "" if one.state == "loaded" else f" [{'in part' if one.state == 'partly' else one.state}]"
        lines.append(f"  {one.release}{state}  {one.description or ''}".rstrip())
    lines += rest_line(answer.releases, answer.total, answer.offset, more)
    return "\n".join(lines)
