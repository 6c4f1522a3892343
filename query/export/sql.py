"""Every SELECT of export, named. All read whole tables, for an export is of everything."""

SYSTEMS = "SELECT name, asked, version FROM systems"

PACKAGES = """
SELECT packages.id, packages.name, packages.documentation, systems.name FROM packages
LEFT JOIN systems ON systems.id = packages.system_id ORDER BY packages.name
"""

FILES = """
SELECT source_files.id, source_files.path, source_files.size, systems.name
FROM source_files LEFT JOIN systems ON systems.id = source_files.system_id
WHERE source_files.path IS NOT NULL ORDER BY source_files.path, source_files.id
"""

LINES = "SELECT text FROM source_lines WHERE file_id = :file ORDER BY line"

PLACED = """
SELECT definitions.id, definitions.file_id, definitions.symbol_id, coalesce(symbols.name, defined.name),
       coalesce(symbols.package_id, definitions.package_id), coalesce(symbols.exported, 1),
       definitions.kind, kinds.documentation_type, definitions.operator, definitions.qualifiers,
       definitions.specializers, definitions.arglist, definitions.documentation, definitions.start_line,
       definitions.start_column, definitions.end_line, definitions.start_offset, definitions.end_offset
FROM definitions JOIN kinds ON kinds.kind = definitions.kind
LEFT JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages AS defined ON defined.id = definitions.package_id
WHERE definitions.file_id IS NOT NULL AND definitions.start_line IS NOT NULL
ORDER BY definitions.file_id, definitions.start_line, definitions.start_column, definitions.id
"""

# Uses that the text names, with the file they are in.
USES = """
SELECT callers.file_id, symbol_references.line, symbol_references.start_column,
       symbol_references.callee_id, symbol_references.callee_operator, relations.relation
FROM symbol_references
JOIN callers ON callers.id = symbol_references.caller_id
JOIN relations ON relations.id = symbol_references.relation_id
WHERE symbol_references.start_column IS NOT NULL AND callers.file_id IS NOT NULL
ORDER BY callers.file_id, symbol_references.line, symbol_references.start_column
"""

# What every symbol is: enough to name it where somebody uses it.
MEANINGS = """
SELECT definitions.symbol_id, symbols.name, symbols.package_id, definitions.kind,
       kinds.documentation_type, definitions.operator, systems.name
FROM definitions JOIN kinds ON kinds.kind = definitions.kind
JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN source_files ON source_files.id = definitions.file_id
LEFT JOIN systems ON systems.id = source_files.system_id
WHERE kinds.documentation_type IN ('FUNCTION', 'VARIABLE', 'TYPE') ORDER BY definitions.id
"""

EXPORTS = """
SELECT symbols.id, symbols.name FROM presences JOIN symbols ON symbols.id = presences.symbol_id
WHERE presences.package_id = :package AND presences.status = 'external' ORDER BY symbols.name
"""
