"""The answer of apropos for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...index.shown import shown_name
from ..styled import BLANK, Line, Segment, Style, counted, joined, kind, line, name, rest
from .answer import AproposMatch


def apropos_people(
    pattern: str, matches: Sequence[AproposMatch], names: Sequence[str], total: int, offset: int
) -> Iterator[Line]:
    """The number of matches, then each by its name in ``names``; the pattern stands out in it."""
    found = counted(total, "symbol")
    yield Line(joined(f"{found} matching ", Segment(shown_name(pattern), Style.MATCH)))
    if matches:
        yield BLANK
    for match, written in zip(matches, names, strict=True):
        internal = ", internal" if match.status == "internal" else ""
        yield line(name(written, pattern), kind(f"{match.type}{internal}"), indent=2, hang=4)
    yield from rest(matches, total, offset)
