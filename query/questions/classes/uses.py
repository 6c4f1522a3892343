"""Where the text makes instances of a class, and handles a condition."""

from __future__ import annotations

from typing import NamedTuple

from ...index.finding.resolve import Resolved
from ...index.reading import Reading
from ...syntax.mentions import is_making
from ..xref.answer import ReferenceAnswer
from ..xref.ask import Question, references_in, runs_by_relation
from .answer import ClassUse

MADE, HANDLED = "instantiates", "handles"
_NAMED = "names"
_MOST_NAMED = 40
"""The most uses in templates of macros, and as arguments, that are examined; few conditions have more."""


class ClassUses(NamedTuple):
    """The first uses of one sort, and how many there are."""

    total: int
    uses: list[ClassUse]


def uses(index: Reading, found: Resolved, limit: int, offset: int, *, built_in: bool) -> dict[str, ClassUses]:
    """Return the uses of a class: MADE and HANDLED; a ``built_in`` one is never instantiated by its name."""
    question = Question(found, None, "callers", [])
    runs = runs_by_relation(index, question)

    def part(relation: str, most: int, skipped: int) -> list[ReferenceAnswer]:
        return references_in(index, question, runs[relation], most, skipped) if relation in runs else []

    totals = {relation: sum(run.total for run in runs.get(relation, ())) for relation in (MADE, HANDLED)}
    handled, made = part(HANDLED, limit, offset), part(MADE, limit, offset)
    # Those in templates come after the others.
    templates = [] if built_in else list(filter(_is_in_template, part(_NAMED, _MOST_NAMED, 0)))
    start = max(0, offset - totals[MADE])
    made += templates[start : start + limit - len(made) if limit else None]
    return {
        MADE: ClassUses(totals[MADE] + len(templates), list(map(_answer, made))),
        HANDLED: ClassUses(totals[HANDLED], list(map(_answer, handled))),
    }


def _is_in_template(one: ReferenceAnswer) -> bool:
    """Whether a mere name to the index is that of a class to make, by the text of a macro's template."""
    return one.column is not None and is_making((one.text or "")[: one.column - 1])


def _answer(one: ReferenceAnswer) -> ClassUse:
    return ClassUse(
        by=one.caller,
        kind=one.caller_kind,
        path=one.path,
        line=one.line,
        column=one.column,
        text=one.text,
    )
