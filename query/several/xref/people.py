"""The answer of xref from several indexes for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.shown import shown_name
from ...questions.styled import BLANK, Line, counted, faint, label, line, plain, rest
from ...questions.view import View
from ...questions.xref.people import xref_people
from ..from_line import from_line
from .answer import SeveralXrefAnswer
from .text import as_one, releases_heading


def several_xref_people(answer: SeveralXrefAnswer, view: View) -> Iterator[Line]:
    """The uses, the releases in the catalog that use the name, and the counts by index."""
    yield from xref_people(as_one(answer), view)
    if answer.releases:
        yield BLANK
        yield line(label(releases_heading(answer)))
        for one in answer.releases:
            yield line(shown_name(one.release), faint(counted(one.uses, "use")), indent=2)
        yield from rest(answer.releases, answer.releases_total, 0, "--limit 0", indent=0)
    yield BLANK
    yield from plain(from_line(answer.indexes, None))
