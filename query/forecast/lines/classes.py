"""Uses that need what a class no longer has: superclasses and slots."""

from __future__ import annotations

from collections.abc import Iterator

from ...syntax.printed import double_colon
from .. import sql
from ..answer import BrokenLine
from ..changed import NameChange
from ..context import ForecastContext

SUPERCLASS, SLOT = "superclass", "slot"
_BY_SUPERCLASS = frozenset(("handles", "tests", "specializes"))


def uses_of_lost_superclasses(context: ForecastContext) -> Iterator[BrokenLine]:
    """Where code handles, tests for or specializes on a class that is no longer a superclass of another."""
    names = {(row.home, row.name): symbol for symbol, row in context.homes.items()}
    for changes in context.by_symbol.values():
        for one in changes:
            above = (
                names.get(_home_and_name(one.change.finding.part or ""))
                if one.sort == "superclass-removed"
                else None
            )
            if above is None or not one.is_breaking:
                continue
            for use in context.own.uses.get(above, ()):
                if use.relation in _BY_SUPERCLASS:
                    message = f"{context.written(above)} is no longer a superclass of {one.written}"
                    yield use.broken(SUPERCLASS, message)


def _home_and_name(text: str) -> tuple[str, str]:
    """The package and the name of a class that diff has told."""
    home, _, name = double_colon(text).rpartition("::")
    return home, name


def uses_of_lost_slots(context: ForecastContext) -> Iterator[BrokenLine]:
    """Where the code names a slot that no class of the library has in the new version."""
    lost: dict[int, NameChange] = {}
    for symbol, changes in context.by_symbol.items():
        for one in changes:
            if one.sort == "slot-removed":
                slots = dict(context.old.rows(sql.SLOT_SYMBOLS, symbol=symbol))
                if one.change.finding.part in slots:
                    lost[slots[one.change.finding.part]] = one
    uses = context.own.uses_of(lost)
    for slot, one in lost.items():
        if not context.new.count(sql.IS_SLOT, name=one.change.finding.part, symbol=slot):
            for use in uses.get(slot, ()):
                if use.relation == "names":
                    yield use.broken(SLOT, f"{one.written}: {one.change.finding.message}")
