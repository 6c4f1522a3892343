"""Every SELECT of describe, named."""

DEFINITIONS = """
SELECT definitions.kind, definitions.operator, definitions.qualifiers, definitions.specializers,
       definitions.arglist, definitions.ftype, definitions.documentation, definitions.value,
       definitions.deprecated, definitions.deprecated_since, definitions.replacement,
       definitions.callers_count AS callers, kinds.documentation_type,
       source_files.recorded, source_files.path, definitions.start_line, definitions.start_column,
       definitions.start_offset, definitions.end_line, definitions.defined_by,
       roots.name AS root, source_files.relative_path, systems.name AS system, definitions.file_id
FROM definitions
JOIN kinds ON kinds.kind = definitions.kind
LEFT JOIN source_files ON source_files.id = definitions.file_id
LEFT JOIN roots ON roots.id = source_files.root_id
LEFT JOIN systems ON systems.id = source_files.system_id
WHERE definitions.symbol_id = :symbol
ORDER BY definitions.id
"""

SOURCE_FILE = "SELECT path, sha256, size FROM source_files WHERE id = :file"

STRAY_DOCUMENTATION = "SELECT type, text FROM documentation WHERE symbol_id = :symbol"
