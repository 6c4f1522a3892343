"""The answer of examples for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.shown import counted
from ..styled import BLANK, Line, code, joined, line, name
from ..view import View
from .answer import ExamplesAnswer


def examples_people(answer: ExamplesAnswer, view: View) -> Iterator[Line]:
    """A heading, then each example below the place that it is from."""
    if answer.reason:
        yield Line(joined(name(answer.written), ": no examples"))
        yield line(answer.reason)
        return
    yield Line(joined(name(answer.written), f": {len(answer.examples)} of {counted(answer.total, 'use')}"))
    for one in answer.examples:
        yield BLANK
        place = view.place(one.path, one.line) if one.path else f"place unknown:{one.line}"
        yield line(place, joined("in ", name(view.lisp(one.caller))))
        yield from code(one.context or one.form)
