"""Methods of the project on generic functions of the library, which have to agree with their lambda lists."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ...index.shown import counted
from ...syntax.lambda_list import LambdaList
from ...syntax.printed import printed_lambda_list
from .. import sql
from ..answer import BrokenLine
from ..context import Definitions, ForecastContext
from ..sql import OwnMethodRow

SORT = "method"


def methods_that_do_not_fit(context: ForecastContext) -> Iterator[BrokenLine]:
    """The methods that are not congruent with the new lambda list (CLHS 7.6.4), or that nothing calls."""
    own = context.own
    rows = context.old.rows(
        sql.OWN_METHODS, files=json.dumps([*own.files]), packages=json.dumps(own.packages)
    )
    for row in map(OwnMethodRow._make, rows):
        old, is_known = _generic(context.before, row)
        new, is_there = _generic(context.after, row)
        if not is_known:
            continue
        place = own.place(row.file, row.line, row.column)
        if place is None:
            continue
        written = context.written(row.symbol)
        if not is_there:
            yield place.broken(SORT, f"nothing calls this method: the generic function {written} is gone")
        elif old is not None and new is not None and row.arglist is not None:
            method = printed_lambda_list(row.arglist)
            why = _disagreement(method, printed_lambda_list(new))
            if why is not None and _disagreement(method, printed_lambda_list(old)) is None:
                message = f"this method does not fit {written}, which now takes {new.lower()}: {why}"
                yield place.broken(SORT, message)


def _generic(definitions: Definitions, row: OwnMethodRow) -> tuple[str | None, bool]:
    """The lambda list of the generic function of a method, and whether there is one."""
    for one in definitions.get(row.symbol, ()):
        if one.kind == "generic-function" and one.operator == row.operator:
            return one.arglist, True
    return None, False


def _disagreement(method: LambdaList, generic: LambdaList) -> str | None:
    """How a method's lambda list differs where it must not; None if it does not."""
    if len(method.required) != len(generic.required):
        mine = counted(len(method.required), "argument")
        return f"the method requires {mine}, the generic function {len(generic.required)}"
    if len(method.optional) != len(generic.optional):
        mine = counted(len(method.optional), "optional argument")
        return f"the method has {mine}, the generic function {len(generic.optional)}"
    takes_more = _takes_more(method), _takes_more(generic)
    if takes_more[0] != takes_more[1]:
        return f"the method must {'not ' if takes_more[0] else ''}have &rest or &key"
    takes_any = method.allows_other_keys or method.takes_anything_more
    missing = [one.written for one in generic.keywords or () if one.written not in method.defaults]
    return f"the method does not accept {missing[0].lower()}" if missing and not takes_any else None


def _takes_more(one: LambdaList) -> bool:
    return one.rest_word is not None or one.keywords is not None
