"""The answer of outline for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ..styled import Line, faint, kind, line, name, rest
from ..view import View
from .answer import OutlineAnswer
from .text import further, heading


def outline_people(answer: OutlineAnswer, view: View) -> Iterator[Line]:
    """A heading with the counts, then each file with its definitions."""
    yield from (line(text) for text in heading(answer))
    for path, group in groupby(answer.definitions, key=lambda one: one.path):
        yield line(view.anywhere(path))
        for one in group:
            told = further(one, view.lisp)
            yield line(
                faint(str(one.line or "?")), name(one.written), kind(one.kind), *told, indent=2, hang=4
            )
    yield from rest(answer.definitions, answer.total, answer.offset, indent=0)
    if answer.note:
        yield line(f"Note: {answer.note}.")
