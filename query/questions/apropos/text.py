"""The answer of apropos as text, by the text contract (docs/formats/text.md); pure."""

from __future__ import annotations

from ...index.shown import shown_name
from ..from_line import from_line
from ..paging import rest_line
from .answer import AproposAnswer, AproposMatch, SeenMatch


def apropos_text(answer: AproposAnswer, more: str = "--offset {offset}") -> str:
    """Return the text of apropos: a count, a blank line, the matches.

    If a limit cut the list, a last line says how many more there are; ``more`` says how to get
    them, with ``{offset}`` for the next offset. Those of several indexes are counted by index at the end.
    """
    noun = "symbol" if answer.total == 1 else "symbols"
    lines = [f"Found {answer.total} {noun} matching '{shown_name(answer.pattern)}':", ""]
    lines += [f"  {_name(match)} [{match.type.upper()}]" for match in answer.matches]
    lines += rest_line(answer.matches, answer.total, answer.offset, more)
    return "\n".join([*lines, *from_line(answer)])


def _name(match: AproposMatch) -> str:
    """The raw name, or the one that was written for a package."""
    if isinstance(match, SeenMatch):
        return shown_name(match.written)
    return f"{shown_name(match.package)}::{shown_name(match.name)}"
