"""How many exported names contain each pattern of at most two characters, which full text cannot find.

Which names those are is listed where they are few; elsewhere, who reads all names in order soon has a page.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from itertools import pairwise

_MOST = 50  # a pattern that more than this part of all names have is not listed
# As apropos shows them: by name, then home package, or the first in which one without a home is external.
_IN_ORDER = """
SELECT symbols.id, symbols.folded FROM symbols LEFT JOIN packages ON packages.id = symbols.package_id
WHERE symbols.exported
ORDER BY symbols.name,
         coalesce(packages.name,
                  (SELECT packages.name FROM presences JOIN packages ON packages.id = presences.package_id
                   WHERE presences.symbol_id = symbols.id
                   ORDER BY presences.status <> 'external', packages.name LIMIT 1)),
         symbols.type, symbols.id
"""


def short_patterns(folded: str) -> set[str]:
    """The patterns of at most two characters that a folded name contains."""
    return {"", *folded, *map("".join, pairwise(folded))}


def write_short_patterns(connection: sqlite3.Connection) -> None:
    """Count the patterns of all exported names."""
    names = connection.execute(_IN_ORDER).fetchall()
    most = len(names) // _MOST
    totals: dict[str, int] = {}
    listed: dict[str, list[int]] = {}
    for symbol, folded in names:
        for pattern in short_patterns(folded):
            totals[pattern] = total = totals.get(pattern, 0) + 1
            if total <= most:
                listed.setdefault(pattern, []).append(symbol)
    connection.executemany(
        "INSERT INTO short_patterns VALUES (?, ?, ?)",
        (
            (pattern, total, _as_json(listed[pattern]) if total <= most else None)
            for pattern, total in sorted(totals.items())
        ),
    )


def count_again(connection: sqlite3.Connection, gone: Iterable[str], new: Iterable[str]) -> None:
    """Count the patterns of folded names that are not exported now, or are; nothing lists these any more."""
    for number, names in ((-1, gone), (1, new)):
        connection.executemany(
            "INSERT INTO short_patterns VALUES (?, ?, NULL)"
            " ON CONFLICT (pattern) DO UPDATE SET total = total + excluded.total, symbols = NULL",
            [(pattern, number) for name in names for pattern in short_patterns(name)],
        )
    connection.execute("DELETE FROM short_patterns WHERE total = 0")


def wrong_short_patterns(connection: sqlite3.Connection) -> list[str]:
    """The patterns whose counts or lists are wrong."""
    found: dict[str, list[int]] = {}
    for symbol, folded in connection.execute(_IN_ORDER):
        for pattern in short_patterns(folded):
            found.setdefault(pattern, []).append(symbol)
    has = {
        pattern: (total, symbols)
        for pattern, total, symbols in connection.execute("SELECT * FROM short_patterns")
    }
    return [
        pattern
        for pattern in sorted(found.keys() | has.keys())
        if pattern not in has
        or has[pattern][0] != len(found.get(pattern, ()))
        or has[pattern][1] not in (None, _as_json(found[pattern]))
    ]


def _as_json(symbols: list[int]) -> str:
    return json.dumps(symbols, separators=(",", ":"))
