"""The numbers of the rows in the base index, and the next free ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from ..records import Definition, System
from ..write.ownership import Ownership
from ..write.rows import Existing
from ..write.uses import UsesWritten

# The most values in one statement.
_CHUNK = 500

DefinitionKey = tuple[int, str, str | None, str | None, str | None]
MethodKey = tuple[str | None, tuple[tuple[int | None, str | None], ...]]


class BaseNumbers:
    """The numbers of the base, looked up in the copy that is written to."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.symbols = self._most("symbols")
        self.packages = self._most("packages")
        self.definitions = self._most("definitions")
        self.uses = UsesWritten(self._most("callers"), self._most("symbol_references"))
        ((self.using_rows,),) = connection.execute("SELECT coalesce(max(rowid), 0) FROM using_symbols")
        self.roots = self._most("roots")
        self.problems = self._most("problems")
        self.files: dict[str, int] = self._names("SELECT recorded, id FROM source_files")
        self.expansions: dict[str, int] = self._names("SELECT name, id FROM expansions")
        self.systems: dict[str, int] = self._names("SELECT name, id FROM systems")

    def _most(self, table: str) -> int:
        ((number,),) = self.connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}")
        return int(number)

    def _names(self, statement: str) -> dict[str, Any]:
        return dict(self.connection.execute(statement).fetchall())

    def case_pairs(self) -> list[str]:
        """The characters with case, as in a header: all of them in upper case, then all in lower case."""
        facts = self._names("SELECT name, value FROM meta WHERE name IN ('case_upper', 'case_lower')")
        return [facts["case_upper"], facts["case_lower"]]

    def ownership(self) -> Ownership:
        """The ownership of files as the base knows it; more systems and files may be added."""
        rows = self.connection.execute(
            "SELECT roots.name, path, system_id, systems.name FROM roots"
            " LEFT JOIN systems ON systems.id = system_id ORDER BY roots.id"
        ).fetchall()
        ownership = Ownership([(name, path, system) for name, path, system, _ in rows])
        for _, path, system, system_name in rows:
            if system is not None:
                ownership.add_system(System(system, system_name, False, [], [], folder=path))
        return ownership

    def root_paths(self) -> dict[str, str]:
        """The paths of the roots that belong to no system, by name."""
        return self._names("SELECT name, path FROM roots WHERE system_id IS NULL")

    def existing(self, ownership: Ownership) -> Existing:
        """The rows of the base, described for a writer."""
        return Existing(
            symbols=self.symbols,
            roots=self.roots,
            uses=self.uses,
            problems=self.problems,
            symbol_name=self.symbol_name,
            package_systems=dict(self.connection.execute("SELECT id, system_id FROM packages").fetchall()),
            ownership=ownership,
        )

    def symbol_name(self, symbol: int) -> str:
        """The name of a symbol of the base."""
        ((name,),) = self.connection.execute("SELECT name FROM symbols WHERE id = ?", [symbol])
        return str(name)

    def known_problems(self) -> set[tuple[Any, ...]]:
        """The problems of the base: stage, subject, part, condition, message, path and line."""
        return set(
            self.connection.execute(
                "SELECT stage, subject, part, condition, message, path, line FROM problems"
            )
        )

    def definitions_of(self, symbols: Iterable[int]) -> dict[DefinitionKey, int]:
        """The definitions of these symbols, by key."""
        found: dict[DefinitionKey, int] = {}
        statement = (
            "SELECT symbol_id, kind, operator, qualifiers, specializers, id FROM definitions"
            " WHERE symbol_id IN ({})"
        )
        for row in self.rows_in(statement, symbols):
            found.setdefault((row[0], row[1], row[2], row[3], row[4]), row[5])
        return found

    def package_definition(self, package: int) -> int | None:
        """The definition of a package, if the base has it."""
        found = self.connection.execute(
            "SELECT id FROM definitions WHERE symbol_id IS NULL AND package_id = ? AND id <= ?",
            [package, self.definitions],
        ).fetchone()
        return found and int(found[0])

    def methods_of(self, symbol: int, operator: str | None) -> list[tuple[int, MethodKey]]:
        """The methods of a generic function of the base: their numbers and keys.

        The specializers' texts do not identify a method, because they lack packages.
        """
        methods = self.connection.execute(
            "SELECT id, qualifiers FROM definitions WHERE symbol_id = ? AND kind = 'method' AND operator IS ?"
            " AND id <= ?",
            [symbol, operator, self.definitions],
        ).fetchall()
        specializers: dict[int, list[tuple[int | None, str | None]]] = {number: [] for number, _ in methods}
        for number, *what in self.rows_in(
            "SELECT definition_id, symbol_id, eql FROM method_specializers WHERE definition_id IN ({})"
            " ORDER BY definition_id, position",
            specializers,
        ):
            specializers[number].append((what[0], what[1]))
        return [(number, (qualifiers, tuple(specializers[number]))) for number, qualifiers in methods]

    def mentioned(self, symbols: Iterable[int], after: int) -> list[str]:
        """The names of those of ``symbols`` that sources may mention, other than to export them.

        Exported ones count only with numbers ``after`` this.
        """
        statement = f"""SELECT name FROM symbols WHERE id IN ({{}}) AND (
                          NOT exported OR id > {after} AND EXISTS (
                            SELECT 1 FROM used_symbols JOIN relations ON relations.id = relation_id
                            WHERE symbol_id = symbols.id AND relation <> 'exports'))"""
        return [name for (name,) in self.rows_in(statement, symbols)]

    def rows_in(self, statement: str, values: Iterable[Any]) -> list[tuple[Any, ...]]:
        """The rows of ``statement``, in which ``{}`` is replaced with a list of values."""
        left, rows = list(values), []
        while left:
            chunk, left = left[:_CHUNK], left[_CHUNK:]
            marks = ", ".join("?" * len(chunk))
            rows += self.connection.execute(statement.format(marks), chunk).fetchall()
        return rows


def definition_key(record: Definition) -> DefinitionKey:
    """The key that distinguishes a symbol's definition from its other definitions."""
    assert record.symbol is not None
    return (record.symbol, record.kind, record.operator, record.qualifiers, record.specializers)
