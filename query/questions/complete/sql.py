"""The SELECTs of complete, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

_IS_CALL = (
    "used_symbols.relation_id IN (SELECT id FROM relations WHERE relation IN ('calls', 'macroexpands'))"
)


def _uses(which: str) -> str:
    return f"""(SELECT coalesce(sum(used_symbols.total), 0) FROM used_symbols
        WHERE used_symbols.symbol_id = symbols.id AND {which})"""


_COLUMNS = f"""symbols.id, symbols.name, homes.name, symbols.type,
       {_uses(_IS_CALL)}, {_uses(f"NOT {_IS_CALL}")}"""
_HOME = "LEFT JOIN packages AS homes ON homes.id = symbols.package_id"

# What a package exports, and unless :external, all else there that has a meaning.
PRESENT_NAMES = f"""
SELECT {_COLUMNS} FROM presences CROSS JOIN symbols ON symbols.id = presences.symbol_id {_HOME}
WHERE presences.package_id = :package
  AND (presences.status = 'external' OR (NOT :external AND symbols.type <> 'SYMBOL'))
"""
# What it inherits.
INHERITED_NAMES = f"""
SELECT {_COLUMNS} FROM package_uses
CROSS JOIN presences ON presences.package_id = package_uses.used_id AND presences.status = 'external'
CROSS JOIN symbols ON symbols.id = presences.symbol_id {_HOME}
WHERE package_uses.package_id = :package
"""
# What any package exports of its own, between two names.
NAMES_BETWEEN = f"""
SELECT {_COLUMNS} FROM symbols CROSS JOIN packages AS homes ON homes.id = symbols.package_id
WHERE symbols.exported AND symbols.name >= :first AND symbols.name < :last AND symbols.type <> 'SYMBOL'
  AND EXISTS (SELECT 1 FROM presences WHERE presences.symbol_id = symbols.id
              AND presences.package_id = symbols.package_id AND presences.status = 'external')
LIMIT :limit
"""
# The keywords between two names.
KEYWORDS_BETWEEN = f"""
SELECT {_COLUMNS} FROM packages AS homes
CROSS JOIN symbols ON symbols.package_id = homes.id AND symbols.name >= :first AND symbols.name < :last
WHERE homes.name = 'KEYWORD'
"""


class NameRow(NamedTuple):
    """One row of PRESENT_NAMES, INHERITED_NAMES, NAMES_BETWEEN or KEYWORDS_BETWEEN."""

    symbol: int
    name: str
    home: str | None
    type: str
    calls: int
    others: int


ARGLIST = """
SELECT arglist FROM definitions
WHERE symbol_id = :symbol AND operator IS NULL AND arglist IS NOT NULL AND kind <> 'method' LIMIT 1
"""

# The symbols that have definitions of some kinds.
DEFINED_AS = """
SELECT DISTINCT symbol_id FROM definitions INDEXED BY definitions_but_methods
WHERE kind <> 'method' AND symbol_id IS NOT NULL AND kind IN (SELECT value FROM json_each(:kinds))
"""
