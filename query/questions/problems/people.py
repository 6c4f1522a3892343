"""The answer of problems for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator

from oblist.indexer.same_failures import names_of, same_failures

from ...index.shown import counted, shown_name
from ..styled import Line, Segment, Style, faint, joined, line, rest
from ..view import View
from .answer import ProblemAnswer, ProblemsAnswer
from .text import cause_of


def problems_people(answer: ProblemsAnswer, view: View, *, everything: bool) -> Iterator[Line]:
    """One problem per paragraph, then their numbers by owner."""
    for same in same_failures(answer.problems, cause_of):
        yield from _problem(same, view)
    listed = answer.total if everything else answer.project + answer.dependencies
    yield from rest(answer.problems, listed, answer.offset, indent=0)
    yield _counts(answer, everything=everything)


def _problem(same: list[ProblemAnswer], view: View) -> Iterator[Line]:
    one = same[0]
    names = names_of(one.part, [shown_name(each.subject) for each in same]).removeprefix("the ")
    verb = " did not load" if one.stage == "load" else ""
    heading = joined(Segment(names, Style.NAME), f"{verb}: ", Segment(one.condition, Style.ERROR))
    yield line(heading, view.place(one.path, one.line))
    yield line(shown_name(" ".join(one.message.split())), indent=4, hang=0)


def _counts(answer: ProblemsAnswer, *, everything: bool) -> Line:
    own = f"{answer.project:,} of the indexed systems, {answer.dependencies:,} of their dependencies"
    sbcl = f"{answer.sbcl:,} of SBCL's own sources"
    hidden = " (--all lists them)" if answer.sbcl and not everything else ""
    return line(joined(counted(answer.total, "problem"), f": {own}, {sbcl}", faint(hidden)))
