"""The answer of diff for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator

from ..index.shown import shown_name
from ..questions.styled import BLANK, Line, Segment, Style, faint, joined, label, line, name, rest
from ..questions.view import View
from .answer import ChangeAnswer, DiffAnswer
from .text import HEADINGS, SHOWN_BOTH, shortened, summary, system_line


def diff_people(answer: DiffAnswer, view: View) -> Iterator[Line]:
    """The changes by their effect on users of the API, then the versions of systems."""
    yield line(summary(answer))
    for step, heading in HEADINGS.items():
        changes = [one for one in answer.changes if one.step == step]
        if changes:
            yield BLANK
            yield line(Segment(heading, Style.ERROR) if step == "major" else label(heading))
            for change in changes:
                yield from _change(change, view)
    if further := list(rest(answer.changes, answer.total, 0, "--limit 0 shows all", indent=0)):
        yield from (BLANK, *further)
    systems = [one for one in answer.systems if one.step != "none" or one.enough is False]
    if systems:
        yield BLANK
        yield from (line(system_line(one)) for one in systems)


def _change(change: ChangeAnswer, view: View) -> Iterator[Line]:
    yield line(name(shown_name(change.written)), shown_name(change.message), indent=2, hang=4)
    if change.change in SHOWN_BOTH and change.old != change.new:
        both = joined(view.lisp(shortened(change.old)), " -> ", view.lisp(shortened(change.new)))
        yield line(both, indent=6, hang=4)
    if change.also:
        yield line(faint(f"also: {', '.join(map(shown_name, change.also))}"), indent=6, hang=4)
