"""The answer of apropos from several indexes for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...questions.apropos.people import apropos_people
from ...questions.styled import Line, plain
from ..from_line import from_line
from .answer import SeveralAproposAnswer


def several_apropos_people(answer: SeveralAproposAnswer, names: Sequence[str]) -> Iterator[Line]:
    """The matches by their ``names``, and a last line with the number of matches in each index."""
    yield from apropos_people(answer.pattern, answer.matches, names, answer.total, answer.offset)
    yield from plain(from_line(answer.indexes, answer.catalog))
