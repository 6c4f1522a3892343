"""Translate the records of what is newer than a base for the writer of whole builds, into a copy of it.

Additions get numbers after those of the base. Items of the base that changed keep their numbers, and their
rows are replaced. All other rows stay as they are.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from ..errors import ContradictionError, UnfitLayerError
from ..records import (
    Callers,
    Class,
    Components,
    Deferred,
    Definition,
    End,
    Expansion,
    File,
    Header,
    Kept,
    Loaded,
    Package,
    Presences,
    Problem,
    Record,
    Root,
    Specializers,
    Symbols,
    System,
    Touched,
    Unfit,
    Unread,
    Uses,
)
from ..write.rows import RecordWriter
from ..write.uses import USE_FIELDS
from .base_numbers import BaseNumbers, DefinitionKey, definition_key
from .replaced_rows import RefreshRows

_METHOD = "method"
_EXPANSION = 8  # the field of a use
_ROWS_AT_ONCE = 500  # rows are written while SBCL sends more


@dataclass(frozen=True, slots=True)
class Fixed:
    """What of a base does not change when more is loaded.

    Its text mentions no symbol that is defined only above it, but for those with numbers up to
    ``symbols_below``, which are not the project's, if they are exported; and those ``expected``. The systems
    ``owners``, in whose folders its files are, are loaded now.
    """

    symbols_below: int
    expected: Container[int] = ()
    owners: Collection[str] = ()


class Translator:
    """Passes the records of one stream to a writer, renumbered to fit the base."""

    def __init__(
        self,
        connection: Connection,
        *,
        store_sources: bool = True,
        texts: Mapping[str, str],
        fixed: Fixed | None = None,
    ) -> None:
        """``texts`` are the paths of the texts of sources that are not at their own.

        With ``fixed``, UnfitLayerError is raised if the records change what the base says of itself and do
        not say it again.
        """
        self._fixed = fixed
        self.deferred: Sequence[int] = ()  # symbols, once the records say which
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        self._raw = raw
        self._base = base = BaseNumbers(raw)
        self._stored = RefreshRows(raw, base)
        self._ownership = base.ownership()
        self._roots = base.root_paths()
        self._writer = RecordWriter(
            connection,
            store_sources=store_sources,
            existing=base.existing(self._ownership),
            batch_rows=_ROWS_AT_ONCE,
            texts=texts,
        )
        self._counts_of_image: dict[str, int] = {}  # by table
        self._known_problems = base.known_problems()
        self._file_numbers: dict[int, int] = {}
        self._new_files: set[int] = set()
        self._expansion_numbers: dict[int, int] = {}
        self._definition_numbers: dict[int, int] = {}
        self._definitions: list[Definition] = []
        self._next_definition = base.definitions
        self._packages_dropped = False
        self._loaded: set[str] = set()  # systems
        self._failed: set[str] = set()  # systems
        self._touched: dict[int, str] = {}
        self._kept: list[Kept] = []
        self._base_definitions: dict[DefinitionKey, int] = {}
        self._asked: set[int] = set()  # symbols whose definitions in the base have been looked up
        self._replaced: dict[int, Definition] = {}  # definitions of the base to write again, by number
        self._replaced_classes: set[int] = set()
        # Records of other types need no translation.
        self._ways: dict[type[Record], Callable[[Any], None]] = {
            Header: self._pass_header,
            Root: self._pass_root,
            Loaded: lambda _: None,  # about the loading, not about the index
            Unfit: self._pass_unfit,
            Deferred: self._note_deferred,
            System: self._pass_system,
            Components: self._pass_components,
            Package: self._pass_package,
            Touched: self._note_touched,
            Kept: self._kept.append,
            Symbols: self._pass_symbols,
            Presences: self._pass_presences,
            File: self._pass_file,
            Expansion: self._pass_expansion,
            Problem: self._pass_problem,
            Definition: self._pass_definition,
            Class: self._pass_class,
            Specializers: self._pass_specializers,
            Callers: self._pass_callers,
            Uses: self._pass_uses,
            Unread: self._pass_unread,
            End: self._pass_end,
        }

    @property
    def header(self) -> Header:
        """The header record; raises ValueError before it has been written."""
        return self._writer.header

    @property
    def raw(self) -> sqlite3.Connection:
        """The connection to the file that is written."""
        return self._raw

    @property
    def counts(self) -> Mapping[str, int]:
        """What has been written so far, by what it is."""
        return self._writer.counts

    def flush(self) -> None:
        """Write all rows that wait for more."""
        self._writer.flush()

    def write(self, record: Record) -> None:
        """Translate and write one record, as ``RecordWriter.write`` does."""
        self._ways.get(type(record), self._writer.write)(record)

    # Records of items that the base may already have

    def _pass_header(self, record: Header) -> None:
        self._stored.drop_header()
        self._writer.write(replace(record, case_pairs=self._base.case_pairs()))
        self._writer.flush()

    def _pass_root(self, record: Root) -> None:
        known = self._roots.get(record.name)
        if known is None:
            self._ownership.add_root(record)
        elif os.path.realpath(known) != os.path.realpath(record.path):
            raise UnfitLayerError(f"The root {record.name} is {record.path} here, but {known} in the base.")

    def _pass_unfit(self, record: Unfit) -> None:
        if self._fixed is not None:
            raise UnfitLayerError(record.why)

    def _note_deferred(self, record: Deferred) -> None:
        self.deferred = record.symbols

    def _pass_system(self, record: System) -> None:
        self._loaded.add(record.name)
        known = self._base.systems.get(record.name)
        if known is not None:
            self._stored.drop_system(known)
        number = self._base.systems.setdefault(record.name, len(self._base.systems) + 1)
        self._writer.write(replace(record, id=number))

    def _pass_components(self, record: Components) -> None:
        # What failed before was not tried again in the image that loads the last good state of the rest.
        failed = record.state == "unloaded" and record.system in self._failed
        self._writer.write(replace(record, state="failed") if failed else record)

    def _pass_package(self, record: Package) -> None:
        if not self._packages_dropped:
            self._packages_dropped = True
            self._stored.drop_packages()
        self._writer.write(record)

    def _note_touched(self, record: Touched) -> None:
        self._touched = dict(record.symbols)
        self._know_definitions_of(self._touched)
        self._stored.retype(self._touched)
        self._stored.drop_documentation(self._touched)

    def _refuse_forward(self, symbols: Iterable[int], fixed: Fixed, symbols_below: int) -> None:
        """Raise UnfitLayerError if the base may mention one of ``symbols`` that is defined only now.

        The text of the base is not read again, and shows names that have definitions or are exported. What it
        says of the latter depends on their definitions too; only that they are exported may be said before.
        """
        defined = {key[0] for key in self._base_definitions}
        known = (one for one in symbols if one <= self._base.symbols and one not in fixed.expected)
        news = [one for one in known if one not in defined]
        if mentioned := self._base.mentioned(news, symbols_below):
            raise UnfitLayerError(f"The layer mentions {mentioned[0]}, which only code above it defines.")

    def _know_definitions_of(self, symbols: Iterable[int]) -> None:
        unknown = [symbol for symbol in symbols if symbol not in self._asked]
        self._asked.update(unknown)
        self._base_definitions |= self._base.definitions_of(unknown)

    def _pass_symbols(self, record: Symbols) -> None:
        self._stored.changed_symbols.update(range(record.first, record.first + len(record.rows)))
        self._writer.write(record)

    def _pass_presences(self, record: Presences) -> None:
        now = dict.fromkeys(record.internal, "internal") | dict.fromkeys(record.external, "external")
        added = self._stored.replace_presences(record.package, now)
        if self._fixed is not None:
            self._know_definitions_of(added)
            # If it was exported from another package, the text shows it already.
            exported = [one for one in added if now[one] == "external"]
            self._refuse_forward(exported, self._fixed, sys.maxsize)
        internal = [symbol for symbol in added if now[symbol] == "internal"]
        external = [symbol for symbol in added if now[symbol] == "external"]
        self._writer.write(replace(record, internal=internal, external=external))

    def _pass_file(self, record: File) -> None:
        known = self._base.files.get(record.recorded)
        if known is None:
            known = len(self._base.files) + len(self._new_files) + 1
            self._new_files.add(known)
            self._writer.write(replace(record, id=known))
        self._file_numbers[record.id] = known

    def _pass_expansion(self, record: Expansion) -> None:
        known = self._base.expansions.get(record.name)
        if known is None:
            known = self._base.expansions[record.name] = len(self._base.expansions) + 1
            self._writer.write(replace(record, id=known))
        self._expansion_numbers[record.id] = known

    def is_new(self, record: Problem) -> bool:
        """Whether the base does not have the problem."""
        what = (record.stage, record.subject, record.part, record.condition, record.message)
        return (*what, record.path, record.line) not in self._known_problems

    def _pass_problem(self, record: Problem) -> None:
        if record.stage == "load" and record.part == "system":
            self._failed.add(record.subject)
        if self.is_new(record):
            self._writer.write(record)

    # Definitions: a definition of the base keeps its number, whatever has changed about it

    def _pass_definition(self, record: Definition) -> None:
        number = self._number_in_base(record)
        if number is None:
            self._next_definition += 1
            number = self._next_definition
        self._definition_numbers[record.id] = number
        file = None if record.file is None else self._file_numbers[record.file]
        definition = replace(record, id=number, file=file)
        if number <= self._base.definitions:
            definition = self._replaced[number] = self._stored.placed(definition)
        self._definitions.append(definition)
        self._writer.write(definition)

    def _number_in_base(self, record: Definition) -> int | None:
        if record.symbol is None:
            return None if record.package is None else self._base.package_definition(record.package)
        # A method in the stream is new, whatever the base has for these specializers.
        if record.symbol > self._base.symbols or record.kind == _METHOD:
            return None
        self._know_definitions_of([record.symbol])
        return self._base_definitions.get(definition_key(record))

    def _pass_class(self, record: Class) -> None:
        number = self._definition_numbers[record.definition]
        if number in self._replaced:
            self._replaced_classes.add(number)
            self._stored.drop_classes([number])
        self._writer.write(replace(record, definition=number))

    def _pass_specializers(self, record: Specializers) -> None:
        self._writer.write(replace(record, definition=self._definition_numbers[record.definition]))

    def _pass_callers(self, record: Callers) -> None:
        rows = [
            [
                None if definition is None else self._definition_numbers[definition],
                name,
                None if file is None else self._file_numbers[file],
                toplevel_form,
            ]
            for definition, name, file, toplevel_form in record.rows
        ]
        self._writer.write(Callers(rows))

    def _pass_unread(self, record: Unread) -> None:
        self._writer.write(Unread([[self._file_numbers[file], *lines] for file, *lines in record.rows]))

    def _pass_uses(self, record: Uses) -> None:
        numbers = self._expansion_numbers
        expansions = record.rows[_EXPANSION::USE_FIELDS]
        record.rows[_EXPANSION::USE_FIELDS] = [None if one is None else numbers[one] for one in expansions]
        self._writer.write(record)

    # The end: replaced rows are dropped, new rows written, derived rows updated

    def _pass_end(self, record: End) -> None:
        self._counts_of_image = {"packages": record.packages, "symbols": record.symbols}
        if self._fixed is not None:
            if absent := sorted(set(self._fixed.owners) - self._loaded):
                raise UnfitLayerError(
                    f"The layer contains files of {absent[0]}, which is not loaded above it."
                )
            self._refuse_forward(self._defined_symbols(), self._fixed, self._fixed.symbols_below)
        stored = self._stored
        gone = self._gone_definitions()
        stored.drop_classes(gone | self._replaced.keys() - self._replaced_classes)
        self._writer.flush()  # what is written in place of dropped uses gets the numbers after all these
        stored.drop_definitions(gone, self._replaced)
        self._writer.write(record)
        stored.finish(self._writer.callers, self._definitions, self._replaced)
        folders = [str(path) for _, _, path, _ in self._ownership.root_rows()[self._base.roots :]]
        symbols, packages = stored.defined_in(stored.place_files(folders, self._ownership.place_file))
        packages |= {definition.package for definition in self._definitions if definition.package}
        stored.own_packages(symbols | self._moved_symbols(gone), packages)

    def _defined_symbols(self) -> set[int]:
        """The symbols of which there are records of definitions; methods do not count."""
        return {one.symbol for one in self._definitions if one.symbol and one.kind != _METHOD}

    def _gone_definitions(self) -> set[int]:
        """The definitions of the base that no longer exist."""
        gone = {
            number
            for key, number in self._base_definitions.items()
            if key[0] in self._touched and key[1] != _METHOD and number not in self._replaced
        }
        for kept in self._kept:
            left = {(qualifiers, tuple(map(tuple, rows))) for qualifiers, rows in kept.methods}
            gone.update(
                number
                for number, what in self._base.methods_of(kept.symbol, kept.operator)
                if what not in left
            )
        return gone

    def _moved_symbols(self, gone: set[int]) -> set[int]:
        """The symbols with definitions that were added, removed or moved; methods do not count."""
        stay = set(self._replaced) - self._stored.new_places
        came = {
            one.symbol
            for one in self._definitions
            if one.symbol and one.kind != _METHOD and one.id not in stay
        }
        return came | {key[0] for key, number in self._base_definitions.items() if number in gone}

    def conclude(self, facts: Mapping[str, str]) -> None:
        """Write the facts about the index, after comparing its counts with those of the image.

        A whole check would take longer than the refresh. Raises ContradictionError.
        """
        wrong = []
        for table, number in self._counts_of_image.items():
            ((rows,),) = self._raw.execute(f"SELECT count(*) FROM {table}")
            if rows != number:
                wrong.append(f"{table}: {rows} rows, but the image has {number}")
        if wrong:
            raise ContradictionError(wrong)
        self._raw.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", facts.items())
        self._raw.commit()
