"""What all modules that find broken lines need."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from ..diff.changes.packages import counterpart
from ..index.reading import Reading
from ..index.written import written
from . import sql
from .changed import LibraryChanges, NameChange
from .library import ForecastLibrary
from .own import OwnCode
from .sql import DefinedNameRow, UsedNameRow

_ONLY_TEXT = frozenset(("documentation", "slot-documentation"))
Definitions = dict[int, list[DefinedNameRow]]


@dataclass(frozen=True)
class ForecastContext:
    """The code, the changes of the library, and the index with the new version in it, as ``new``."""

    own: OwnCode
    changes: LibraryChanges
    library: ForecastLibrary
    old: Reading
    new: Reading

    @cached_property
    def by_symbol(self) -> dict[int, list[NameChange]]:
        """The changes of names, by the numbers that their symbols have in the old index."""
        found: dict[int, list[NameChange]] = {}
        for one in self.changes.of_names():
            found.setdefault(one.symbol, []).append(one)
        return found

    @cached_property
    def homes(self) -> dict[int, UsedNameRow]:
        """The names of the symbols of the library that the code uses, and their home packages."""
        rows = self.old.rows(sql.HOMES, symbols=json.dumps([*self.own.used]))
        return {row.symbol: row for row in map(UsedNameRow._make, rows)}

    @cached_property
    def successors(self) -> dict[int, int | None]:
        """The new numbers of the symbols that the code uses; None for symbols that are gone.

        A symbol with another home package that is still present in its old home is the same for its users.
        """
        found: dict[int, int | None] = {}
        for symbol, row in self.homes.items():
            package = self.changes.old.packages.get(row.home)
            now = counterpart(package, self.changes.new) if package is not None else None
            name = now.name if now is not None else row.home
            there = self.new.rows(sql.PRESENT_THERE, package=name, name=row.name)
            is_left = bool(there) or bool(self.new.rows(sql.STATUSES, symbol=symbol))
            found[symbol] = there[0][0] if there else symbol if is_left else None
        return found

    @cached_property
    def before(self) -> Definitions:
        """The present definitions of the symbols that the code uses."""
        return _definitions(self.old, [*self.own.used])

    @cached_property
    def after(self) -> Definitions:
        """The definitions of these symbols in the new version."""
        successors = {new: old for old, new in self.successors.items() if new is not None}
        found = _definitions(self.new, [*successors])
        return {successors[symbol]: rows for symbol, rows in found.items()}

    @property
    def is_changed_all_over(self) -> bool:
        """Whether a change may concern code that does not name what changed.

        Code may name a package without any of its symbols, and a subclass takes the initargs of a class.
        """
        package = {one.finding.change for one in self.changes.all if one.name is None} - {"documentation"}
        return bool(package - {"package-added", "nickname-added"}) or any(
            one.finding.change == "initarg-removed" for one in self.changes.all
        )

    @cached_property
    def touched(self) -> set[int]:
        """The symbols that the code uses and that have changed in any way."""
        return {
            symbol
            for symbol in self.own.used
            if self.successors.get(symbol) != symbol
            or any(one.sort not in _ONLY_TEXT for one in self.by_symbol.get(symbol, ()))
            or _shapes(self.before, symbol) != _shapes(self.after, symbol)
        }

    def written(self, symbol: int) -> str:
        """The name of a symbol that the code uses, as one types it."""
        changes = self.by_symbol.get(symbol)
        if changes:
            return changes[0].written
        row = self.homes[symbol]
        return written(self.old, row.name, row.home, row.status)


def _shapes(definitions: Definitions, symbol: int) -> Counter[tuple[str | None, ...]]:
    """What calls of a symbol's definitions depend on."""
    return Counter((row.kind, row.operator, row.arglist) for row in definitions.get(symbol, ()))


def _definitions(index: Reading, symbols: list[int]) -> Definitions:
    found: Definitions = {}
    for row in map(DefinedNameRow._make, index.rows(sql.DEFINED, symbols=json.dumps(symbols))):
        found.setdefault(row.symbol, []).append(row)
    return found
