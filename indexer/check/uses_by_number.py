"""The uses in two indexes by numbers that both share, which sort far faster than the names they stand for."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from itertools import zip_longest

from .natural_rows import CALLERS, SYMBOLS

_NAMED = {
    "shared_symbol": SYMBOLS,
    "shared_caller": CALLERS,
    "shared_relation": "SELECT id, relation FROM relations",
    "shared_expansion": "SELECT id, name FROM expansions",
}
_USES = """
    SELECT shared_symbol(callee_id), shared_caller(caller_id), shared_relation(relation_id), callee_operator,
           form_number, line, start_column, length, shared_relation(text_relation_id),
           shared_expansion(expansion_id)
    FROM symbol_references ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
"""

Number = Callable[[int | None], int | None]
NameNumbers = dict[tuple[object, ...], int]


def same_uses(connection: sqlite3.Connection, other: sqlite3.Connection) -> bool:
    """Whether two indexes have the same uses, of the same things by the same callers at the same places."""
    names: NameNumbers = {}
    for each in (connection, other):
        for function, statement in _NAMED.items():
            each.create_function(function, 1, _numbers(each, function, statement, names), deterministic=True)
    return all(
        one == another for one, another in zip_longest(connection.execute(_USES), other.execute(_USES))
    )


def _numbers(connection: sqlite3.Connection, what: str, statement: str, names: NameNumbers) -> Number:
    """The function from an index's own numbers to those that all indexes with the same ``names`` share."""
    shared = {
        own: names.setdefault((what, *name), len(names)) for own, *name in connection.execute(statement)
    }
    return shared.get
