"""The answer of audit for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ...questions.styled import BLANK, Line, faint, kind, label, line, name, rest
from ...questions.view import View
from .answer import AuditAnswer, AuditFinding
from .lists.table import LISTS
from .text import heading, users


def audit_people(answer: AuditAnswer, view: View) -> Iterator[Line]:
    """The counts, then the findings by list."""
    yield line(heading(answer))
    yield from (line(one) for one in users(answer))
    for sort, findings in groupby(answer.findings, key=lambda one: one.sort):
        yield BLANK
        yield line(label(sort), f"{LISTS[sort]}", faint(str(answer.lists[sort])))
        yield from (_finding(one, view) for one in findings)
    yield from rest(answer.findings, answer.total, answer.offset, indent=0)
    if answer.note:
        yield line(f"Note: {answer.note}.")


def _finding(one: AuditFinding, view: View) -> Line:
    uncertain = faint(f"uncertain: {one.uncertain}") if one.uncertain else ""
    place = view.anywhere(one.path, one.line, one.column)
    return line(place, name(one.written), kind(one.kind or ""), one.why, uncertain, indent=2, hang=4)
