"""Findings for people at a terminal: the text, with its parts in their styles; pure."""

from __future__ import annotations

from collections.abc import Iterator

from ...questions.styled import Line, Segment, Style, joined, plain
from ...questions.view import View
from ..findings import CheckOutcome, SourceFinding
from .lines import full_message, on_a_line
from .text import after_findings, before_findings

_STYLES = {"error": Style.ERROR, "warning": Style.WARNING}


def people_report(outcome: CheckOutcome, view: View, *, statistics: bool) -> Iterator[Line]:
    """The findings, as compilers write them, and what the text says before and after them."""
    for text in before_findings(outcome):
        yield from plain(text)
    yield from (_finding(one, view) for one in outcome.findings)
    for text in after_findings(outcome, statistics=statistics):
        yield from plain(text)


def _finding(one: SourceFinding, view: View) -> Line:
    place = view.place(on_a_line(one.path), one.line, one.column)
    severity = Segment(one.severity, _STYLES.get(one.severity, Style.LABEL))
    rule = Segment(f"[{one.rule}]", Style.FAINT)
    return Line(joined(place, ": ", severity, rule, f" {on_a_line(full_message(one))}"), 0, 4)
