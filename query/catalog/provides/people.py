"""The answer of provides for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator

from ...questions.from_line import from_line
from ...questions.styled import BLANK, Line, Segment, Style, faint, joined, kind, line, name, plain, rest
from .answer import Provider, ProvidesAnswer, SeveralProvidesAnswer
from .text import as_one


def provides_people(answer: ProvidesAnswer) -> Iterator[Line]:
    """A line for each thing of that name, with its release."""
    things = "1 thing is" if answer.total == 1 else f"{answer.total:,} things are"
    yield Line(joined(f"{things} called ", Segment(answer.name, Style.MATCH)))
    if answer.providers:
        yield BLANK
    yield from (_provider(one) for one in answer.providers)
    yield from rest(answer.providers, answer.total, answer.offset)


def _provider(one: Provider) -> Line:
    if one.what == "symbol":
        what = f"{one.type or 'symbol'}{'' if one.status == 'external' else ', internal'}"
    else:
        what = f"{one.what}{f', {one.status}' if one.status and one.status != 'loaded' else ''}"
    return line(name(one.written), kind(what), faint(one.release), indent=2, hang=4)


def several_provides_people(answer: SeveralProvidesAnswer) -> Iterator[Line]:
    """Each thing with its release or the path of its index, and the counts by index."""
    yield from provides_people(as_one(answer))
    yield from plain(from_line(answer.indexes, answer.catalog))
