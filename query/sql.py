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

SYSTEMS = "SELECT name, asked FROM systems ORDER BY name"

ROOTS = "SELECT name, path FROM roots"

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
       definitions.start_offset, definitions.end_line, definitions.defined_by,
       roots.name AS root, source_files.relative_path, systems.name AS system
FROM definitions
JOIN kinds ON kinds.kind = definitions.kind
LEFT JOIN source_files ON source_files.id = definitions.file_id
LEFT JOIN roots ON roots.id = source_files.root_id
LEFT JOIN systems ON systems.id = source_files.system_id
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

# definition: the places of all definitions of a symbol, then the lines of each.
DEFINITION_PLACES = """
SELECT definitions.kind, definitions.operator, kinds.documentation_type, definitions.qualifiers,
       definitions.specializers, definitions.arglist, definitions.value, definitions.defined_by,
       definitions.file_id, source_files.recorded, source_files.path,
       definitions.start_line, definitions.start_column, definitions.start_offset,
       definitions.end_offset, definitions.end_line, roots.name AS root, source_files.relative_path,
       systems.name AS system, systems.version
FROM definitions
JOIN kinds ON kinds.kind = definitions.kind
LEFT JOIN source_files ON source_files.id = definitions.file_id
LEFT JOIN roots ON roots.id = source_files.root_id
LEFT JOIN systems ON systems.id = source_files.system_id
WHERE definitions.symbol_id = :symbol
ORDER BY definitions.id
"""

SOURCE_TEXT = """
SELECT text FROM source_lines WHERE file_id = :file AND line BETWEEN :first AND :last ORDER BY line
"""

# Lines that may hold the IN-PACKAGE form that a definition was read after, the nearest first.
IN_PACKAGE_LINES = """
SELECT text FROM source_lines
WHERE file_id = :file AND line <= :line AND text LIKE '%in-package%' ORDER BY line DESC
"""

# xref: the kinds of a symbol's definitions say what can refer to it.
KINDS_OF_SYMBOL = """
SELECT definitions.kind, definitions.operator, kinds.documentation_type
FROM definitions JOIN kinds ON kinds.kind = definitions.kind
WHERE definitions.symbol_id = :symbol ORDER BY definitions.id
"""

RELATIONS = "SELECT id, relation FROM relations"

# The CROSS JOINs keep the order of the tables: from one symbol's few references to their callers.
_CALLERS_FROM = """
FROM symbol_references CROSS JOIN callers ON callers.id = symbol_references.caller_id
LEFT JOIN definitions ON definitions.id = callers.definition_id
LEFT JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN source_files ON source_files.id = callers.file_id
WHERE symbol_references.callee_id = :symbol AND symbol_references.callee_operator IS :operator"""
_CALLEES_FROM = """
FROM definitions CROSS JOIN callers ON callers.definition_id = definitions.id
CROSS JOIN symbol_references ON symbol_references.caller_id = callers.id
CROSS JOIN symbols ON symbols.id = symbol_references.callee_id
LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN source_files ON source_files.id = callers.file_id
WHERE definitions.symbol_id = :symbol AND definitions.operator IS :operator"""
_USE = """
SELECT packages.name, symbols.name, source_files.path, symbol_references.line,
       symbol_references.start_column, symbol_references.relation_id, symbol_references.form_number,
       symbol_references.rowid, symbol_references.callee_id, symbol_references.callee_operator,
       callers.definition_id, callers.name, callers.file_id, symbol_references.expansion_id"""
_USE_ORDER = """
ORDER BY packages.name IS NULL, packages.name, symbols.name, source_files.path, symbol_references.line,
         symbol_references.start_column, symbol_references.relation_id, symbol_references.form_number,
         symbol_references.rowid
LIMIT :most"""
_OF_RELATION = " AND symbol_references.relation_id = :relation"
# Code that belongs to no definition is told apart by its name and file.
_CALLER = (
    "coalesce(callers.definition_id, coalesce(callers.name, '') || ' ' || coalesce(callers.file_id, ''))"
)
_CALLEE = "symbol_references.callee_id, symbol_references.callee_operator"

USES_OF = {
    "callers": _USE + _CALLERS_FROM + _USE_ORDER,
    "callees": _USE + _CALLEES_FROM + _USE_ORDER,
}
USES_OF_RELATION = {
    "callers": _USE + _CALLERS_FROM + _OF_RELATION + _USE_ORDER,
    "callees": _USE + _CALLEES_FROM + _OF_RELATION + _USE_ORDER,
}

# Counted without the joins that only sorting needs.
_COUNTED_CALLERS = f"""
SELECT count(*), count(DISTINCT {_CALLER})
FROM symbol_references CROSS JOIN callers ON callers.id = symbol_references.caller_id
WHERE symbol_references.callee_id = :symbol AND symbol_references.callee_operator IS :operator"""
_COUNTED_CALLEES = """
SELECT count(*),
       count(DISTINCT symbol_references.callee_id || coalesce(symbol_references.callee_operator, ''))
FROM definitions CROSS JOIN callers ON callers.definition_id = definitions.id
CROSS JOIN symbol_references ON symbol_references.caller_id = callers.id
WHERE definitions.symbol_id = :symbol AND definitions.operator IS :operator"""

COUNT_USES = {"callers": _COUNTED_CALLERS, "callees": _COUNTED_CALLEES}
COUNT_USES_OF_RELATION = {way: text + _OF_RELATION for way, text in COUNT_USES.items()}

# A tree: the distinct callers, or callees, of one name, and the first of their uses.
_NEIGHBOUR = """
SELECT packages.name, symbols.name, count(*), source_files.path, min(symbol_references.line),
       callers.definition_id, callers.name, symbol_references.callee_id, symbol_references.callee_operator"""
NEIGHBOURS = {
    "callers": f"{_NEIGHBOUR}{_CALLERS_FROM} GROUP BY {_CALLER}",
    "callees": f"{_NEIGHBOUR}{_CALLEES_FROM} GROUP BY {_CALLEE}",
}
NEIGHBOURS_OF_RELATION = {
    "callers": f"{_NEIGHBOUR}{_CALLERS_FROM}{_OF_RELATION} GROUP BY {_CALLER}",
    "callees": f"{_NEIGHBOUR}{_CALLEES_FROM}{_OF_RELATION} GROUP BY {_CALLEE}",
}

# What a caller is called, by the number of its definition.
CALLER = """
SELECT definitions.kind, definitions.operator, definitions.qualifiers, definitions.specializers,
       kinds.documentation_type, symbols.id, symbols.name, symbols.package_id, presences.status
FROM definitions
JOIN kinds ON kinds.kind = definitions.kind
JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN presences ON presences.symbol_id = symbols.id AND presences.package_id = symbols.package_id
WHERE definitions.id = :definition
"""

CALLEE = """
SELECT symbols.name, symbols.package_id, presences.status FROM symbols
LEFT JOIN presences ON presences.symbol_id = symbols.id AND presences.package_id = symbols.package_id
WHERE symbols.id = :symbol
"""

EXPANSION = "SELECT name FROM expansions WHERE id = :expansion"

LINE = "SELECT text FROM source_lines WHERE file_id = :file AND line = :line"

# Methods by what they specialize on: all of them, read once for each build.
METHOD_SPECIALIZERS = "SELECT id, specializers FROM definitions WHERE kind = 'method'"

# A method that specializes on a class, in the columns of USES_OF.
METHOD_USE = """
SELECT packages.name, symbols.name, source_files.path, definitions.start_line, definitions.start_column,
       NULL, NULL, NULL, :symbol, NULL, definitions.id, NULL, definitions.file_id, NULL
FROM definitions JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN source_files ON source_files.id = definitions.file_id
WHERE definitions.id = :definition
"""

USED_BY_DEFINITION = """
SELECT count(*) FROM callers CROSS JOIN symbol_references ON symbol_references.caller_id = callers.id
WHERE callers.definition_id = :definition AND symbol_references.callee_id = :symbol
"""

# Other classes of the same name: specializers are printed without packages.
CLASSES_NAMED = """
SELECT count(DISTINCT symbols.id) FROM symbols JOIN definitions ON definitions.symbol_id = symbols.id
JOIN kinds ON kinds.kind = definitions.kind
WHERE symbols.name = :name AND kinds.documentation_type = 'TYPE' AND kinds.kind <> 'type'
"""

USED_WITH_OPERATOR = """
SELECT DISTINCT callee_operator FROM symbol_references
WHERE callee_id = :symbol AND callee_operator IS NOT NULL ORDER BY 1
"""

# search: a row for each definition; the best rank of a symbol counts.
_SEARCH_COLUMNS = """
SELECT symbols.id, symbols.name, packages.name, symbols.type, symbols.exported, symbols.folded,
       coalesce((SELECT max(callers_count) FROM definitions WHERE symbol_id = symbols.id), 0),
       EXISTS (SELECT 1 FROM definitions WHERE symbol_id = symbols.id AND documentation IS NOT NULL)
"""
SEARCH_WORDS = f"""{_SEARCH_COLUMNS}
FROM definitions_fts CROSS JOIN definitions CROSS JOIN symbols
LEFT JOIN packages ON packages.id = symbols.package_id
WHERE definitions_fts MATCH :match AND definitions.id = definitions_fts.rowid
  AND symbols.id = definitions.symbol_id AND packages.name IS NOT 'KEYWORD'
ORDER BY definitions_fts.rank LIMIT :limit
"""
SEARCH_INFIX = f"""{_SEARCH_COLUMNS}
FROM symbols_fts CROSS JOIN symbols LEFT JOIN packages ON packages.id = symbols.package_id
WHERE symbols_fts MATCH :phrase AND symbols.id = symbols_fts.rowid
  AND symbols.type <> 'SYMBOL' AND packages.name IS NOT 'KEYWORD'
ORDER BY symbols.exported DESC, length(symbols.name), symbols.name LIMIT :limit
"""

# What a symbol is, in its own words: the documentation of its first documented definition.
SUMMARY = """
SELECT documentation FROM definitions
WHERE symbol_id = :symbol AND documentation IS NOT NULL ORDER BY definitions.id LIMIT 1
"""

PACKAGE = """
SELECT documentation, locked, (SELECT count(*) FROM presences WHERE package_id = packages.id)
FROM packages WHERE id = :package
"""
PACKAGE_NICKNAMES = "SELECT nickname FROM package_nicknames WHERE package_id = :package ORDER BY nickname"
PACKAGE_LOCAL_NICKNAMES = """
SELECT nickname, packages.name FROM package_local_nicknames
JOIN packages ON packages.id = package_local_nicknames.target_id
WHERE package_local_nicknames.package_id = :package ORDER BY nickname
"""
PACKAGE_USES = """
SELECT packages.name FROM package_uses CROSS JOIN packages
WHERE package_uses.package_id = :package AND packages.id = package_uses.used_id ORDER BY position
"""
PACKAGE_USED_BY = """
SELECT packages.name FROM package_uses JOIN packages ON packages.id = package_uses.package_id
WHERE package_uses.used_id = :package ORDER BY packages.name
"""
PACKAGE_EXPORTS = """
SELECT symbols.name, symbols.type, coalesce(homes.name, ''),
       (SELECT documentation FROM definitions
        WHERE symbol_id = symbols.id AND documentation IS NOT NULL ORDER BY definitions.id LIMIT 1)
FROM presences CROSS JOIN symbols LEFT JOIN packages AS homes ON homes.id = symbols.package_id
WHERE presences.package_id = :package AND presences.status = 'external'
  AND symbols.id = presences.symbol_id
ORDER BY symbols.name
"""
