"""The first callers of a name, for a tree: only the uses that they make are read.

The uses of a name are stored in runs, one for each relation, in the order of their callers. So the first
callers are at the beginnings of the runs, and the number of callers is stored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...index.reading import Reading
from . import sql
from .sql import CallerUseRow, RunRow

_ROWS_AT_FIRST = 48
_ROWS_MORE = 4  # times as many, when these are not enough

# What puts callers in order; nameless code is last.
_Key = tuple[Any, ...]


class NeighbouringCaller(NamedTuple):
    """A caller: its definition, or SBCL's name for its code; its number of uses, and where the first is."""

    definition: int | None
    code: str | None
    uses: int
    path: str | None
    line: int | None


class FirstCallers(NamedTuple):
    """The first callers, and how many there are in all."""

    callers: list[NeighbouringCaller]
    total: int


def first_callers(
    index: Reading, symbol: int, operator: str | None, relations: frozenset[int], most: int
) -> FirstCallers:
    """The first ``most`` callers by the ``relations``, in the order of package, name and place."""
    rows = [
        RunRow(*row)
        for row in index.rows(sql.RUNS["callers"], symbol=symbol, operator=operator, other=operator)
    ]
    runs = [
        _Run(row.first, row.last)
        for row in rows
        if row.relation in relations and row.first is not None and row.last is not None
    ]
    wanted = _ROWS_AT_FIRST
    while True:
        for run in runs:
            run.read(index, wanted)
        callers = _complete(runs)
        if len(callers) >= most or all(run.at_end for run in runs):
            return FirstCallers(callers[:most], callers_by(rows, relations))
        wanted *= _ROWS_MORE


@dataclass
class _Run:
    """What has been read of a run of uses."""

    next: int
    last: int
    at_end: bool = False

    def __post_init__(self) -> None:
        self.uses: list[CallerUseRow] = []

    def read(self, index: Reading, wanted: int) -> None:
        """Read on until there are as many uses as ``wanted``, or no more."""
        more = wanted - len(self.uses)
        if self.at_end or more <= 0:
            return
        rows = index.rows(sql.CALLER_USES, first=self.next, last=self.last, most=more)
        self.uses += map(CallerUseRow._make, rows)
        self.at_end = len(rows) < more
        if rows:
            self.next = self.uses[-1].use + 1


def _complete(runs: Iterable[_Run]) -> list[NeighbouringCaller]:
    """The callers of which all uses have been read, in order."""
    # What follows in a run is not before its last key.
    frontier = min((_key(run.uses[-1]) for run in runs if not run.at_end), default=None)
    found: dict[tuple[Any, ...], list[CallerUseRow]] = {}
    for run in runs:
        for use in run.uses:
            if frontier is None or _key(use) < frontier:
                found.setdefault(use.caller, []).append(use)
    return [caller for _, caller in sorted(map(_caller, found.values()), key=lambda one: one[0])]


def _key(use: CallerUseRow) -> _Key:
    """The part of the order of uses that all uses of one caller share."""
    if use.package is None and use.name is None:
        return (True, "", "", use.path or "")
    return (use.package is None, use.package or "", use.name or "", "")


def _caller(uses: list[CallerUseRow]) -> tuple[_Key, NeighbouringCaller]:
    """The caller that makes these uses, after what puts it in order."""
    first = min(uses, key=lambda use: (use.line is None, use.line or 0))
    place = (first.path is not None, first.path or "", first.line is not None, first.line or 0)
    other = (first.definition is None, first.definition or 0, first.code or "", first.file or 0)
    caller = NeighbouringCaller(first.definition, first.code, len(uses), first.path, first.line)
    return (*_key(first)[:3], *place, *other), caller


def callers_by(rows: Sequence[RunRow], relations: Collection[int]) -> int:
    """The number of callers by the ``relations``: one, or all that SBCL records.

    A caller may use the name in several ways; the number over all that SBCL records is stored. An index has
    the runs of its base and those of the project beside it, with callers of their own.
    """
    runs = [row for row in rows if row.relation in relations]
    whole = [row for row in rows if row.code_callers is not None] if len(runs) > 1 else []
    apart = [run for run in runs if not any(run.is_part_of(one) for one in whole)]
    return sum(one.code_callers or 0 for one in whole) + sum(run.others for run in apart)
