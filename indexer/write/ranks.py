"""The search ranks that symbols should have by the other rows of an index."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection

from ..search_rank import OF_RANK, STANDARD, search_rank

_RANKED = """
SELECT symbols.search_rank, symbols.id, symbols.folded, symbols.type, symbols.exported, packages.name,
       coalesce((SELECT max(callers_count) FROM definitions WHERE symbol_id = symbols.id), 0),
       EXISTS (SELECT 1 FROM definitions WHERE symbol_id = symbols.id AND documentation IS NOT NULL)
FROM json_each(:symbols) AS listed CROSS JOIN symbols ON symbols.id = listed.value
LEFT JOIN packages ON packages.id = symbols.package_id
"""


_OF_SYMBOL = OF_RANK.format(rank="(SELECT search_rank FROM symbols WHERE symbols.id = symbol_id)")
RANK_DEFINITIONS = f"UPDATE definitions SET search_id = {_OF_SYMBOL} WHERE symbol_id IS NOT NULL"
"""SQL that sets the row numbers of definitions for full-text search; conditions may be appended."""
WRONG_DEFINITIONS = f"SELECT id FROM definitions WHERE symbol_id IS NOT NULL AND search_id <> {_OF_SYMBOL}"
"""SQL for the definitions with another number."""


def ranks(connection: sqlite3.Connection, symbols: Collection[int]) -> list[tuple[int, int, int]]:
    """For each of these symbols, the rank that it should have, its number, and the rank that it has."""
    found = connection.execute(_RANKED, {"symbols": json.dumps(list(symbols))})
    return [
        (
            search_rank(
                folded,
                kind,
                exported=bool(exported),
                documented=bool(documented),
                callers=callers,
                standard=package == STANDARD,
            ),
            symbol,
            was,
        )
        for was, symbol, folded, kind, exported, package, callers, documented in found
    ]
