"""Every SELECT of definition, named."""

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
