"""Every SELECT of search, each with the row that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from oblist.indexer.search_rank import NUMBER, RANK_BITS

MATCH_COLUMNS = """symbols.id, symbols.name, packages.name, symbols.type, symbols.exported, symbols.folded,
       symbols.search_rank"""


class SearchRow(NamedTuple):
    """One row of SEARCH_SYMBOLS or SEARCH_CALLED; ``rank`` is as indexer/search_rank.py makes it."""

    symbol: int
    name: str
    package: str | None
    type: str
    exported: int
    folded: str
    rank: int


_NO_KEYWORD = "symbols.package_id IS NOT (SELECT id FROM packages WHERE name = 'KEYWORD')"


def search_words(match: str, limit: str) -> str:
    """Select the symbols of definitions whose words match, best first; the arguments are SQL expressions."""
    return f"""SELECT symbols.id, symbols.name, packages.name, symbols.type, symbols.exported, symbols.folded,
       (SELECT max(callers_count) FROM definitions WHERE symbol_id = symbols.id) AS callers
FROM (SELECT definitions.symbol_id AS id, definitions_fts.rank AS place
      FROM definitions_fts CROSS JOIN definitions CROSS JOIN symbols
      WHERE definitions_fts MATCH {match} AND definitions.search_id = definitions_fts.rowid
        AND symbols.id = definitions.symbol_id AND {_NO_KEYWORD}
      ORDER BY definitions_fts.rank LIMIT {limit}) AS found
CROSS JOIN symbols ON symbols.id = found.id
LEFT JOIN packages ON packages.id = symbols.package_id
ORDER BY found.place
"""


FOREIGN_RANK = 1 << RANK_BITS
"""The bit above a rank that says that the symbol is in none of the packages ``:own``, a JSON array."""
_RANK = f"""symbols.search_rank
       | ((coalesce(symbols.package_id, 0) NOT IN (SELECT value FROM json_each(:own))) << {RANK_BITS})"""

# Whether a name, as typed or without its * and +, is or begins with what is asked; what it lacks.
_FIT = """CASE WHEN symbols.folded = :typed THEN 0 WHEN trim(symbols.folded, '*+') = :name THEN 1
     WHEN substr(trim(symbols.folded, '*+'), 1, length(:name)) = :name
       OR substr(symbols.folded, 1, length(:typed)) = :typed THEN 2 ELSE 3 END,
     instr(symbols.folded, :typed) = 0, symbols.type = 'SYMBOL'"""


class HitRow(NamedTuple):
    """One row of SEARCH_FITTING_WORDS, SEARCH_INFIX, SEARCH_INTERNAL_INFIX, SEARCH_NAMED or SEARCH_RESOLVED.

    A symbol, its rank with FOREIGN_RANK, and how its name fits; SEARCH_WORDS has only symbols and such ranks.
    ``other`` is 1 for those of contract type SYMBOL, which may have other definitions, such as a setf
    expander.
    """

    symbol: int
    rank: int
    fit: int
    lacks_typed: int
    other: int


IS_TYPED, IS_NAME, BEGINS, OTHER = range(4)
"""The values of HitRow.fit."""

# The symbols that are found, the best first; of one with several definitions there may be several rows.
SEARCH_WORDS = f"""SELECT symbols.id, {_RANK}
FROM definitions_fts CROSS JOIN definitions ON definitions.search_id = definitions_fts.rowid
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
WHERE definitions_fts MATCH :match AND {_NO_KEYWORD} ORDER BY definitions_fts.rowid LIMIT :limit
"""
SEARCH_FITTING_WORDS = f"""SELECT symbols.id, {_RANK}, {_FIT}
FROM definitions_fts CROSS JOIN definitions ON definitions.search_id = definitions_fts.rowid
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
WHERE definitions_fts MATCH :match AND {_NO_KEYWORD} ORDER BY definitions_fts.rowid LIMIT :limit
"""
_DEFINED = """(symbols.type <> 'SYMBOL' OR EXISTS (SELECT 1 FROM definitions WHERE symbol_id = symbols.id))"""
SEARCH_INFIX = f"""SELECT symbols.id, {_RANK}, {_FIT} FROM exported_names_fts CROSS JOIN symbols
WHERE exported_names_fts MATCH :phrase AND symbols.id = exported_names_fts.rowid {NUMBER}
  AND {_DEFINED} AND {_NO_KEYWORD} ORDER BY exported_names_fts.rowid LIMIT :limit
"""
SEARCH_INTERNAL_INFIX = f"""SELECT symbols.id, {_RANK}, {_FIT} FROM symbols_fts CROSS JOIN symbols
WHERE symbols_fts MATCH :phrase AND symbols.id = symbols_fts.rowid AND NOT symbols.exported
  AND {_DEFINED} AND {_NO_KEYWORD} LIMIT :limit
"""
# The name as typed. An internal symbol without a definition is only the name of a local variable.
SEARCH_NAMED = f"""SELECT symbols.id, {_RANK}, {_FIT} FROM symbols_fts CROSS JOIN symbols
WHERE symbols_fts MATCH :phrase AND symbols.id = symbols_fts.rowid AND symbols.folded = :typed
  AND (symbols.exported OR symbols.type <> 'SYMBOL') AND {_NO_KEYWORD}
"""
SEARCH_RESOLVED = f"SELECT symbols.id, {_RANK}, {_FIT} FROM symbols WHERE symbols.id = :symbol"
SEARCH_SYMBOLS = f"""SELECT {MATCH_COLUMNS}
FROM json_each(:symbols) AS listed CROSS JOIN symbols ON symbols.id = listed.value
LEFT JOIN packages ON packages.id = symbols.package_id
"""
# The same by an index of names, for a catalog.
SEARCH_CALLED = f"""SELECT {MATCH_COLUMNS}
FROM symbols CROSS JOIN packages ON packages.id = symbols.package_id WHERE symbols.name = :name
"""

# What is shown of a symbol: its callers, and the documentation of its first documented definition.
SUMMARY = """
SELECT coalesce((SELECT max(callers_count) FROM definitions WHERE symbol_id = :symbol), 0),
       (SELECT documentation FROM definitions
        WHERE symbol_id = :symbol AND documentation IS NOT NULL ORDER BY definitions.id LIMIT 1)
"""

# About as many as there are definitions.
LAST_DEFINITION = "SELECT coalesce(max(id), 1) FROM definitions"
MATCHING = f"SELECT rowid {NUMBER} FROM definitions_fts WHERE definitions_fts MATCH :match LIMIT :limit"
# The packages that belong to systems, with the names of these.
PACKAGES_OF_SYSTEMS = """
SELECT packages.id, packages.name || ' ' || systems.name
FROM packages CROSS JOIN systems ON systems.id = packages.system_id
"""
# The packages of a system that is in the index; None if it has none.
PACKAGES_OF_SYSTEM = """
SELECT packages.name FROM systems LEFT JOIN packages ON packages.system_id = systems.id
WHERE systems.name = :system
"""
SYSTEMS_ASKED = "SELECT name FROM systems WHERE asked = 1 ORDER BY name"
DEFINITIONS_IN = """
SELECT definitions.id FROM json_each(:packages) AS listed
CROSS JOIN symbols ON symbols.package_id = listed.value
CROSS JOIN definitions ON definitions.symbol_id = symbols.id LIMIT :limit
"""
# The functions and macros of the standard with some names.
STANDARD_NAMED = """
SELECT symbols.name, definitions.id FROM json_each(:names) AS listed
CROSS JOIN symbols ON symbols.name = listed.value CROSS JOIN packages ON packages.id = symbols.package_id
CROSS JOIN definitions ON definitions.symbol_id = symbols.id
JOIN kinds ON kinds.kind = definitions.kind AND kinds.documentation_type = 'FUNCTION'
WHERE packages.name = 'COMMON-LISP' AND definitions.operator IS NULL
"""
# A definition and what makes it useful (usefulness.py): the system it is from, and how many depend on that.
USEFUL_COLUMNS = f"""{MATCH_COLUMNS}, systems.asked,
       (SELECT count(*) FROM system_dependencies WHERE target_id = systems.id), definitions.id"""
USEFUL_TABLES = """
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN systems ON systems.id = packages.system_id
"""


class UsefulRow(NamedTuple):
    """The columns USEFUL_COLUMNS of one row.

    ``asked`` is 1 for the project's own, 0 for what it depends on, None for SBCL's; ``dependents`` counts the
    systems that depend on its system.
    """

    symbol: int
    name: str
    package: str | None
    type: str
    exported: int
    folded: str
    rank: int
    asked: int | None
    dependents: int
    definition: int


# Definitions that may be meant, with what ranks them.
MEANT = f"""
SELECT {USEFUL_COLUMNS}, length(definitions.documentation), substr(definitions.documentation, 1, 400)
FROM json_each(:definitions) AS listed
CROSS JOIN definitions ON definitions.id = listed.value
{USEFUL_TABLES}
WHERE packages.name IS NOT 'KEYWORD'
"""


class MeantRow(NamedTuple):
    """One row of MEANT."""

    match: UsefulRow
    documentation_length: int | None
    documentation: str | None
    """How it begins."""

    @classmethod
    def of(cls, row: Sequence[Any]) -> MeantRow:
        """Make the row, with the match as one value."""
        return cls(UsefulRow._make(row[:-2]), *row[-2:])
