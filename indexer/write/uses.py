"""Uses -> rows: callers, the uses of each symbol in order, and the runs that they form."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import Table

from ..records import Callees, Callers, Counts, Header, Runs, Uses
from ..schema import tables as schema
from ..schema.columns import Row

USE_FIELDS = 10  # for each use in a record
COUNTED_RELATIONS = "(SELECT id FROM relations WHERE relation IN ('calls', 'macroexpands'))"
"""SQL for the numbers of the relations whose callers are counted, as lisp/dump/uses/runs.lisp counts them."""
CALLER = "coalesce(callers.definition_id, coalesce(callers.name, '') || ' ' || coalesce(callers.file_id, ''))"
"""SQL for who makes a use: a definition, or code outside, which its name and file identify."""
CODE_RELATIONS = (
    "(SELECT id FROM relations WHERE relation IN ('calls', 'macroexpands', 'references', 'sets', 'binds'))"
)
"""SQL for the numbers of the relations that SBCL records."""


@dataclass(frozen=True, slots=True)
class UsesWritten:
    """The highest numbers of callers and of references that a file has already."""

    callers: int = 0
    references: int = 0


class UsesWriter:
    """Writes the records of callers, uses, runs and callees, numbered after what is there already."""

    def __init__(
        self,
        add: Callable[[Table, Iterable[Row]], None],
        insert_flat: Callable[[Table, list[Any]], None],
        written: UsesWritten,
    ) -> None:
        """``add`` takes the rows of a table, ``insert_flat`` their values in one list, without ids.

        ``written`` are the numbers of the rows that are there.
        """
        self._add = add
        self._insert_flat = insert_flat
        self._last_caller = self._caller_offset = written.callers
        self._last_use = self._use_offset = written.references
        self._operators: Sequence[str | None] = ()
        self.callers: defaultdict[str | None, Counter[int]] = defaultdict(Counter)
        """The number of definitions that use a symbol as a function or macro, by operator."""

    def begin(self, header: Header) -> None:
        """Take the operators from the header."""
        self._operators = header.operators

    @property
    def references(self) -> int:
        """The number of uses written."""
        return self._last_use - self._use_offset

    def write_callers(self, record: Callers) -> None:
        """Write callers, which come before all uses."""
        first = self._last_caller + 1
        self._last_caller += len(record.rows)
        self._add(schema.callers, [(number, *row) for number, row in enumerate(record.rows, first)])

    def write_uses(self, record: Uses) -> None:
        """Write uses; SQLite numbers them."""
        rows, fields = record.rows, USE_FIELDS
        if self._caller_offset:
            rows[3::fields] = [caller + self._caller_offset for caller in rows[3::fields]]
        self._last_use += len(rows) // fields
        self._insert_flat(schema.symbol_references, rows)

    def write_runs(self, record: Runs) -> None:
        """Write runs, which come after their uses."""
        operators, offset = self._operators, self._use_offset
        self._add(
            schema.used_symbols,
            [
                (symbol, operators[operator], relation, first + offset, last + offset, *numbers)
                for symbol, operator, relation, first, last, *numbers in record.rows
            ],
        )

    def write_counts(self, record: Counts) -> None:
        """Keep the counts of callers for the definitions."""
        for symbol, operator, number in record.rows:
            self.callers[self._operators[operator]][symbol] = number

    def write_callees(self, record: Callees) -> None:
        """Write what the definitions of symbols use."""
        operators, offset = self._operators, self._use_offset
        rows = []
        for symbol, operator, relation, total, callees, uses in record.rows:
            listed = None
            if uses is not None:
                listed = orjson.dumps([use + offset for use in uses] if offset else uses).decode()
            rows.append((symbol, operators[operator], relation, total, callees, listed))
        self._add(schema.using_symbols, rows)
