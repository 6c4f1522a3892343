"""Uses of what the new version does not have."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.relations import RELATIONS
from .. import sql
from ..answer import BrokenLine
from ..context import ForecastContext
from ..own import NO_CODE, OwnUse
from ..sql import DefinedNameRow

SORT = "gone"
_BEFORE_NO_SYMBOL = (":", '"', "#", "|")
_CALLING = frozenset(("calls", "macroexpands"))


def uses_of_what_is_gone(context: ForecastContext) -> Iterator[BrokenLine]:
    """The uses of names that are no longer defined or exported."""
    for symbol, uses in context.own.uses.items():
        before, after = context.before.get(symbol, []), context.after.get(symbol, [])
        hidden = _is_hidden(context, symbol)
        if not before and (hidden or context.successors[symbol] is None):
            yield from _uses_of_a_name(context, symbol, uses)
        for use in uses:
            if use.relation in NO_CODE or not _meant(use, before):
                continue
            is_bare = not use.place.before.endswith(":")
            if not _meant(use, after):
                yield use.broken(SORT, f"{context.written(symbol)} {_why(context, symbol, before)}")
            elif hidden and is_bare:
                yield use.broken(SORT, f"{context.written(symbol)} is no longer exported")


def _uses_of_a_name(context: ForecastContext, symbol: int, uses: list[OwnUse]) -> Iterator[BrokenLine]:
    """The uses of a symbol that nothing defines, such as a name that a macro binds for its users."""
    if context.homes[symbol].status == "external":
        for use in uses:
            if use.relation not in ("exports", "imports") and use.place.before[-1:] not in _BEFORE_NO_SYMBOL:
                yield use.broken(SORT, f"{context.written(symbol)} is no longer exported")


def _meant(use: OwnUse, definitions: list[DefinedNameRow]) -> bool:
    """Whether one of the definitions is what a use refers to."""
    types = RELATIONS[use.relation].refers_to
    for row in definitions:
        if use.relation in _CALLING:
            # How a place is set is called, too.
            if row.documentation_type in types or row.operator == use.operator == "SETF":
                return True
        elif row.documentation_type in types:
            return True
    return False


def _is_hidden(context: ForecastContext, symbol: int) -> bool:
    """Whether code that inherits a symbol no longer does, and does not import it either."""
    now = context.successors.get(symbol)
    if now is None:
        return False
    was = context.old.rows(sql.STATUSES, symbol=symbol)
    statuses = context.new.rows(sql.STATUSES, symbol=now)
    library = context.library.old_packages | context.library.new_packages
    was_external = any(status == "external" for _, status in was)
    is_external = any(status == "external" for _, status in statuses)
    return was_external and not is_external and all(package in library for package, _ in statuses)


def _why(context: ForecastContext, symbol: int, before: list[DefinedNameRow]) -> str:
    for one in context.by_symbol.get(symbol, ()):
        if one.sort in ("not-exported", "definition-removed"):
            return f"has changed: {one.change.finding.message}"
    return f"is gone: it was {_kinds(before)}"


def _kinds(before: list[DefinedNameRow]) -> str:
    kinds = [*dict.fromkeys(row.kind.replace("-", " ") for row in before if row.kind != "method")]
    kind = kinds[0] if kinds else "name"
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
