"""Every SELECT of apropos, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

from oblist.indexer.search_rank import NUMBER

# The trigram index takes patterns of three or more characters; instr compares exactly and has no wildcards.
_COLUMNS = "symbols.name, symbols.package_id, symbols.type, symbols.id"
_CONDITIONS = {"scan": " AND instr(symbols.folded, :folded) > 0", "all": ""}
_BY_TRIGRAM = """FROM symbols_fts CROSS JOIN symbols
WHERE symbols_fts MATCH :phrase AND symbols.id = symbols_fts.rowid"""
_EXPORTED_BY_TRIGRAM = f"""FROM exported_names_fts CROSS JOIN symbols
WHERE exported_names_fts MATCH :phrase AND symbols.id = exported_names_fts.rowid {NUMBER}"""


class NameCandidateRow(NamedTuple):
    """One row of APROPOS_EXPORTED_CANDIDATES, SHORT_PATTERN_PAGE, PAGE_OF_LISTED or of in_package."""

    name: str
    package: int | None
    type: str
    symbol: int


APROPOS_TYPE = " AND symbols.type = :type"
# Without a package, only exported symbols count; they have a smaller index.
APROPOS_EXPORTED_CANDIDATES = {
    "trigram": f"SELECT {_COLUMNS} {_EXPORTED_BY_TRIGRAM}",
    **{
        way: f"SELECT {_COLUMNS} FROM symbols WHERE symbols.exported{condition}"
        for way, condition in _CONDITIONS.items()
    },
}

# In a package: few names have three characters in a row, so these are looked for first; otherwise the package
# is read. What it inherits is external in a package that it uses, and not present; if another symbol of that
# name is present, this is on the list of shadowing symbols (CLHS 11.1.1.2.5).
_PRESENT = "EXISTS (SELECT 1 FROM presences WHERE symbol_id = symbols.id AND package_id = :package)"
_EXTERNAL = f"{_PRESENT[:-1]} AND status = 'external')"
_USED = "(SELECT used_id FROM package_uses WHERE package_uses.package_id = :package)"
_NOT_PRESENT = f"""NOT {_PRESENT}
  AND symbols.name NOT IN (SELECT other.name FROM package_shadowing CROSS JOIN symbols AS other
                           WHERE package_shadowing.package_id = :package
                             AND other.id = package_shadowing.symbol_id)"""
# The signs + have the few packages of a symbol looked at, not all symbols of the packages used.
_INHERITED = f"""EXISTS (SELECT 1 FROM presences
          WHERE symbol_id = symbols.id AND +package_id IN {_USED} AND +status = 'external')
  AND {_NOT_PRESENT}"""
_READ = """FROM presences CROSS JOIN symbols ON symbols.id = presences.symbol_id
WHERE presences.package_id = :package"""
_READ_INHERITED = f"""FROM package_uses
CROSS JOIN presences ON presences.package_id = package_uses.used_id AND presences.status = 'external'
CROSS JOIN symbols ON symbols.id = presences.symbol_id
WHERE package_uses.package_id = :package {{condition}} AND {_NOT_PRESENT}"""


def in_package(way: str, scope: str, kind: str) -> str:
    """Select the candidates in a package; ``kind`` is APROPOS_TYPE or empty."""
    if way == "trigram":
        condition = _EXTERNAL if scope == "external" else _PRESENT
        present = f"{_BY_TRIGRAM} AND {condition}{kind}"
        inherited = f"{_EXPORTED_BY_TRIGRAM} AND {_INHERITED}{kind}"
    else:
        condition = _CONDITIONS[way] + kind
        present = _READ + condition
        if scope == "external":
            present += " AND presences.status = 'external'"
        inherited = _READ_INHERITED.format(condition=condition)
    if scope != "accessible":
        return f"SELECT {_COLUMNS} {present}"
    # Several of the packages used may export a symbol.
    once = "DISTINCT " if way != "trigram" else ""
    return f"SELECT {_COLUMNS} {present} UNION ALL SELECT {once}{_COLUMNS} {inherited}"


def found_in(symbol: str) -> str:
    """Select the package to show for a symbol without a home; ``symbol`` is an SQL expression."""
    return f"""
SELECT packages.name FROM presences JOIN packages ON packages.id = presences.package_id
WHERE presences.symbol_id = {symbol} ORDER BY presences.status <> 'external', packages.name LIMIT 1
"""


FOUND_IN = found_in(":symbol")

# How many symbols are present in a package and external in those that it uses.
ACCESSIBLE = """
SELECT (SELECT count(*) FROM presences WHERE package_id = :package)
     + (SELECT count(*) FROM package_uses
        CROSS JOIN presences ON presences.package_id = used_id AND presences.status = 'external'
        WHERE package_uses.package_id = :package)
"""
CONTAINING = "SELECT rowid FROM symbols_fts WHERE symbols_fts MATCH :phrase LIMIT :limit"

# The status in a package of those that are present there; the others are inherited.
STATUSES = """
SELECT presences.symbol_id, presences.status FROM json_each(:symbols) AS listed
CROSS JOIN presences ON presences.symbol_id = listed.value AND presences.package_id = :package
"""

SHORT_PATTERN = "SELECT total, symbols IS NOT NULL FROM short_patterns WHERE pattern = :folded"
SHORT_PATTERN_PAGE = f"""
SELECT {_COLUMNS} FROM short_patterns CROSS JOIN json_each(short_patterns.symbols) AS listed
CROSS JOIN symbols ON symbols.id = listed.value
WHERE pattern = :folded ORDER BY listed.key LIMIT :limit OFFSET :offset
"""

EXPORTED_WITH = f"""
SELECT rowid {NUMBER} FROM exported_names_fts WHERE exported_names_fts MATCH :phrase LIMIT :limit
"""
# Internal symbols that are more than names of local variables.
INTERNAL_WITH = f"""
SELECT symbols.name, symbols.package_id {_BY_TRIGRAM}
  AND NOT symbols.exported AND symbols.type <> 'SYMBOL' AND symbols.package_id IS NOT NULL
"""
COUNT_EXPORTED = "SELECT count(*) FROM exported_names_fts WHERE exported_names_fts MATCH :phrase"


def counted(statement: str) -> str:
    """Count the candidates that a statement selects."""
    return f"SELECT count(*) FROM ({statement})"


def paged(statement: str, *, counting: bool) -> str:
    """Select a page of the candidates, in order; ``:where`` is the name of the package searched, if any.

    The name comes first, as in the index of exported symbols, so that reading may stop with the page, unless
    all are counted on the way: then their number is a further column.
    """
    return f"""SELECT {_COLUMNS}{", count(*) OVER ()" if counting else ""} FROM ({statement}) AS symbols
ORDER BY symbols.name,
         coalesce((SELECT packages.name FROM packages WHERE packages.id = symbols.package_id),
                  :where, ({found_in("symbols.id")})),
         symbols.type, symbols.id
LIMIT :limit OFFSET :offset"""


PAGE_OF_LISTED = paged(
    f"SELECT {_COLUMNS} FROM json_each(:symbols) AS listed CROSS JOIN symbols ON symbols.id = listed.value",
    counting=False,
)

# A catalog has a package of one name for each version of its release.
PACKAGES_CALLED = """
SELECT id, name FROM packages WHERE name = :name UNION
SELECT packages.id, packages.name FROM package_nicknames
JOIN packages ON packages.id = package_nicknames.package_id WHERE nickname = :name
"""


class PackageCalledRow(NamedTuple):
    """One row of PACKAGES_CALLED."""

    number: int
    name: str


# A clause for a statement of APROPOS_EXPORTED_CANDIDATES.
EXPORTED_FROM = """
 AND symbols.id IN (SELECT symbol_id FROM presences WHERE status = 'external'
                    AND package_id IN (SELECT value FROM json_each(:packages)))"""
