"""The records of a refresh -> rows of a copy of the base index.

What the project brought is added under numbers behind those of the base; what it changed in the
base is replaced under the number it had. Everything else is left as it is.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Table

from ..errors import ContradictionError
from ..records import (
    Class,
    Definition,
    End,
    Expansion,
    File,
    Header,
    Kept,
    Package,
    Presences,
    Problem,
    References,
    Root,
    Specializers,
    Symbols,
    System,
    Touched,
)
from ..schema import tables as schema
from ..write.rows import Row, Writer
from .base_numbers import BaseNumbers, DefinitionKey, definition_key
from .replaced_rows import RefreshRows

_METHOD = "method"
_REFERENCES_AT_ONCE = 500


class RefreshWriter(Writer):
    """Writes the records of one refresh into a copy of the index of its base."""

    def __init__(self, connection: Connection, *, store_sources: bool = True) -> None:
        super().__init__(connection, store_sources=store_sources)
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        self._raw = raw
        self._told: dict[str, int] = {}  # how many the image has, by table
        self._base = base = BaseNumbers(raw)
        self._stored = RefreshRows(raw, base)
        self._ownership = base.ownership()
        ((self._base_roots,),) = raw.execute("SELECT count(*) FROM roots")
        self._caller_number = base.callers
        self._package_owners: dict[int, int | None] = dict(
            raw.execute("SELECT id, system_id FROM packages").fetchall()
        )
        self._known_problems = set(
            raw.execute("SELECT stage, subject, part, condition, message, path, line FROM problems")
        )
        self._file_numbers: dict[int, int] = {}
        self._new_files: set[int] = set()
        self._expansion_numbers: dict[int, int] = {}
        self._definition_numbers: dict[int, int] = {}
        self._next_definition = base.definitions
        self._touched: dict[int, str] = {}
        self._kept: list[Kept] = []
        self._base_definitions: dict[DefinitionKey, int] = {}
        self._asked: set[int] = set()  # the symbols whose definitions in the base are known
        self._retold: dict[int, Definition] = {}  # definitions of the base, by their numbers there
        self._ways |= {Touched: self._write_touched, Kept: self._kept.append}
        self._ways[Root] = lambda _: None  # the base has them all

    def _batch_rows(self, table: Table) -> int:
        # The many references while SBCL tells more; the rest when the base's rows that it replaces are gone.
        return _REFERENCES_AT_ONCE if table is schema.symbol_references else sys.maxsize

    # What the base has already

    def _write_header(self, record: Header) -> None:
        self._raw.execute("DELETE FROM meta WHERE name = 'complete'")
        super()._write_header(replace(record, case_pairs=self._base.case_pairs()))
        self._rows.clear()  # relations and kinds are there
        self._stored.counted_relations = {relation + 1 for relation in self._counted_relations}

    def _write_system(self, record: System) -> None:
        number = self._base.systems.setdefault(record.name, len(self._base.systems) + 1)
        super()._write_system(replace(record, id=number))

    def _write_package(self, record: Package) -> None:
        if not self._packages:
            self._stored.drop_packages()
        super()._write_package(record)

    def _write_touched(self, record: Touched) -> None:
        self._touched = dict(record.symbols)
        self._know_definitions_of(self._touched)
        self._stored.retype(self._touched)

    def _know_definitions_of(self, symbols: Iterable[int]) -> None:
        unknown = [symbol for symbol in symbols if symbol not in self._asked]
        self._asked.update(unknown)
        self._base_definitions |= self._base.definitions_of(unknown)

    def _write_symbols(self, record: Symbols) -> None:
        super()._write_symbols(record)
        self._stored.changed_symbols.update(row[0] for row in self._symbols)

    def _write_presences(self, record: Presences) -> None:
        self._exported.update(record.external)
        now = dict.fromkeys(record.internal, "internal") | dict.fromkeys(record.external, "external")
        self._add(schema.presences, self._stored.replace_presences(record.package, now))
        self._add(schema.package_shadowing, ((record.package, symbol) for symbol in record.shadowing))

    def _write_file(self, record: File) -> None:
        known = self._base.files.get(record.recorded)
        if known is None:
            known = len(self._base.files) + len(self._new_files) + 1
            self._new_files.add(known)
            super()._write_file(replace(record, id=known))
        self._file_numbers[record.id] = known

    def _write_expansion(self, record: Expansion) -> None:
        known = self._base.expansions.get(record.name)
        if known is None:
            known = self._base.expansions[record.name] = len(self._base.expansions) + 1
            super()._write_expansion(replace(record, id=known))
        self._expansion_numbers[record.id] = known

    def _write_problem(self, record: Problem) -> None:
        what = (record.stage, record.subject, record.part, record.condition, record.message)
        if (*what, record.path, record.line) not in self._known_problems:
            self.counts["problems"] = max(self.counts["problems"], self._base.problems)
            super()._write_problem(record)

    # Definitions: a number of the base for one that was there, whatever became of it

    def _write_definition(self, record: Definition) -> None:
        number = self._number_in_base(record)
        if number is None:
            self._next_definition += 1
            number = self._next_definition
        self._definition_numbers[record.id] = number
        file = None if record.file is None else self._file_numbers[record.file]
        told = replace(record, id=number, file=file)
        if number <= self._base.definitions:
            told = self._retold[number] = self._stored.placed(told)
        super()._write_definition(told)

    def _number_in_base(self, record: Definition) -> int | None:
        # A method that is told is a new one, whatever the base had for these specializers.
        if record.symbol is None or record.symbol > self._base.symbols or record.kind == _METHOD:
            return None
        self._know_definitions_of([record.symbol])
        return self._base_definitions.get(definition_key(record))

    def _write_class(self, record: Class) -> None:
        super()._write_class(replace(record, definition=self._definition_numbers[record.definition]))

    def _write_specializers(self, record: Specializers) -> None:
        super()._write_specializers(replace(record, definition=self._definition_numbers[record.definition]))

    def _write_references(self, record: References) -> None:
        file = None if record.file is None else self._file_numbers[record.file]
        if file is not None and file not in self._new_files and _is_from_text(record):
            return  # uses at toplevel in a file of the base, which has them
        caller = None if record.caller is None else self._definition_numbers[record.caller]
        uses = [[relation, operator, self._renumbered(flat)] for relation, operator, flat in record.uses]
        super()._write_references(replace(record, file=file, caller=caller, uses=uses))

    def _renumbered(self, uses: list[Any]) -> list[Any]:
        uses[4::5] = [None if one is None else self._expansion_numbers[one] for one in uses[4::5]]
        return uses

    # The end: what was replaced goes, what came is written, what is derived follows

    def _write_end(self, record: End) -> None:
        self._told = {"packages": record.packages, "symbols": record.symbols}
        stored = self._stored
        gone = self._gone_definitions()
        stored.drop_definitions(gone, self._retold)
        stored.drop_documentation(self._touched)
        super()._write_end(record)
        stored.finish(self._callers, self._definitions, set(self._retold))
        folders = [str(path) for _, _, path, _ in self._root_rows()]
        symbols, packages = stored.defined_in(stored.place_files(folders, self._ownership.place_file))
        packages |= {definition.package for definition in self._definitions if definition.package}
        stored.own_packages(symbols | self._moved_symbols(gone), packages)

    def _moved_symbols(self, gone: set[int]) -> set[int]:
        """The symbols of which definitions came, went or moved, but for methods: anyone writes those."""
        stay = set(self._retold) - self._stored.new_places
        came = {
            one.symbol
            for one in self._definitions
            if one.symbol and one.kind != _METHOD and one.id not in stay
        }
        return came | {key[0] for key, number in self._base_definitions.items() if number in gone}

    def conclude(self, facts: Mapping[str, str]) -> None:
        """Write what the index says about itself, once its counts are known to be those of the image.

        A whole check takes longer than all the rest. Raises ContradictionError.
        """
        wrong = []
        for table, number in self._told.items():
            ((rows,),) = self._raw.execute(f"SELECT count(*) FROM {table}")
            if rows != number:
                wrong.append(f"{table}: {rows} rows, but the image has {number}")
        if wrong:
            raise ContradictionError(wrong)
        self._raw.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", facts.items())
        self._raw.commit()

    def _gone_definitions(self) -> set[int]:
        """The definitions of the base that are not told any more."""
        gone = {
            number
            for key, number in self._base_definitions.items()
            if key[0] in self._touched and key[1] != _METHOD and number not in self._retold
        }
        for kept in self._kept:
            left = {(qualifiers, tuple(map(tuple, rows))) for qualifiers, rows in kept.methods}
            gone.update(
                number
                for number, what in self._base.methods_of(kept.symbol, kept.operator)
                if what not in left
            )
        return gone

    def _root_rows(self) -> Iterable[Row]:
        return self._ownership.root_rows()[self._base_roots :]

    def _symbol_name(self, symbol: int) -> str:
        if symbol > self._base.symbols:
            return super()._symbol_name(symbol - self._base.symbols)
        return self._stored.symbol_name(symbol)

    def _callers_of(self, record: Definition) -> int:
        return super()._callers_of(record) + self._stored.callers_left(record)

    def _package_rows(self) -> Iterable[Row]:
        for package in self._packages:
            facts = (package.id, package.name, package.documentation, int(package.locked))
            yield (*facts, self._package_owners.get(package.id))


def _is_from_text(record: References) -> bool:
    """Whether the uses are those at toplevel, which the text tells and not SBCL."""
    return all(form is None for _, _, uses in record.uses for form in uses[1::5])
