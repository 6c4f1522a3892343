"""The answer of problems as text; pure."""

from __future__ import annotations

from collections.abc import Hashable

from oblist.indexer.same_failures import cause, names_of, same_failures

from ...index.shown import counted, shown_name
from ..paging import rest_line
from .answer import ProblemAnswer, ProblemsAnswer


def problems_text(answer: ProblemsAnswer, *, everything: bool) -> str:
    """Return one problem per paragraph, then their numbers by owner."""
    lines = [_problem(same) for same in same_failures(answer.problems, cause_of)]
    listed = answer.total if everything else answer.project + answer.dependencies
    lines += rest_line(answer.problems, listed, answer.offset, "--offset {offset}")
    return "\n".join([*lines, _counts(answer, everything=everything)])


def cause_of(one: ProblemAnswer) -> Hashable:
    """Return what is equal for problems that are shown once: those with one cause, or in one form."""
    if one.stage in ("load", "location"):
        return one.stage, cause(one.part, one.condition, one.message, one.path, one.line)
    return id(one)


def _problem(same: list[ProblemAnswer]) -> str:
    one = same[0]
    place = ":".join(str(part) for part in (one.path, one.line) if part is not None)
    verb = " did not load" if one.stage == "load" else ""
    names = names_of(one.part, [shown_name(each.subject) for each in same]).removeprefix("the ")
    heading = f"{names}{verb}: {one.condition}"
    message = shown_name(" ".join(one.message.split()))
    return f"{heading}{f' ({shown_name(place)})' if place else ''}\n    {message}"


def _counts(answer: ProblemsAnswer, *, everything: bool) -> str:
    """The last line: the counts by owner."""
    own = f"{answer.project:,} in the indexed systems, {answer.dependencies:,} in their dependencies"
    sbcl = f"{answer.sbcl:,} in SBCL's own sources"
    hidden = " (--all lists them)" if answer.sbcl and not everything else ""
    return f"{counted(answer.total, 'problem')}: {own}, {sbcl}{hidden}"
