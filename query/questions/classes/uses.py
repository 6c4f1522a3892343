"""Where the text makes instances of a class, and handles a condition."""

from __future__ import annotations

import re
from typing import NamedTuple

from oblist.indexer.names import written_name

from ...index.finding.resolve import Resolved
from ...index.reading import Reading
from ..xref.answer import ReferenceAnswer, XrefAnswer
from ..xref.ask import xref
from . import sql
from .answer import ClassUse

MADE, HANDLED = "instantiates", "handles"
_NAMED = "names"
_MOST_NAMED = 40
"""The uses in templates of macros, and as arguments, that are looked at; few conditions have more."""
# In the template of a macro, the text up to the name tells what the index takes for a mere name.
_MAKING = re.compile(
    r"\(\s*(?:[^\s()'\";|:]+:{1,2})?(?:error|signal|warn|make-condition|make-instance)\s+'$", re.IGNORECASE
)


class Uses(NamedTuple):
    """The first uses of one sort, and how many there are."""

    total: int
    uses: list[ClassUse]


def uses(index: Reading, found: Resolved, limit: int, offset: int, *, built_in: bool) -> dict[str, Uses]:
    """Return the uses of a class: MADE and HANDLED; nobody makes those of a ``built_in`` one by its name."""
    totals = dict(index.rows(sql.USES_TOTALS, symbol=found.symbol))
    handled = _recorded(index, found, HANDLED, limit, offset) if HANDLED in totals else []
    made = _recorded(index, found, MADE, limit, offset) if MADE in totals else []
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
    named = _recorded(index, found, _NAMED, _MOST_NAMED, 0)
    return [one for one in named if one.column and _MAKING.search((one.text or "")[: one.column - 1])]


def _recorded(
    index: Reading, found: Resolved, relation: str, limit: int, offset: int
) -> list[ReferenceAnswer]:
    name = written_name(found.name, index.upcase)
    answer = xref(
        index,
        name,
        found.home,
        relation=relation,
        callees=False,
        companions=False,
        limit=limit,
        offset=offset,
    )
    return answer.references if isinstance(answer, XrefAnswer) else []


def _answer(one: ReferenceAnswer) -> ClassUse:
    return ClassUse(
        by=one.caller,
        kind=one.caller_kind,
        path=one.path,
        line=one.line,
        column=one.column,
        text=one.text,
    )
