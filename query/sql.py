"""Every SELECT of the query layer, named. The mirror of indexer/write.py.

Reading is plain SQL on purpose: it is what makes a cold lookup take tens of milliseconds.
"""

META = "SELECT name, value FROM meta"

COUNTS = """
SELECT (SELECT count(*) FROM packages) AS packages, (SELECT count(*) FROM symbols) AS symbols,
       (SELECT count(*) FROM definitions) AS definitions,
       (SELECT count(*) FROM symbol_references) AS symbol_references,
       (SELECT count(*) FROM problems) AS problems
"""

# Few and asked for in every question: read once for each build. Names win over nicknames.
PACKAGE_NUMBERS = """
SELECT nickname, package_id FROM package_nicknames UNION ALL SELECT name, id FROM packages
"""

PACKAGE_BY_LOCAL_NICKNAME = """
SELECT packages.id, packages.name FROM package_local_nicknames
JOIN packages ON packages.id = package_local_nicknames.target_id
WHERE package_local_nicknames.package_id = :package AND nickname = :name
"""

# find-symbol (CLHS 11.1.1.2): present first, then external in a used package. CROSS JOIN keeps
# the order of the tables: by the name, which few symbols share, then by where they are present.
FIND_SYMBOL = """
SELECT symbols.id, symbols.name, symbols.package_id, symbols.type, presences.status
FROM symbols CROSS JOIN presences
WHERE symbols.name = :name
  AND presences.symbol_id = symbols.id AND presences.package_id = :package
UNION ALL
SELECT symbols.id, symbols.name, symbols.package_id, symbols.type, 'inherited'
FROM symbols CROSS JOIN presences CROSS JOIN package_uses
WHERE symbols.name = :name
  AND presences.symbol_id = symbols.id AND presences.status = 'external'
  AND package_uses.package_id = :package AND package_uses.used_id = presences.package_id
LIMIT 1
"""

SYMBOLS_NAMED = """
SELECT symbols.name, packages.name AS package, presences.status
FROM symbols
JOIN presences ON presences.symbol_id = symbols.id
JOIN packages ON packages.id = presences.package_id
WHERE symbols.name = :name AND (symbols.package_id = presences.package_id OR symbols.package_id IS NULL)
ORDER BY presences.status, packages.name
LIMIT :limit
"""

EXPORTED_FROM = """
SELECT packages.name FROM presences JOIN packages ON packages.id = presences.package_id
WHERE presences.symbol_id = :symbol AND presences.status = 'external' ORDER BY packages.name
"""

DEFINITIONS = """
SELECT definitions.kind, definitions.operator, definitions.qualifiers, definitions.specializers,
       definitions.arglist, definitions.ftype, definitions.documentation, definitions.value,
       definitions.deprecated, definitions.deprecated_since, definitions.replacement,
       definitions.callers_count AS callers, kinds.documentation_type,
       source_files.recorded, source_files.path, definitions.start_line, definitions.start_column,
       definitions.start_offset, definitions.end_line, definitions.defined_by
FROM definitions
JOIN kinds ON kinds.kind = definitions.kind
LEFT JOIN source_files ON source_files.id = definitions.file_id
WHERE definitions.symbol_id = :symbol
ORDER BY definitions.id
"""

STRAY_DOCUMENTATION = "SELECT type, text FROM documentation WHERE symbol_id = :symbol"

# Candidates for apropos: one statement for each length of pattern. The trigram index knows patterns
# of three characters and more; instr compares exactly and knows no wildcards.
_APROPOS_COLUMNS = "symbols.name, symbols.package_id, symbols.type, symbols.id"
_BY_TRIGRAM = f"""
SELECT {_APROPOS_COLUMNS} FROM symbols_fts CROSS JOIN symbols
WHERE symbols_fts MATCH :phrase AND symbols.id = symbols_fts.rowid"""
_BY_SCAN = f"""
SELECT {_APROPOS_COLUMNS} FROM symbols WHERE instr(symbols.folded, :folded) > 0"""
_EVERYTHING = f"""
SELECT {_APROPOS_COLUMNS} FROM symbols WHERE 1"""

APROPOS_CANDIDATES = {"trigram": _BY_TRIGRAM, "scan": _BY_SCAN, "all": _EVERYTHING}

APROPOS_EXPORTED = " AND symbols.exported"
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

STATUS = "SELECT status FROM presences WHERE symbol_id = :symbol AND package_id = :package"

ALL_PACKAGES = "SELECT id, name FROM packages"

FOUND_IN = """
SELECT packages.name FROM presences JOIN packages ON packages.id = presences.package_id
WHERE presences.symbol_id = :symbol ORDER BY presences.status <> 'external', packages.name LIMIT 1
"""

# Names that share trigrams with a mistyped one, the most of them first.
NAMES_LIKE = """
SELECT symbols.name, packages.name AS package, presences.status FROM symbols_fts
JOIN symbols ON symbols.id = symbols_fts.rowid
JOIN presences ON presences.symbol_id = symbols.id AND presences.package_id = coalesce(
    symbols.package_id, (SELECT min(package_id) FROM presences WHERE symbol_id = symbols.id))
JOIN packages ON packages.id = presences.package_id
WHERE symbols_fts MATCH :phrase ORDER BY symbols_fts.rank, symbols.exported DESC, symbols.name LIMIT :limit
"""
