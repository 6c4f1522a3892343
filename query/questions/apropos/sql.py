"""Every SELECT of apropos, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

# Candidates for apropos, one statement per length of pattern. The trigram index takes patterns of
# three or more characters; instr compares exactly and has no wildcards.
_APROPOS_COLUMNS = "symbols.name, symbols.package_id, symbols.type, symbols.id"
_BY_TRIGRAM = f"""
SELECT {_APROPOS_COLUMNS} FROM symbols_fts CROSS JOIN symbols
WHERE symbols_fts MATCH :phrase AND symbols.id = symbols_fts.rowid"""
# Without a package, only exported symbols count; they have a smaller index.
_BY_TRIGRAM_EXPORTED = f"""
SELECT {_APROPOS_COLUMNS} FROM exported_names_fts CROSS JOIN symbols
WHERE exported_names_fts MATCH :phrase AND symbols.id = exported_names_fts.rowid"""
_BY_SCAN = f"""
SELECT {_APROPOS_COLUMNS} FROM symbols WHERE instr(symbols.folded, :folded) > 0"""
_EVERYTHING = f"""
SELECT {_APROPOS_COLUMNS} FROM symbols WHERE 1"""


class CandidateRow(NamedTuple):
    """One row of APROPOS_CANDIDATES or APROPOS_EXPORTED_CANDIDATES."""

    name: str
    package: int | None
    type: str
    symbol: int


APROPOS_EXPORTED = " AND symbols.exported"
APROPOS_CANDIDATES = {"trigram": _BY_TRIGRAM, "scan": _BY_SCAN, "all": _EVERYTHING}
APROPOS_EXPORTED_CANDIDATES = {
    "trigram": _BY_TRIGRAM_EXPORTED,
    "scan": _BY_SCAN + APROPOS_EXPORTED,
    "all": _EVERYTHING + APROPOS_EXPORTED,
}
APROPOS_TYPE = " AND symbols.type = :type"
APROPOS_PRESENT = """
 AND symbols.id IN (SELECT symbol_id FROM presences WHERE package_id = :package)"""
APROPOS_EXTERNAL = """
 AND symbols.id IN (SELECT symbol_id FROM presences WHERE package_id = :package AND status = 'external')"""
APROPOS_ACCESSIBLE = """
 AND (symbols.id IN (SELECT symbol_id FROM presences WHERE package_id = :package)
   OR symbols.id IN (SELECT symbol_id FROM presences
                     JOIN package_uses ON package_uses.used_id = presences.package_id
                     WHERE package_uses.package_id = :package AND presences.status = 'external')
      AND NOT EXISTS (SELECT 1 FROM symbols AS other
                      JOIN presences ON presences.symbol_id = other.id
                      WHERE other.name = symbols.name AND presences.package_id = :package))"""

FOUND_IN = """
SELECT packages.name FROM presences JOIN packages ON packages.id = presences.package_id
WHERE presences.symbol_id = :symbol ORDER BY presences.status <> 'external', packages.name LIMIT 1
"""
