"""What a writer holds of symbols and definitions until their last facts come, in columns."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping

from ..records import Definition, Symbols


class HeldSymbols:
    """The symbols of the records so far; their numbers follow those that a file has ``before``."""

    def __init__(self, before: int) -> None:
        self._before = before
        self._names: list[str] = []
        self._homes = array("q")  # 0 is for none
        self._types: list[str] = []
        self._known_types: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._homes)

    def add(self, record: Symbols) -> None:
        """Add symbols; the types, a few words, are held once."""
        known = self._known_types
        for name, home, kind in record.rows:
            self._names.append(name)
            self._homes.append(home or 0)
            self._types.append(known.setdefault(kind, kind))

    def name(self, symbol: int) -> str:
        """The name of a symbol."""
        return self._names[symbol - self._before - 1]

    def rows(self) -> Iterator[tuple[int, str, int | None, str]]:
        """Number, name, home package and contract type of each symbol."""
        facts = zip(self._names, self._homes, self._types, strict=True)
        for number, (name, home, kind) in enumerate(facts, self._before + 1):
            yield number, name, home or None, kind

    def drop_names(self) -> None:
        """Hold no longer what is only needed to write symbols and definitions."""
        self._names, self._types = [], []


class WrittenDefinitions:
    """The definitions, among those written already, whose callers are still to be counted."""

    def __init__(self) -> None:
        self.kinds: set[str | None] = set()
        self._ids = array("q")
        self._symbols = array("q")
        self._operators: list[str | None] = []
        self._known: dict[str | None, str | None] = {}

    def add(self, record: Definition) -> None:
        """Add a definition if it is of the ``kinds`` that are counted."""
        if record.kind in self.kinds and record.symbol is not None:
            self._ids.append(record.id)
            self._symbols.append(record.symbol)
            self._operators.append(self._known.setdefault(record.operator, record.operator))

    def counts(self, callers: Mapping[str | None, Counter[int]]) -> Iterator[tuple[int, int, int]]:
        """Definition, symbol and number of those that have ``callers``."""
        for one, symbol, operator in zip(self._ids, self._symbols, self._operators, strict=True):
            if number := callers[operator][symbol]:
                yield one, symbol, number
