"""The uses in the base that definitions make which a refresh drops, replaces or moves."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from ..write.uses import CALLER, CODE_RELATIONS, COUNTED_RELATIONS
from .base_numbers import BaseNumbers

# The caller of a use that is in no definition, as lisp/dump/uses/text.lisp names it.
_FROM_TEXT = "toplevel form"


class _UseRow(NamedTuple):
    """One row of _USES_BY."""

    id: int
    relation: int
    callee: int
    operator: str | None
    form_number: int | None
    line: int | None
    column: int | None
    length: int | None
    text_relation: int | None
    definition: int
    file: int | None
    toplevel_form: int | None
    symbol: int
    caller: int

    @property
    def text(self) -> tuple[Any, ...]:
        """The place in the text, and what the text alone says of it."""
        relation = self.text_relation or self.relation
        return self.callee, self.operator, relation, self.file, self.line, self.column, self.length


# The uses that definitions make in the base; those that the refresh has written have higher numbers.
_USES_BY = """
SELECT used.id, used.relation_id, used.callee_id, used.callee_operator, used.form_number, used.line,
       used.start_column, used.length, used.text_relation_id,
       definitions.id, callers.file_id, callers.toplevel_form, definitions.symbol_id, callers.id
FROM definitions
CROSS JOIN using_symbols ON using_symbols.symbol_id = definitions.symbol_id
  AND using_symbols.operator IS definitions.operator
CROSS JOIN json_each(using_symbols.uses) AS one
CROSS JOIN symbol_references AS used ON used.id = one.value
CROSS JOIN callers ON callers.id = used.caller_id AND callers.definition_id = definitions.id
WHERE using_symbols.relation_id IS NOT NULL AND used.id <= {last} AND definitions.id IN ({{}})
"""


# The uses that a symbol's definitions make, in the order in which they are shown: operator, relation, whether
# it is shown apart, number, callee.
_IN_ORDER = """
SELECT DISTINCT using_symbols.operator, used.relation_id,
       relations.relation = 'defines' OR (relations.relation = 'specializes' AND symbols.name = 'T'
                                          AND packages.name = 'COMMON-LISP') AS apart,
       used.id, used.callee_id || ' ' || coalesce(used.callee_operator, '') AS callee
FROM using_symbols CROSS JOIN json_each(using_symbols.uses) AS one
CROSS JOIN symbol_references AS used ON used.id = one.value
JOIN relations ON relations.id = used.relation_id
JOIN callers ON callers.id = used.caller_id
JOIN symbols ON symbols.id = used.callee_id
LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN source_files ON source_files.id = callers.file_id
WHERE using_symbols.symbol_id = ? AND using_symbols.relation_id IS NOT NULL
ORDER BY using_symbols.operator, apart, used.relation_id, packages.name IS NULL, packages.name, symbols.name,
         used.callee_operator, source_files.path, used.line, used.start_column, used.form_number, used.id
"""


# What is left of a run: the uses, their callers, and those by the relations that SBCL records.
_COUNT = f"""
SELECT count(*), count(DISTINCT {CALLER}),
       count(DISTINCT CASE WHEN used.relation_id IN {CODE_RELATIONS} THEN {CALLER} END)
FROM symbol_references AS used JOIN callers ON callers.id = used.caller_id WHERE used.id BETWEEN ? AND ?
"""


def _listed(numbers: Collection[int]) -> str:
    return json.dumps(sorted(numbers))


def _callees(uses: list[tuple[Any, ...]]) -> int:
    return len({use[4] for use in uses})


@dataclass
class BaseUses:
    """The uses of the base in the copy that a refresh writes to.

    ``lost`` counts, by operator and symbol, the definitions that no longer use it as a function or macro;
    ``to_list`` are the symbols whose definitions do not use all that is listed.
    """

    connection: sqlite3.Connection
    base: BaseNumbers
    lost: dict[str | None, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    to_list: set[int] = field(default_factory=set)

    def detach(self, dropped: Collection[int], moved: Collection[int]) -> None:
        """Drop the uses by code of definitions that are ``dropped``; what the text tells itself stays.

        The text of those that have ``moved`` stays too, but its forms no longer make the definitions.
        """
        made = _USES_BY.format(last=self.base.uses.references)
        rows = [_UseRow(*row) for row in self.base.rows_in(made, {*dropped, *moved})]
        dropped = set(dropped)
        gone = [row for row in rows if row.definition in dropped or row.form_number is None]
        if not gone:
            return
        self._count_lost(gone)
        left = {row.text: row for row in gone if row.column is not None}
        self._delete(gone)
        self._delete_callers(gone, {row.caller for row in set(rows).difference(gone)})
        self._write_text_uses(left.values())

    def _count_lost(self, rows: Iterable[_UseRow]) -> None:
        counted = {row[0] for row in self.connection.execute(f"SELECT id FROM {COUNTED_RELATIONS}")}
        for operator, callee, _ in {
            (row.operator, row.callee, row.definition) for row in rows if row.relation in counted
        }:
            self.lost[operator][callee] += 1

    def _delete(self, rows: list[_UseRow]) -> None:
        gone = {row.id for row in rows}
        self.connection.executemany("DELETE FROM symbol_references WHERE id = ?", [(one,) for one in gone])
        for callee in {row.callee for row in rows}:
            self._count_again(callee)
        self.to_list |= {row.symbol for row in rows}

    def _delete_callers(self, gone: Iterable[_UseRow], left: Collection[int]) -> None:
        """Delete the callers of the definitions that made the uses ``gone``, but for those ``left``."""
        self.connection.execute(
            "DELETE FROM callers WHERE id <= ? AND definition_id IN (SELECT value FROM json_each(?))"
            " AND id NOT IN (SELECT value FROM json_each(?))",
            [self.base.uses.callers, _listed({row.definition for row in gone}), _listed(left)],
        )

    def _count_again(self, callee: int) -> None:
        """Count what is left of the runs of uses of a symbol."""
        runs = self.connection.execute(
            "SELECT first_id, last_id, code_callers IS NOT NULL FROM used_symbols WHERE symbol_id = ?",
            [callee],
        ).fetchall()
        for first, last, several in runs:
            total, callers, by_code = self.connection.execute(_COUNT, [first, last]).fetchone()
            key = [callee, first, last]
            where = "WHERE symbol_id = ? AND first_id = ? AND last_id = ?"
            if total:
                self.connection.execute(
                    f"UPDATE used_symbols SET total = ?, callers = ?, code_callers = ? {where}",
                    [total, callers, by_code if several else None, *key],
                )
            else:
                self.connection.execute(f"DELETE FROM used_symbols {where}", key)

    def join_new(self) -> None:
        """Join the uses that the project's definitions of the base's symbols make to those of the base.

        The lists are made again, in order, once all symbols and packages are written.
        """
        rows = self.connection.execute(
            "SELECT DISTINCT symbol_id FROM using_symbols WHERE rowid > ? AND symbol_id <= ?",
            [self.base.using_rows, self.base.symbols],
        ).fetchall()
        for symbol in sorted(self.to_list.union(symbol for (symbol,) in rows)):
            uses = self.connection.execute(_IN_ORDER, [symbol]).fetchall()
            self.connection.execute("DELETE FROM using_symbols WHERE symbol_id = ?", [symbol])
            for operator, of_name in groupby(uses, key=itemgetter(0)):
                self._write_lists(symbol, operator, list(of_name))

    def _write_lists(self, symbol: int, operator: str | None, uses: list[tuple[Any, ...]]) -> None:
        parts = [list(part) for _, part in groupby(uses, key=itemgetter(1, 2))]
        together = [use for part in parts for use in part if not use[2]]
        lists = [
            (part[0][1], part, json.dumps([use[3] for use in part], separators=(",", ":"))) for part in parts
        ]
        rows: list[tuple[Any, ...]] = [
            (symbol, operator, relation, len(part), _callees(part), ids) for relation, part, ids in lists
        ]
        if sum(not part[0][2] for part in parts) > 1:
            rows.append((symbol, operator, None, len(together), _callees(together), None))
        self.connection.executemany("INSERT INTO using_symbols VALUES (?, ?, ?, ?, ?, ?)", rows)

    def _write_text_uses(self, rows: Iterable[_UseRow]) -> None:
        """Write the uses that only the text tells, as uses by toplevel forms, in runs of their own."""
        callers: dict[tuple[int | None, int | None], int] = {}
        runs: dict[tuple[int, str | None, int], list[_UseRow]] = defaultdict(list)
        paths = dict(self.connection.execute("SELECT id, path FROM source_files").fetchall())
        for row in rows:
            runs[row.callee, row.operator, row.text_relation or row.relation].append(row)
        for (callee, operator, relation), uses in sorted(runs.items(), key=repr):
            uses.sort(key=lambda use: (str(paths.get(use.file)), use.line, use.column))
            numbers = []
            for use in uses:
                place = use.file, use.toplevel_form
                if place not in callers:
                    callers[place] = self._insert("callers", None, _FROM_TEXT, *place)
                text = (use.line, use.column, use.length, None, None)
                numbers.append(
                    self._insert("symbol_references", relation, callee, operator, callers[place], None, *text)
                )
            self.connection.execute(
                "INSERT INTO used_symbols VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
                [
                    callee,
                    operator,
                    relation,
                    numbers[0],
                    numbers[-1],
                    len(uses),
                    len({use.file for use in uses}),
                ],
            )

    def _insert(self, table: str, *values: Any) -> int:
        marks = ", ".join("?" * len(values))
        row = self.connection.execute(f"INSERT INTO {table} VALUES (NULL, {marks})", values).lastrowid
        assert row is not None
        return row
