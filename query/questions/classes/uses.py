"""Where the text makes instances of a class, and handles a condition."""

from __future__ import annotations

from typing import NamedTuple

from oblist.indexer.names import written_name

from ...index.finding.resolve import Resolved
from ...index.reading import Reading
from ..xref.answer import XrefAnswer
from ..xref.ask import xref
from . import sql
from .answer import ClassUse

MADE, HANDLED = "instantiates", "handles"


class Uses(NamedTuple):
    """The first uses of one relation, and how many there are."""

    total: int
    uses: list[ClassUse]


def uses(index: Reading, found: Resolved, limit: int, offset: int) -> dict[str, Uses]:
    """Return the uses of a class by relation: MADE and HANDLED."""
    totals = dict(index.rows(sql.USES_TOTALS, symbol=found.symbol))
    return {
        relation: _uses(index, found, relation, limit, offset) if relation in totals else Uses(0, [])
        for relation in (MADE, HANDLED)
    }


def _uses(index: Reading, found: Resolved, relation: str, limit: int, offset: int) -> Uses:
    answer = xref(
        index,
        written_name(found.name, index.upcase),
        found.home,
        relation=relation,
        callees=False,
        limit=limit,
        offset=offset,
    )
    if not isinstance(answer, XrefAnswer):
        return Uses(0, [])
    return Uses(
        answer.total,
        [
            ClassUse(
                by=one.caller,
                kind=one.caller_kind,
                path=one.path,
                line=one.line,
                column=one.column,
                text=one.text,
            )
            for one in answer.references
        ],
    )
