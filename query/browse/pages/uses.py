"""The callers and callees of a symbol, by system, each with links to its page and to the line of use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...index.finding.resolve import Resolved
from ...questions.describe.answer import DescribeAnswer
from ...questions.xref.caller_names import CallerNames
from ...questions.xref.own_code import companions_of
from .. import sql
from ..page_request import LinkedName, PageRequest

_MOST_READ = 2000
_MOST_SHOWN = 200
_SBCL = "sbcl"
_UNKNOWN = "elsewhere"
_USUAL = "calls"


class ListedUse(NamedTuple):
    """A caller or callee, with the first place and the number of uses; ``ways`` are the relations, unless it
    only calls."""

    name: LinkedName
    place: LinkedName | None
    times: int
    ways: str = ""


class ListedUses(NamedTuple):
    """The callers or callees of a symbol, by system."""

    groups: list[tuple[str, list[ListedUse]]]
    shown: int
    total: int | None  # as far as the uses are counted
    cut: bool
    everything: str  # the URL of the whole list


def callers(request: PageRequest, found: Resolved, answer: DescribeAnswer) -> ListedUses:
    """The callers of the symbol, those in its own system first and those in SBCL last."""
    index = request.index
    operator = found.typed.operator
    found_rows = index.rows(sql.CALLERS, symbol=found.symbol, operator=operator, most=_MOST_READ)
    rows = [sql.ListedCallerRow(*row) for row in found_rows]
    read = sum(row.times for row in rows)
    names = CallerNames(index)
    home = index.package_systems.get(found.home)
    rows.sort(key=lambda row: (_order(index.origin(row.file), home), row.file or 0, row.line or 0))
    shown = rows[:_MOST_SHOWN]
    uses = []
    for row in shown:
        caller = names.caller(row.definition, row.code)
        link = request.symbol(caller.symbol, caller.operator).link if caller.symbol is not None else None
        ways = "" if row.relations == _USUAL else row.relations.replace(",", ", ")
        use = ListedUse(LinkedName(caller.name, link), request.place(row.file, row.line), row.times, ways)
        uses.append((index.origin(row.file) or _UNKNOWN, use))
    counted = max((one.callers or 0 for one in answer.definitions), default=0)
    total = max(counted, len(rows)) if read == _MOST_READ else len(rows)
    everything = request.links.query("callers_of", package=found.home, name=found.name)
    return ListedUses(_grouped(uses), len(shown), total, len(shown) < total, everything)


def callees(request: PageRequest, found: Resolved) -> ListedUses:
    """The callees of the symbol's own code, those in its own system first and those in SBCL last."""
    index = request.index
    symbol, operator = found.symbol, found.typed.operator
    companions = companions_of(index, symbol, operator) or "[]"
    found_rows = index.rows(
        sql.CALLEES, symbol=symbol, operator=operator, companions=companions, most=_MOST_READ
    )
    rows = [sql.CalleeRow(*row) for row in found_rows]
    home = index.package_systems.get(found.home)
    rows.sort(key=lambda row: (_order(index.origin(row.defined_in), home), row.defined_in or 0, row.symbol))
    shown = rows[:_MOST_SHOWN]
    uses = []
    for row in shown:
        use = ListedUse(
            request.symbol(row.symbol, row.operator), request.place(row.file, row.line), row.times
        )
        uses.append((index.origin(row.defined_in) or _UNKNOWN, use))
    everything = request.links.query("callees_of", package=found.home, name=found.name)
    cut = len(shown) < len(rows) or sum(row.times for row in rows) == _MOST_READ
    return ListedUses(_grouped(uses), len(shown), len(rows), cut, everything)


def _order(origin: str | None, home: str | None) -> tuple[bool, bool, bool, str]:
    return origin != home, origin is None, origin == _SBCL, origin or ""


def _grouped(uses: Iterable[tuple[str, ListedUse]]) -> list[tuple[str, list[ListedUse]]]:
    groups: dict[str, list[ListedUse]] = {}
    for system, use in uses:
        groups.setdefault(system, []).append(use)
    return list(groups.items())
