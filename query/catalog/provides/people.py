"""The answer of provides for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.shown import counted
from ...questions.from_line import from_line
from ...questions.styled import BLANK, Line, Segment, Style, faint, joined, kind, line, name, plain_line, rest
from ...questions.view import View
from .answer import Provider, ProvidesAnswer
from .text import place_of


def provides_people(answer: ProvidesAnswer, _: View) -> Iterator[Line]:
    """A line for each thing of that name, with its release."""
    things = counted(answer.total, "thing is", "things are")
    yield Line(joined(f"{things} called ", Segment(answer.name, Style.MATCH)))
    if answer.providers:
        yield BLANK
    yield from (_provider(one) for one in answer.providers)
    yield from rest(answer.providers, answer.total, answer.offset)
    yield from map(plain_line, from_line(answer))


def _provider(one: Provider) -> Line:
    if one.what == "symbol":
        what = f"{one.type or 'symbol'}{'' if one.status == 'external' else ', internal'}"
    else:
        what = f"{one.what}{f', {one.status}' if one.status and one.status != 'loaded' else ''}"
    return line(name(one.written), kind(what), faint(place_of(one)), indent=2, hang=4)
