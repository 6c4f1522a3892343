"""Where the text makes instances of a class, and handles a condition."""

from __future__ import annotations

from typing import NamedTuple

from ...index.finding.resolve import Resolved
from ...index.reading import Reading
from ...syntax.mentions import is_making
from ..xref.answer import ReferenceAnswer
from ..xref.ask import uses_by
from . import sql
from .answer import ClassUse

MADE, HANDLED = "instantiates", "handles"
_NAMED = "names"
_MOST_NAMED = 40
"""The uses in templates of macros, and as arguments, that are looked at; few conditions have more."""


class Uses(NamedTuple):
    """The first uses of one sort, and how many there are."""

    total: int
    uses: list[ClassUse]


def uses(index: Reading, found: Resolved, limit: int, offset: int, *, built_in: bool) -> dict[str, Uses]:
    """Return the uses of a class: MADE and HANDLED; nobody makes those of a ``built_in`` one by its name."""
    totals = dict(index.rows(sql.USES_TOTALS, symbol=found.symbol))
    handled = uses_by(index, found, HANDLED, limit, offset) if HANDLED in totals else []
    made = uses_by(index, found, MADE, limit, offset) if MADE in totals else []
    total = totals.get(MADE, 0)
    # Those in templates come after the others.
    templates = _in_templates(index, found) if _NAMED in totals and not built_in else []
    start = max(0, offset - total)
    made += templates[start : start + limit - len(made) if limit else None]
    return {
        MADE: Uses(total + len(templates), list(map(_answer, made))),
        HANDLED: Uses(totals.get(HANDLED, 0), list(map(_answer, handled))),
    }


def _in_templates(index: Reading, found: Resolved) -> list[ReferenceAnswer]:
    # In the template of a macro, the text up to the name tells what the index takes for a mere name.
    named = uses_by(index, found, _NAMED, _MOST_NAMED, 0)
    return [one for one in named if one.column and is_making((one.text or "")[: one.column - 1])]


def _answer(one: ReferenceAnswer) -> ClassUse:
    return ClassUse(
        by=one.caller,
        kind=one.caller_kind,
        path=one.path,
        line=one.line,
        column=one.column,
        text=one.text,
    )
