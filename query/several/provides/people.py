"""The answer of provides from several indexes for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator

from ...catalog.provides.people import provides_people
from ...questions.styled import Line, plain
from ..from_line import from_line
from .answer import SeveralProvidesAnswer
from .text import as_one


def several_provides_people(answer: SeveralProvidesAnswer) -> Iterator[Line]:
    """Each thing with its release or the path of its index, and the counts by index."""
    yield from provides_people(as_one(answer))
    yield from plain(from_line(answer.indexes, answer.catalog))
