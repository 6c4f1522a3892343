"""The answer of apropos for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.shown import counted, shown_name
from ..from_line import from_line
from ..styled import BLANK, Line, Segment, Style, joined, kind, line, name, plain_line, rest
from ..view import View
from .answer import AproposAnswer
from .written import written_names


def apropos_people(answer: AproposAnswer, view: View) -> Iterator[Line]:
    """The number of matches, then each by its name as one writes it; the pattern stands out in it."""
    names = written_names(answer.matches, view.readings)
    found = counted(answer.total, "symbol")
    yield Line(joined(f"{found} matching ", Segment(shown_name(answer.pattern), Style.MATCH)))
    if answer.matches:
        yield BLANK
    for match, written in zip(answer.matches, names, strict=True):
        internal = ", internal" if match.status == "internal" else ""
        yield line(name(written, answer.pattern), kind(f"{match.type}{internal}"), indent=2, hang=4)
    yield from rest(answer.matches, answer.total, answer.offset)
    yield from map(plain_line, from_line(answer))
