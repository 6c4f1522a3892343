"""The callees of a name's own code: not those of its compiler macros, transforms and the like.

CAR is a function of one line, and a dozen definitions tell the compiler how to do without it. What such
definitions use is left out, unless the name has no others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from ...index.kinds import COMPANIONS
from ...index.reading import Reading
from . import sql
from .sql import KindRow, RunRow

_LISTED = json.dumps(sorted(COMPANIONS))


def companions_of(
    index: Reading, symbol: int, operator: str | None, kinds: Iterable[KindRow] | None = None
) -> str | None:
    """Return the companions of a name as callers, a JSON array of numbers; None if all code is its own.

    ``kinds`` are those of its definitions, if they are known.
    """
    if kinds is None:
        kinds = (KindRow(*row) for row in index.rows(sql.KINDS_OF_SYMBOL, symbol=symbol))
    if len({row.kind in COMPANIONS for row in kinds if row.operator == operator}) < 2:
        return None
    asked = {"symbol": symbol, "operator": operator, "companions": _LISTED}
    return json.dumps([number for (number,) in index.rows(sql.COMPANIONS, **asked)])


def of_own_code(index: Reading, runs: Iterable[RunRow], companions: str) -> list[RunRow]:
    """Return the ``runs`` of one relation each without the uses that the ``companions`` make."""
    own = []
    for run in runs:
        if run.relation is None:  # of several, for counts that are others now
            continue
        uses = [number for (number,) in index.rows(sql.OWN_USES, uses=run.uses, companions=companions)]
        if uses:
            own.append(run._replace(total=len(uses), uses=json.dumps(uses)))
    return own


def number_of_callees(index: Reading, runs: Iterable[RunRow]) -> int:
    """Count the distinct callees of runs that list their uses."""
    uses = [number for run in runs for number in json.loads(run.uses or "[]")]
    ((number,),) = index.rows(sql.NUMBER_OF_CALLEES, uses=json.dumps(uses))
    return int(number)
