"""The answer of xref --edit-sites for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ...index.shown import shown_name
from ..other_names import other_name_line
from ..styled import BLANK, Line, faint, label, line, rest
from ..view import View
from .answer import EditSite, EditSitesAnswer
from .text import heading, said_of


def edit_sites_people(answer: EditSitesAnswer, view: View) -> Iterator[Line]:
    """The counts by sort, then the places by sort."""
    yield from (line(one) for one in heading(answer).split("\n"))
    yield from (line(other_name_line(*one)) for one in answer.other_names.items())
    if answer.reason:
        yield line(answer.reason)
    for sort, sites in groupby(answer.sites, key=lambda one: one.sort):
        yield BLANK
        yield line(label(sort.capitalize()), faint(str(answer.sorts[sort])))
        yield from (_site(one, view) for one in sites)
    yield from rest(answer.sites, answer.total, answer.offset, indent=0)
    if answer.note:
        yield line(f"Note: {answer.note}.")


def _site(one: EditSite, view: View) -> Line:
    how = faint(f"[{said_of(one)}]") if said_of(one) else ""
    text = shown_name((one.text or one.by).strip())
    return line(view.anywhere(one.path, one.line, one.column), text, how, indent=2, hang=4)
