"""The answer of search from several indexes for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.shown import shown_name
from ...questions.search.people import match_people
from ...questions.styled import BLANK, Line, counted, fact, faint, line, plain, rest
from ...questions.view import View
from ..from_line import from_line
from .answer import SeveralSearchAnswer
from .text import where


def several_search_people(answer: SeveralSearchAnswer, view: View) -> Iterator[Line]:
    """The matches, with the indexes or the releases of each below it."""
    yield line(f"{counted(answer.total, 'symbol')}: {answer.understood}")
    if answer.releases:
        yield fact("Libraries about it", ", ".join(map(shown_name, answer.releases)), 0)
    if answer.matches:
        yield BLANK
    for match in answer.matches:
        yield from match_people(match, answer.query, view)
        yield line(faint(where(match, answer.catalog)), indent=6)
    yield from rest(answer.matches, answer.total, answer.offset)
    yield from plain(from_line(answer.indexes, answer.catalog))
