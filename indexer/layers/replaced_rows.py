"""The rows of the base that a refresh replaces, drops or updates."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from operator import attrgetter

from ..records import Definition
from ..schema.fulltext import fulltext_add, fulltext_drop
from ..write.callers import count_callers
from ..write.owners import own_packages
from ..write.ownership import FileOwnership
from ..write.short_patterns import count_again
from .base_numbers import BaseNumbers
from .base_uses import BaseUses
from .ranks import InFullText

_OF_CLASS = (
    *("classes", "class_superclasses", "class_precedence"),
    *("slots", "slot_accessors", "default_initargs", "structure_functions"),
)
_OF_PACKAGES = ("packages", "package_nicknames", "package_uses", "package_local_nicknames")
_FUNCTION_KINDS = "(SELECT kind FROM kinds WHERE documentation_type = 'FUNCTION')"
# The columns and fields of the place that SBCL records, and of the form found there in the text.
_RECORDED_COLUMNS = "file_id, toplevel_form, form_number, toplevel_offset"
_recorded_place = attrgetter("file", "toplevel_form", "form_number", "toplevel_offset")
_FORM_COLUMNS = "start_line, start_column, start_offset, end_offset, end_line, defined_by"
_FORM_FIELDS = ("line", "column", "offset", "end_offset", "end_line", "defined_by")


class RefreshRows:
    """The rows of the base in the copy that a refresh writes to."""

    def __init__(self, connection: sqlite3.Connection, base: BaseNumbers) -> None:
        self._connection = connection
        self._base = base
        self.changed_symbols: set[int] = set()  # symbols whose presences may have changed
        self._ranked: set[int] = set()  # symbols whose search ranks may have changed
        self._uses = BaseUses(connection, base)
        self._lost = self._uses.lost
        self.new_places: set[int] = set()  # definitions of the base that have moved

    # Before the records are written

    def drop_header(self) -> None:
        """Drop what comes again: the rows of the header and of components, the mark of a complete index."""
        self._connection.execute("DELETE FROM meta WHERE name = 'complete'")
        self._connection.execute("DELETE FROM relations")
        self._connection.execute("DELETE FROM kinds")
        self._connection.execute("DELETE FROM components")

    def drop_packages(self) -> None:
        """Drop all packages: the records contain all of them again."""
        for table in _OF_PACKAGES:
            self._connection.execute(f"DELETE FROM {table}")

    def drop_system(self, number: int) -> None:
        """Drop a system: the records contain it again."""
        self._drop("system_dependencies", "system_id", [number])
        self._drop("systems", "id", [number])

    def replace_presences(self, package: int, now: Mapping[int, str]) -> list[int]:
        """Drop the presences of ``package`` that differ from ``now``; returns the symbols to add.

        A package such as KEYWORD has thousands of presences, few of which change.
        """
        rows = self._connection.execute(
            "SELECT symbol_id, status FROM presences WHERE package_id = ?", [package]
        )
        was = dict(rows.fetchall())
        changed = {symbol for symbol, _ in was.items() ^ now.items()}
        self.changed_symbols |= changed
        self._connection.executemany(
            "DELETE FROM presences WHERE package_id = ? AND symbol_id = ?",
            [(package, symbol) for symbol in changed if symbol in was],
        )
        self._connection.execute("DELETE FROM package_shadowing WHERE package_id = ?", [package])
        return sorted(changed & now.keys())

    def retype(self, types: Mapping[int, str]) -> None:
        """Set the contract types of symbols."""
        self._ranked.update(types)
        self._connection.executemany(
            "UPDATE symbols SET type = ? WHERE id = ?", [(kind, symbol) for symbol, kind in types.items()]
        )

    def placed(self, record: Definition) -> Definition:
        """``record``, a definition of the base, with the form stored in the base if its place is the same.

        The base's dump had the compiler's notes about the file; a refresh does not have them.
        """
        (place,) = self._connection.execute(
            f"SELECT {_RECORDED_COLUMNS}, {_FORM_COLUMNS} FROM definitions WHERE id = ?", [record.id]
        )
        recorded, form = place[: -len(_FORM_FIELDS)], place[-len(_FORM_FIELDS) :]
        if tuple(recorded) != _recorded_place(record):
            self.new_places.add(record.id)
            return record
        return replace(record, **dict(zip(_FORM_FIELDS, form, strict=True)))

    def drop_classes(self, definitions: Collection[int]) -> None:
        """Drop the superclasses, slots and other parts of the classes that these definitions define."""
        for table in _OF_CLASS:
            self._drop(table, "class_id", definitions)

    def drop_documentation(self, symbols: Collection[int]) -> None:
        """Drop the stray documentation of these symbols: the records contain it again."""
        self._drop("documentation", "symbol_id", symbols)

    # After the records

    def drop_definitions(self, gone: set[int], replaced: Mapping[int, Definition]) -> None:
        """Drop the definitions that are ``gone``, and those ``replaced``, which are written again.

        The references made by code that is gone or replaced are dropped too; references to it stay.
        """
        fresh = {number for number, record in replaced.items() if record.fresh}
        self._uses.detach(gone | fresh, self.new_places)
        both = gone | set(replaced)
        self._drop("method_specializers", "definition_id", both)
        self._ranked.update(
            symbol
            for (symbol,) in self._base.rows_in("SELECT symbol_id FROM definitions WHERE id IN ({})", both)
            if symbol is not None
        )
        numbers = [(number,) for number in both]
        for source in ("definitions", "signatures"):
            self._connection.executemany(fulltext_drop(source, "id = ?"), numbers)
        self._drop("signatures", "id", both)
        self._drop("definitions", "id", both)

    def finish(
        self,
        gained: Mapping[str | None, Counter[int]],
        definitions: list[Definition],
        replaced: Mapping[int, Definition],
    ) -> None:
        """Update all derived rows: uses, exports, full text, counts of callers, ranks, dependencies."""
        self._uses.join_new()
        newly_exported = self._mark_exported()
        self._count_callers(gained, replaced)
        # What the base called may be defined only now.
        of_base = (one for one in definitions if one.symbol and one.symbol <= self._base.symbols)
        count_callers(self._connection, [one.id for one in of_base])
        self._ranked.update(one.symbol for one in definitions if one.symbol is not None)
        text = InFullText(
            self._connection, self._base.symbols, self._base.definitions, newly_exported, replaced
        )
        text.rank_again(self._ranked | self.changed_symbols)
        self._add_to_fulltext(replaced, newly_exported)
        self._connection.execute(
            "UPDATE system_dependencies SET target_id = (SELECT id FROM systems"
            " WHERE systems.name = system_dependencies.name) WHERE target_id IS NULL"
        )

    def _mark_exported(self) -> set[int]:
        """Set the marks of exported symbols; returns those that are not exported names in full text now."""
        found = self._base.rows_in(
            "SELECT id, folded, exported, id IN (SELECT symbol_id FROM presences WHERE status = 'external'"
            " AND symbol_id = symbols.id) FROM symbols WHERE id IN ({})",
            self.changed_symbols,
        )
        missing = set()
        gone: list[str] = []
        new: list[str] = []
        for number, folded, was, exported in found:
            old = was and number <= self._base.symbols
            if bool(old) != bool(exported):
                (gone if old else new).append(folded)
            if old and not exported:
                self._connection.execute(fulltext_drop("exported_names", "id = ?"), [number])
            if was != exported:
                self._connection.execute("UPDATE symbols SET exported = ? WHERE id = ?", [exported, number])
            if not (exported and old):
                missing.add(number)
        count_again(self._connection, gone, new)
        return missing

    def _add_to_fulltext(self, replaced: Collection[int], newly_exported: Collection[int]) -> None:
        numbers = [(number,) for number in sorted(newly_exported)]
        self._connection.executemany(fulltext_add("exported_names", "id = ?"), numbers)
        self._connection.execute(fulltext_add("symbols", "id > ?"), [self._base.symbols])
        for source in ("definitions", "signatures"):
            self._connection.execute(fulltext_add(source, "id > ?"), [self._base.definitions])
            numbers = [(number,) for number in sorted(replaced)]
            self._connection.executemany(fulltext_add(source, "id = ?"), numbers)

    def _count_callers(self, gained: Mapping[str | None, Counter[int]], replaced: Collection[int]) -> None:
        """Update the caller counts of the base's definitions that are not replaced."""
        changes = []
        for operator in set(gained) | set(self._lost):
            more, less = gained.get(operator, Counter()), self._lost[operator]
            changes += [
                (more[callee] - less[callee], callee, operator)
                for callee in set(more) | set(less)
                if more[callee] != less[callee] and callee <= self._base.symbols
            ]
        self._ranked.update(symbol for _, symbol, _ in changes)
        listed = ", ".join(map(str, sorted(replaced))) or "0"
        self._connection.executemany(
            "UPDATE definitions SET callers_count = callers_count + ? WHERE symbol_id = ? AND operator IS ?"
            f" AND kind IN {_FUNCTION_KINDS} AND id <= {self._base.definitions} AND id NOT IN ({listed})",
            changes,
        )

    def place_files(self, folders: Iterable[str], place: Callable[[str], FileOwnership]) -> set[int]:
        """Assign files of the base below the new roots ``folders`` to their roots and systems again.

        Returns the files that belong elsewhere now, such as system definition files, which the base read too.
        """
        moved = set()
        for folder in folders:
            rows = self._connection.execute(
                "SELECT id, path, root_id, relative_path, system_id FROM source_files"
                " WHERE id <= ? AND substr(path, 1, ?) = ?",
                [len(self._base.files), len(folder), folder],
            ).fetchall()
            for number, path, *was in rows:
                now = place(path)
                if [now.root, now.relative_path, now.system] != was:
                    moved.add(number)
                    self._connection.execute(
                        "UPDATE source_files SET root_id = ?, relative_path = ?, system_id = ? WHERE id = ?",
                        [now.root, now.relative_path, now.system, number],
                    )
        return moved

    def defined_in(self, files: set[int]) -> tuple[set[int], set[int]]:
        """The symbols and packages that have definitions in these files."""
        rows = self._base.rows_in(
            "SELECT symbol_id, package_id FROM definitions WHERE file_id IN ({})", files
        )
        return {symbol for symbol, _ in rows if symbol}, {package for _, package in rows if package}

    def own_packages(self, defined: set[int], packages: set[int]) -> None:
        """Assign these ``packages``, and the packages of symbols ``defined``, to their systems again."""
        homes = self._base.rows_in("SELECT DISTINCT package_id FROM symbols WHERE id IN ({})", defined)
        own_packages(self._connection, packages | {home for (home,) in homes if home is not None})

    def _drop(self, table: str, column: str, values: Collection[int]) -> None:
        self._connection.execute(
            f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))",
            [json.dumps(list(values))],
        )
