"""The answer of search for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.shown import counted, shown_name
from ..from_line import from_line
from ..styled import BLANK, Line, fact, faint, joined, kind, line, name, plain_line, rest
from ..view import View
from .answer import SearchAnswer, SearchMatch
from .text import where

_LEAST = 3  # shorter words are in too many names to stand out


def search_people(answer: SearchAnswer, view: View) -> Iterator[Line]:
    """How the words were understood, then each match with what it does."""
    yield Line(joined(f"{counted(answer.total, 'symbol')}: {answer.understood}"))
    if releases := getattr(answer, "releases", None):
        yield fact("Libraries about it", ", ".join(map(shown_name, releases)), 0)
    if answer.matches:
        yield BLANK
    for match in answer.matches:
        yield from match_people(match, answer.query, view)
        if place := where(match, answer):
            yield line(faint(place), indent=6)
    yield from rest(answer.matches, answer.total, answer.offset)
    yield from map(plain_line, from_line(answer))


def match_people(match: SearchMatch, query: str, view: View) -> Iterator[Line]:
    """A match; the words of the query stand out in its name."""
    words = [word for word in query.partition("::")[0].split() if len(word) >= _LEAST]
    about = view.lisp(match.signature) if match.signature else match.summary or ""
    yield line(name(match.written, *words), kind(match.type), about, indent=2, hang=4)
    if match.why:
        yield line(match.why, indent=6)
