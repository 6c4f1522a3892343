"""Compare two indexes by names rather than numbers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from .natural_rows import NATURAL_ROWS
from .unordered_types import in_any_order
from .uses_by_number import same_uses


def differences(connection: sqlite3.Connection, other: sqlite3.Connection) -> Iterator[str]:
    """The differences between two indexes by natural keys, one line for each row that only one of them has.

    Numbers within the index and the table meta are left out: they belong to a build, not to an image. So
    does the order of alternatives and of keyword arguments in function types.
    """
    for table, statement in NATURAL_ROWS.items():
        if table == "symbol_references" and same_uses(connection, other):
            continue  # mostly, and it is by far the longest
        yield from (f"{table}: {line}" for line in _row_differences(connection, other, statement))


def _row_differences(
    connection: sqlite3.Connection, other: sqlite3.Connection, statement: str
) -> Iterator[str]:
    """Compare two sorted results. A merge would need SQLite's order of values; skipping rows that
    are equal at the same place suffices, and only the rest is held in memory."""
    here, there = connection.execute(statement), other.execute(statement)
    ours: list[Any] = []
    theirs: list[Any] = []
    for left, right in zip_longest(here, there):
        if left != right:
            ours.append(left and tuple(map(in_any_order, left)))
            theirs.append(right and tuple(map(in_any_order, right)))
    only_here, only_there = _surplus(ours, theirs), _surplus(theirs, ours)
    yield from (f"only in the first: {row}" for row in only_here)
    yield from (f"only in the second: {row}" for row in only_there)


def _surplus(rows: list[Any], others: list[Any]) -> list[Any]:
    left = list(others)
    counted: dict[Any, int] = {}
    for row in left:
        counted[row] = counted.get(row, 0) + 1
    surplus = []
    for row in rows:
        if row is None:
            continue
        if counted.get(row, 0):
            counted[row] -= 1
        else:
            surplus.append(row)
    return surplus
