"""The search ranks of the symbols that a refresh has changed, in full text too, which follows them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection
from dataclasses import dataclass

from ..schema.fulltext import fulltext_add, fulltext_drop
from ..search_rank import is_same_id
from ..write.ranks import RANK_DEFINITIONS, ranks


@dataclass(frozen=True, slots=True)
class InFullText:
    """What full text has of symbols and definitions: the base's rows up to these numbers, without some."""

    connection: sqlite3.Connection
    symbols: int
    definitions: int
    without_names: Collection[int]
    without_definitions: Collection[int]

    def rank_again(self, symbols: Collection[int]) -> None:
        """Set the ranks of ``symbols`` by what the index says of them now."""
        found = ranks(self.connection, symbols)
        moved = [symbol for rank, symbol, was in found if not is_same_id(rank, was)]
        changed = [(rank, symbol) for rank, symbol, was in found if rank != was]
        self._for_each(fulltext_drop, moved)
        self.connection.executemany("UPDATE symbols SET search_rank = ? WHERE id = ?", changed)
        self.connection.execute(
            f"{RANK_DEFINITIONS} AND symbol_id IN (SELECT value FROM json_each(?))",
            [json.dumps(list(symbols))],
        )
        self._for_each(fulltext_add, moved)

    def _for_each(self, statement: Callable[[str, str], str], symbols: Collection[int]) -> None:
        """Drop or add what full text has of these symbols."""
        without = ", ".join(map(str, self.without_definitions)) or "0"
        definitions = f"symbol_id = ? AND id <= {self.definitions} AND id NOT IN ({without})"
        self.connection.executemany(statement("definitions", definitions), [(one,) for one in symbols])
        names = [(one,) for one in symbols if one <= self.symbols and one not in self.without_names]
        self.connection.executemany(statement("exported_names", "id = ?"), names)
