"""Initargs that the library's classes no longer take, where no check of a call sees them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ...syntax.printed import double_colon
from .. import sql
from ..answer import BrokenLine
from ..context import ForecastContext
from ..sql import DefaultedRow

SORT = "initarg"


def lost_default_initargs(context: ForecastContext) -> Iterator[BrokenLine]:
    """The subclasses with default initargs that are no longer accepted (CLHS 7.1.2)."""
    for symbol, changes in context.by_symbol.items():
        lost = {one.change.finding.part: one for one in changes if one.sort == "initarg-removed"}
        if not lost:
            continue
        rows = context.old.rows(sql.DEFAULTED_BELOW, symbol=symbol, files=json.dumps([*context.own.files]))
        for row in map(DefaultedRow._make, rows):
            one = lost.get(row.initarg)
            place = context.own.place(row.file, row.line, row.column) if one is not None else None
            if one is not None and place is not None:
                yield place.broken(
                    SORT,
                    f"this class sets a default for {row.initarg.lower()}, which {one.written} does not take",
                )


def uses_of_lost_symbols(context: ForecastContext) -> Iterator[BrokenLine]:
    """Where the code has a lost initarg that is not a keyword, as in ``(make-instance class 'lib:id 1)``."""
    for changes in context.by_symbol.values():
        for one in changes:
            part = one.change.finding.part or ""
            if one.sort != "initarg-removed" or part.startswith(":") or ":" not in part:
                continue
            package, _, name = double_colon(part).partition("::")
            for symbol, _ in context.old.rows(sql.PRESENT_THERE, package=package, name=name):
                for use in context.own.uses_of([symbol]).get(symbol, ()):
                    if use.place.before.endswith("'"):
                        yield use.broken(SORT, f"{one.written}: {one.change.finding.message}")
