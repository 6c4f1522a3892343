"""The oracle of slices: the index of a whole image with the release loaded.

What a slice says of its own packages, symbols and files must be what that index says of them.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from oblist.indexer.check.natural_rows import NATURAL_ROWS
from oblist.indexer.check.unordered_types import in_any_order

Row = tuple[Any, ...]
# Where the natural rows of a table have the name of a package, a symbol as PACKAGE::NAME, or a file.
_PACKAGE = {
    **{"packages": 0, "package_nicknames": 1, "package_local_nicknames": 0, "package_uses": 0},
    **{"package_shadowing": 0, "presences": 0},
}
_SYMBOL = {
    **{"definitions": 0, "signatures": 0, "classes": 0, "class_superclasses": 0, "class_precedence": 0},
    **{"slots": 0, "slot_accessors": 0, "default_initargs": 0, "method_specializers": 0, "documentation": 0},
    "structure_functions": 0,
}
# In a folder that releases share, the root and system of a file, and with it the system of a package that the
# file of a definition makes, depend on which of them are there.
_FACTS = {"source_files": 4, "packages": 3}
_FILE = {"definitions": 13, "source_files": 0, "source_lines": 0, "unread_text": 0, "symbol_references": 5}


class Own:
    """What a slice brings: its packages, and its files as SBCL records their names."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        ((fact,),) = connection.execute("SELECT value FROM meta WHERE name = 'slice'")
        outside = set(json.loads(fact)["outside"])
        self.packages = {name for (name,) in connection.execute("SELECT name FROM packages")} - outside
        # Inlined code may be from a file of another release.
        files = connection.execute("SELECT recorded FROM source_files WHERE system_id IS NOT NULL")
        self.files = {name for (name,) in files}

    def has(self, table: str, row: Row) -> bool:
        """Whether a natural row of ``table`` is about what the slice brings."""
        if table == "symbols":
            return row[1] in self.packages
        if table in _PACKAGE and row[_PACKAGE[table]] in self.packages:
            return True
        symbol = row[_SYMBOL[table]] if table in _SYMBOL else None
        if symbol is not None and str(symbol).partition("::")[0] in self.packages:
            return True
        return table in _FILE and row[_FILE[table]] in self.files


def slice_differences(slice_: Path, whole: Path) -> tuple[list[str], int]:
    """The rows about what the slice brings that only one of the two has; and how many were compared."""
    found: list[str] = []
    compared = 0
    with closing(_opened(slice_)) as ours, closing(_opened(whole)) as theirs:
        own = Own(ours)
        for table in (*_PACKAGE, *_SYMBOL, *_FILE, "symbols"):
            left, right = (Counter(_rows(one, table, own)) for one in (ours, theirs))
            compared += left.total()
            found += [f"{table}: only in the slice: {row}" for row in left - right]
            found += [f"{table}: only in the whole index: {row}" for row in right - left]
    return found, compared


def _rows(connection: sqlite3.Connection, table: str, own: Own) -> Iterator[Row]:
    for row in connection.execute(NATURAL_ROWS[table]):
        if own.has(table, row):
            yield tuple(map(in_any_order, row[: _FACTS.get(table)]))


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)
