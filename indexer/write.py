"""Records -> rows of the tables, in batches. The mirror of query/sql.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import singledispatchmethod
from typing import Any

from sqlalchemy import Connection, Table, insert
from sqlalchemy.dialects import sqlite

from . import schema
from .names import CaseFolding, words
from .records import (
    Definition,
    Documentation,
    End,
    File,
    Header,
    Package,
    Presences,
    Problem,
    Record,
    References,
    Symbols,
)

_BATCH_ROWS = 20_000
_EXTERNAL = "external"

Row = tuple[Any, ...]


def _insert_statement(table: Table) -> str:
    """The INSERT of all columns of ``table``, as text: executed with plain tuples it is three
    times as fast as Core's insert with dictionaries."""
    return str(insert(table).compile(dialect=sqlite.dialect(paramstyle="qmark")))


class Writer:
    """Writes the records of one dump into the tables of a new index."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rows: dict[Table, list[Row]] = {}
        self._inserts: dict[Table, str] = {}
        self._fold: Callable[[str], str] = str.lower
        self._symbols: list[Row] = []
        self._exported: set[int] = set()
        self._header: Header | None = None
        self.counts = {"symbols": 0, "definitions": 0, "references": 0, "problems": 0}

    @property
    def header(self) -> Header:
        """The header record; an error before it was written."""
        if self._header is None:
            raise ValueError("no header record yet")
        return self._header

    def write(self, record: Record) -> None:
        """Take one record; rows reach the file in batches."""
        self._write(record)

    def flush(self) -> None:
        """Bring all rows that are still held to the file."""
        for table in list(self._rows):
            self._flush(table)

    def _add(self, table: Table, rows: Iterable[Row]) -> None:
        held = self._rows.setdefault(table, [])
        held.extend(rows)
        if len(held) >= _BATCH_ROWS:
            self._flush(table)

    def _flush(self, table: Table) -> None:
        rows = self._rows.pop(table, [])
        if rows:
            if table not in self._inserts:
                self._inserts[table] = _insert_statement(table)
            self._connection.exec_driver_sql(self._inserts[table], rows)

    @singledispatchmethod
    def _write(self, record: Record) -> None:
        raise TypeError(f"no rows for {type(record).__name__}")

    @_write.register
    def _(self, record: Header) -> None:
        self._header = record
        upper, lower = record.case_pairs
        self._fold = CaseFolding(upper, lower).folder()
        self._add(schema.kinds, (tuple(kind) for kind in record.kinds))

    @_write.register
    def _(self, record: Package) -> None:
        self._add(
            schema.packages, [(record.id, record.name, record.documentation, int(record.locked))]
        )
        self._add(schema.package_nicknames, ((nickname, record.id) for nickname in record.nicknames))
        self._add(
            schema.package_uses, ((record.id, place, used) for place, used in enumerate(record.uses))
        )
        self._add(
            schema.package_local_nicknames,
            ((record.id, nickname, target) for nickname, target in record.local_nicknames),
        )

    @_write.register
    def _(self, record: Symbols) -> None:
        # Held back until the presences have told which are exported.
        fold = self._fold
        self._symbols.extend(
            (number, name, package, fold(name), kind)
            for number, (name, package, kind) in enumerate(record.rows, record.first)
        )

    @_write.register
    def _(self, record: Presences) -> None:
        package = record.package
        self._exported.update(record.external)
        self._add(schema.presences, ((symbol, package, _EXTERNAL) for symbol in record.external))
        self._add(schema.presences, ((symbol, package, "internal") for symbol in record.internal))
        self._add(schema.package_shadowing, ((package, symbol) for symbol in record.shadowing))

    @_write.register
    def _(self, record: File) -> None:
        self._add(schema.source_files, [(record.id, record.recorded, record.path)])

    @_write.register
    def _(self, record: Definition) -> None:
        self._write_symbols()
        self.counts["definitions"] += 1
        name = "" if record.symbol is None else self._names[record.symbol - 1]
        self._add(
            schema.definitions,
            [
                (
                    record.id,
                    record.symbol,
                    record.package,
                    record.kind,
                    record.operator,
                    record.qualifiers,
                    record.specializers,
                    record.arglist,
                    record.ftype,
                    record.documentation,
                    record.value,
                    record.deprecated,
                    record.deprecated_since,
                    record.replacement,
                    record.file,
                    record.toplevel_form,
                    record.form_number,
                    record.toplevel_offset,
                    words(name),
                    0,
                )
            ],
        )

    @_write.register
    def _(self, record: Documentation) -> None:
        self._add(schema.documentation, [(record.symbol, record.type, record.text)])

    @_write.register
    def _(self, record: References) -> None:
        relations, operators = self.header.relations, self.header.operators
        first = self.counts["references"] + 1
        self.counts["references"] += len(record.uses)
        self._add(
            schema.symbol_references,
            (
                (
                    number,
                    relations[relation],
                    callee,
                    operators[operator],
                    record.caller,
                    record.name,
                    record.file,
                    record.toplevel_form,
                    form,
                )
                for number, (relation, callee, operator, form) in enumerate(record.uses, first)
            ),
        )

    @_write.register
    def _(self, record: Problem) -> None:
        self.counts["problems"] += 1
        self._add(
            schema.problems,
            [
                (
                    self.counts["problems"],
                    record.stage,
                    record.subject,
                    record.part,
                    record.condition,
                    record.message,
                )
            ],
        )

    @_write.register
    def _(self, record: End) -> None:
        self._write_symbols()

    def _write_symbols(self) -> None:
        """Write the symbols, once: the first definition comes after all presences."""
        if not self._symbols:
            return
        exported = self._exported
        self.counts["symbols"] = len(self._symbols)
        self._names = [row[1] for row in self._symbols]
        self._add(schema.symbols, ((*row, int(row[0] in exported)) for row in self._symbols))
        self._symbols = []
