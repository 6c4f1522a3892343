"""Records -> rows of the tables, in batches. The mirror of the sql modules of query/."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, Table, insert
from sqlalchemy.dialects import sqlite

from ..format import names_sbcl
from ..names import CaseFolding, words
from ..records import (
    OTHER_TEXT,
    Callees,
    Callers,
    Class,
    Components,
    Counts,
    Definition,
    Documentation,
    End,
    Expansion,
    File,
    Header,
    Outside,
    Package,
    Presences,
    Problem,
    Record,
    Root,
    Runs,
    Specializers,
    Symbols,
    System,
    Unread,
    Uses,
)
from ..schema import classes as class_tables
from ..schema import signatures as signature_tables
from ..schema import systems as system_tables
from ..schema import tables as schema
from ..schema.columns import Row
from ..search_rank import LOWEST_RANK, STANDARD, callers_in_rank, search_id, search_rank
from ..sources import Source, read_source
from .classes import class_rows, specializer_rows
from .held import HeldSymbols, WrittenDefinitions
from .ownership import Ownership
from .ranks import RANK_DEFINITIONS
from .systems import system_rows
from .uses import UsesWriter, UsesWritten

# An unpublished file need not survive a crash: a build that dies leaves nothing behind.
UNPUBLISHED = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA cache_size = -131072",
    "PRAGMA temp_store = MEMORY",
)
_BATCH_ROWS = 20_000
_DEFINITIONS_AT_ONCE = 1000
_COUNT_CALLERS = "UPDATE definitions SET callers_count = ? WHERE id = ?"
_RAISE_RANK = "UPDATE symbols SET search_rank = search_rank - ? WHERE id = ?"
_VALUES_AT_ONCE = 250
_SAVED = (
    "The file was saved after its definitions had been found in it, so the index does not have its text. "
    "Build the index again; if it is made from records, write these again first."
)
_COUNTED_TYPE = "FUNCTION"  # definitions that can be called or expanded carry this documentation type

# The fields at the beginning of a definition's row, in the order of the columns.
_definition_facts = attrgetter(
    *("id", "symbol", "package", "kind", "operator", "qualifiers", "specializers", "arglist", "ftype"),
    *("documentation", "value", "deprecated", "deprecated_since", "replacement"),
    *("file", "toplevel_form", "form_number", "toplevel_offset"),
    *("line", "column", "offset", "end_offset", "end_line", "defined_by"),
)

_signature_facts = attrgetter("id", "argument_types", "result_types", "least_arguments", "most_arguments")

_NO_TEXTS: Mapping[str, str] = {}


@cache
def _insert_statement(table: Table, rows: int) -> str:
    """The text of an INSERT into all columns of ``table``, for that many ``rows`` at once.

    With plain tuples it is three times as fast as Core's insert with dictionaries; many rows in one
    statement save another third of the time.
    """
    one = str(insert(table).compile(dialect=sqlite.dialect(paramstyle="qmark")))
    head, values = one.split(" VALUES ")
    return f"{head} VALUES {', '.join([values] * rows)}"


@cache
def _numbering_statement(table: Table, rows: int) -> str:
    """Like _insert_statement, but SQLite numbers the rows."""
    names = [column.name for column in table.columns][1:]
    marks = f"({', '.join('?' * len(names))})"
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES {', '.join([marks] * rows)}"


def _no_name(symbol: int) -> str:
    raise LookupError(f"no record gives the name of symbol {symbol}")


@dataclass(frozen=True, slots=True)
class Existing:
    """The rows that a file has before the first record: none in a build, those of the base in a refresh.

    ``symbols``, ``roots`` and ``problems`` are counts. ``ownership`` knows the systems and
    roots, ``package_systems`` the systems of the packages.
    """

    symbols: int = 0
    roots: int = 0
    problems: int = 0
    uses: UsesWritten = field(default_factory=UsesWritten)
    symbol_name: Callable[[int], str] = _no_name
    package_systems: Mapping[int, int | None] = field(default_factory=dict)
    ownership: Ownership = field(default_factory=Ownership)


class RecordWriter:
    """Writes the records of one dump into the tables of an index: a new one, or one with ``existing`` rows.

    A record may only have the number of an existing row if that row is dropped before: a definition's
    before the end record, any other before the record itself.
    """

    def __init__(
        self,
        connection: Connection,
        *,
        store_sources: bool = True,
        existing: Existing | None = None,
        batch_rows: int = _BATCH_ROWS,
        texts: Mapping[str, str] = _NO_TEXTS,
        symbols_last: bool = False,
        with_symbols: Callable[[], None] = lambda: None,
        read: Callable[[str], Source | None] = read_source,
    ) -> None:
        """``texts`` are the paths at which the texts of sources are found, if not at their own.

        ``read`` reads one.
        ``symbols_last`` says that symbols and packages come last in the stream, as they do for a slice.
        ``with_symbols`` is called once when all symbols and definitions are written, without their callers,
        if that is before the end.
        """
        self._with_symbols = with_symbols
        self._connection = connection
        self._store_sources = store_sources
        self._existing = existing = existing or Existing()
        self._batch_rows = batch_rows
        self._texts = texts
        self._read = read
        self._rows: dict[Table, list[Row]] = {}
        self._fold: Callable[[str], str] = str.lower
        self._header: Header | None = None
        self._ownership = existing.ownership
        # Rows held back: presences and definitions decide how symbols rank, and definitions which system a
        # package belongs to. In a whole build, definitions are written as they come, and symbols after them.
        self._systems: list[System] = []
        self._packages: list[Package] = []
        self._symbols = HeldSymbols(existing.symbols)
        self._symbols_left = True
        self._at_once = not existing.symbols and not symbols_last
        self._written = WrittenDefinitions()
        self._documented: set[int] = set()
        self._standard: set[int | None] = set()
        self.outside = Outside([], [])
        self._counted_kinds: set[str | None] = set()
        self._exported: set[int] = set()
        self._definitions: list[Definition] = []
        self._uses = UsesWriter(self._add, self._insert_flat, existing.uses)
        self.counts = {"symbols": 0, "definitions": 0, "references": 0, "problems": 0, "sbcl_problems": 0}
        self._problem_number = existing.problems
        self.not_loaded: list[Problem] = []
        self._ways: dict[type[Record], Callable[[Any], None]] = {
            Header: self._write_header,
            System: self._write_system,
            Components: self._write_components,
            Root: self._ownership.add_root,
            Package: self._write_package,
            Symbols: self._write_symbols,
            Presences: self._write_presences,
            File: self._write_file,
            Definition: self._write_definition,
            Class: self._write_class,
            Specializers: self._write_specializers,
            Documentation: self._write_documentation,
            Expansion: self._write_expansion,
            Callers: self._uses.write_callers,
            Uses: self._uses.write_uses,
            Runs: self._uses.write_runs,
            Counts: self._uses.write_counts,
            Callees: self._uses.write_callees,
            Unread: self._write_unread,
            Problem: self._write_problem,
            Outside: self._write_outside,
            End: self._write_end,
        }

    @property
    def definition_paths(self) -> list[str]:
        """The paths of the files that define the systems."""
        return [system.definition for system in self._systems if system.definition]

    @property
    def header(self) -> Header:
        """The header record; raises ValueError if none has been written yet."""
        if self._header is None:
            raise ValueError("no header record yet")
        return self._header

    @property
    def callers(self) -> Mapping[str | None, Counter[int]]:
        """The number of definitions that use a symbol as a function or macro, by operator."""
        return self._uses.callers

    def write(self, record: Record) -> None:
        """Write one record; rows reach the file in batches, the last ones with the end record."""
        self._ways[type(record)](record)

    def _add(self, table: Table, rows: Iterable[Row]) -> None:
        rest = iter(rows)
        while True:
            held = self._rows.setdefault(table, [])
            room = self._batch_rows - len(held)
            held.extend(islice(rest, room))
            if len(held) < self._batch_rows:
                return
            self._flush(table)

    def flush(self) -> None:
        """Write all rows that wait for more."""
        for table in list(self._rows):
            self._flush(table)

    def _flush(self, table: Table) -> None:
        rows = self._rows.pop(table, [])
        at_once = _VALUES_AT_ONCE // len(table.columns)
        whole = len(rows) - len(rows) % at_once
        self._insert(
            table,
            at_once,
            [tuple(chain.from_iterable(rows[n : n + at_once])) for n in range(0, whole, at_once)],
        )
        self._insert(table, 1, rows[whole:])

    def _insert(self, table: Table, rows: int, values: list[Row]) -> None:
        if values:
            self._connection.exec_driver_sql(_insert_statement(table, rows), values)

    def _insert_flat(self, table: Table, values: list[Any]) -> None:
        """Insert rows: one list of the ``values`` of all columns but the first, which SQLite numbers."""
        columns = len(table.columns) - 1
        at_once = _VALUES_AT_ONCE // columns * columns
        whole = len(values) - len(values) % at_once
        batches = [values[n : n + at_once] for n in range(0, whole, at_once)]
        for batch in (batches, [values[whole:]]):
            if batch and batch[0]:
                statement = _numbering_statement(table, len(batch[0]) // columns)
                self._connection.exec_driver_sql(statement, [tuple(one) for one in batch])

    def _write_header(self, record: Header) -> None:
        self._header = record
        upper, lower = record.case_pairs
        self._fold = CaseFolding(upper, lower).fold
        self._uses.begin(record)
        self._add(schema.relations, enumerate(record.relations, 1))
        self._add(schema.kinds, (tuple(kind) for kind in record.kinds))
        self._counted_kinds = {
            kind for kind, documented_as, _ in record.kinds if documented_as == _COUNTED_TYPE
        }
        self._written.kinds = self._counted_kinds

    def _write_system(self, record: System) -> None:
        self._ownership.add_system(record)
        self._systems.append(record)

    def _write_components(self, record: Components) -> None:
        rows = ((record.system, path, record.state, feature) for path, feature in record.files)
        self._add(system_tables.components, rows)

    def _write_package(self, record: Package) -> None:
        self._packages.append(record)
        if record.name == STANDARD:
            self._standard.add(record.id)
        self._add(schema.package_nicknames, ((nickname, record.id) for nickname in record.nicknames))
        self._add(schema.package_uses, ((record.id, place, used) for place, used in enumerate(record.uses)))
        self._add(
            schema.package_local_nicknames,
            ((record.id, nickname, target) for nickname, target in record.local_nicknames),
        )

    def _write_symbols(self, record: Symbols) -> None:
        self._symbols.add(record)
        self.counts["symbols"] = len(self._symbols)

    def _write_presences(self, record: Presences) -> None:
        package = record.package
        self._exported.update(record.external)
        self._add(schema.presences, ((symbol, package, "external") for symbol in record.external))
        self._add(schema.presences, ((symbol, package, "internal") for symbol in record.internal))
        self._add(schema.package_shadowing, ((package, symbol) for symbol in record.shadowing))

    def _write_file(self, record: File) -> None:
        source = self._read(self._texts.get(record.path, record.path)) if record.path else None
        if source and record.crc32 not in (None, source.crc32):
            source = None
            self._write_problem(Problem("source", record.recorded, "file", OTHER_TEXT, _SAVED))
        place = self._ownership.place_file(record.path)
        facts = (source.sha256, source.size) if source else (None, None)
        row = (record.id, record.recorded, place.path, *facts)
        self._add(schema.source_files, [(*row, place.root, place.relative_path, place.system)])
        if source and self._store_sources:
            lines = ((record.id, number, line) for number, line in enumerate(source.lines(), 1))
            self._add(schema.source_lines, lines)

    def _write_definition(self, record: Definition) -> None:
        self._definitions.append(record)
        if self._at_once and len(self._definitions) == _DEFINITIONS_AT_ONCE:
            self._write_definitions()
        if record.documentation is not None and record.symbol is not None:
            self._documented.add(record.symbol)
        self.counts["definitions"] += 1

    def _write_class(self, record: Class) -> None:
        # All definitions are known now. SBCL takes a while to find the uses: time for what can be done. In a
        # refresh, the rows that these replace are still there.
        if self._symbols_left and self._at_once:
            self._write_held()
            self._with_symbols()
        for table, rows in class_rows(record):
            self._add(table, rows)

    def _write_specializers(self, record: Specializers) -> None:
        self._add(class_tables.method_specializers, specializer_rows(record))

    def _write_documentation(self, record: Documentation) -> None:
        self._add(schema.documentation, [(record.symbol, record.type, record.text)])

    def _write_expansion(self, record: Expansion) -> None:
        self._add(schema.expansions, [(record.id, record.name)])

    def _write_unread(self, record: Unread) -> None:
        self._add(schema.unread_text, map(tuple, record.rows))

    def _write_problem(self, record: Problem) -> None:
        self._problem_number += 1
        if record.stage == "load":
            self.not_loaded.append(record)
        what = (record.stage, record.subject, record.part, record.condition, record.message)
        sbcls = names_sbcl(record.stage, record.path, record.subject, record.message)
        self.counts["sbcl_problems" if sbcls else "problems"] += 1
        self._add(schema.problems, [(self._problem_number, *what, record.path, record.line)])

    def _write_outside(self, record: Outside) -> None:
        self.outside = record
        self._exported.difference_update(record.symbols)

    def outside_packages(self) -> list[str]:
        """The names of the packages that the stream only names."""
        outside = set(self.outside.packages)
        return [package.name for package in self._packages if package.id in outside]

    def _write_end(self, _: End) -> None:
        self.counts["references"] = self._uses.references
        self._add(system_tables.roots, self._ownership.root_rows()[self._existing.roots :])
        for table, rows in system_rows(self._systems):
            self._add(table, rows)
        if self._symbols_left:
            self._write_held()
        self._add(schema.packages, self._package_rows())
        self.flush()
        if self._at_once:
            self._write_counts_of_callers()

    def _write_held(self) -> None:
        """Write the symbols, and the definitions if these are not written yet."""
        self._symbols_left = False
        self._add(schema.symbols, self._symbol_rows())
        self._write_definitions()
        self._symbols.drop_names()
        self.flush()
        if not self._existing.symbols:
            self._connection.exec_driver_sql(RANK_DEFINITIONS)

    def _write_definitions(self) -> None:
        """Write the definitions that are held, and keep only what is counted about them."""
        self._add(schema.definitions, self._definition_rows())
        functions = (record for record in self._definitions if record.least_arguments is not None)
        self._add(signature_tables.signatures, map(_signature_facts, functions))
        for record in self._definitions:
            self._written.add(record)
        self._definitions = []

    def _write_counts_of_callers(self) -> None:
        """Count the callers of definitions that were written before their uses were known."""
        most = array("q", bytes(8 * (len(self._symbols) + 1)))  # by symbol
        counted: list[tuple[int, int]] = []
        for one, symbol, number in self._written.counts(self.callers):
            most[symbol] = max(most[symbol], number)
            counted.append((number, one))
            if len(counted) == self._batch_rows:
                self._update(_COUNT_CALLERS, counted)
                counted = []
        self._update(_COUNT_CALLERS, counted)
        ranks = ((callers_in_rank(number), symbol) for symbol, number in enumerate(most) if number)
        while batch := list(islice(ranks, self._batch_rows)):
            self._update(_RAISE_RANK, batch)

    def _update(self, statement: str, rows: list[tuple[int, int]]) -> None:
        if rows:
            self._connection.exec_driver_sql(statement, rows)

    def _symbol_name(self, symbol: int) -> str:
        if symbol <= self._existing.symbols:
            return self._existing.symbol_name(symbol)
        return self._symbols.name(symbol)

    def _package_rows(self) -> Iterable[Row]:
        known = self._existing.package_systems
        for package in self._packages:
            facts = (package.id, package.name, package.documentation, int(package.locked))
            yield (*facts, known.get(package.id))

    def _symbol_rows(self) -> Iterable[Row]:
        # In a whole build, the callers are not known yet: they are counted at its end.
        callers = _most(
            (one.symbol, self._callers_of(one)) for one in self._definitions if one.symbol is not None
        )
        fold = self._fold
        for number, name, package, kind in self._symbols.rows():
            exported, folded = number in self._exported, fold(name)
            rank = search_rank(
                folded,
                kind,
                exported=exported,
                documented=number in self._documented,
                callers=callers.get(number, 0),
                standard=package in self._standard,
            )
            yield (number, name, package, folded, kind, int(exported), rank)

    def _definition_rows(self) -> Iterable[Row]:
        """The rows of definitions, not ranked yet."""
        for record in self._definitions:
            name = self._symbol_name(record.symbol) if record.symbol is not None else ""
            facts = _definition_facts(record)
            yield (*facts, words(name), self._callers_of(record), search_id(LOWEST_RANK, record.id))

    def _callers_of(self, record: Definition) -> int:
        """The number of definitions that use the function or macro that ``record`` defines, if known."""
        if self._at_once or record.kind not in self._counted_kinds or record.symbol is None:
            return 0
        return self.callers[record.operator][record.symbol]


def _most(counted: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The highest number counted of each symbol."""
    most: dict[int, int] = {}
    for symbol, number in counted:
        if number > most.get(symbol, 0):
            most[symbol] = number
    return most
