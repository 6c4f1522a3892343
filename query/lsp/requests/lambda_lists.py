"""The lambda lists of functions and macros: what an open document defines is newer than the index."""

from __future__ import annotations

from collections.abc import Iterator

from ...syntax.lambda_list import LambdaList
from ...syntax.names.meanings import Symbol
from ...syntax.printed import lower_symbols, printed_lambda_list
from ..indexed import sql
from ..indexed.sql import LambdaListRow
from .asked import Asked
from .fresh import fresh_lambda_list


def own_lambda_list(asked: Asked, symbol: Symbol) -> LambdaList | None:
    """The lambda list of the function or macro of a name, not of its methods; None if it is not known."""
    if (fresh := fresh_lambda_list(asked, symbol)) is not None:
        return fresh
    recorded = recorded_lambda_lists(asked, symbol)
    return next((one for specializers, one in recorded if specializers is None), None)


def recorded_lambda_lists(asked: Asked, symbol: Symbol) -> Iterator[tuple[str | None, LambdaList]]:
    """Yield the lambda lists that the index has for a name; those of methods with their specializers."""
    if symbol.number is None:
        return
    upcase = asked.project.index.upcase
    for row in map(LambdaListRow._make, asked.project.index.rows(sql.LAMBDA_LISTS, symbol=symbol.number)):
        specializers = lower_symbols(row.specializers, upcase) if row.specializers is not None else None
        yield specializers, printed_lambda_list(lower_symbols(row.arglist, upcase))
