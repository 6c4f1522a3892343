"""The answer of info for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator

from ..styled import Line, joined, label
from ..view import View
from .answer import IndexInformation
from .text import facts_of

_COLUMN = 13


def information_people(answer: IndexInformation, _: View) -> Iterator[Line]:
    """One fact per line, with what it is about in a column of its own."""
    for named, value in facts_of(answer):
        yield Line(joined(label(f"{named:<{_COLUMN - 1}}"), " ", value), 0, _COLUMN)
