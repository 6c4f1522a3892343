"""The answer of slot for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ...index.shown import shown_name
from ..styled import BLANK, Line, fact, faint, kind, label, line, listed, name, rest
from ..view import View
from .answer import SlotPlace, SlotUsesAnswer
from .text import heading, reached_by, remarks, via


def slot_people(answer: SlotUsesAnswer, view: View) -> Iterator[Line]:
    """The counts and what reaches the slot, then the places by what they do."""
    yield line(heading(answer))
    for what, names in reached_by(answer):
        if names:
            yield fact(what, listed(map(name, names)))
    yield from (line(faint(one)) for one in remarks(answer))
    for relation, places in groupby(answer.places, key=lambda one: one.relation):
        yield BLANK
        yield line(label(relation.capitalize()), faint(str(answer.relations[relation])))
        yield from (_place(one, view) for one in places)
    yield from rest(answer.places, answer.total, answer.offset, indent=0)
    if answer.note:
        yield line(f"Note: {answer.note}.")


def _place(one: SlotPlace, view: View) -> Line:
    return line(
        view.anywhere(one.path, one.line, one.column),
        kind("?" if one.perhaps else ""),
        shown_name((one.text or "").strip()),
        faint(f"[{via(one)}]" if via(one) else ""),
        indent=2,
        hang=4,
    )
