"""The SELECTs whose rows a proof compares."""

from __future__ import annotations

# What a rename leaves as it is, but for the names. The first three columns are the place: it is not compared.
_BELOW = "substr(source_files.path, 1, length(:below)) = :below"

FACTS = {
    "definition": f"""
SELECT source_files.path, definitions.start_line, definitions.start_column,
       packages.name, symbols.name, definitions.kind, definitions.operator, definitions.qualifiers,
       definitions.specializers, definitions.arglist
FROM definitions CROSS JOIN source_files ON source_files.id = definitions.file_id
LEFT JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = coalesce(symbols.package_id, definitions.package_id)
WHERE {_BELOW}
""",
    "use": f"""
SELECT source_files.path, coalesce(used.line, definitions.start_line),
       iif(used.line IS NULL, definitions.start_column, used.start_column),
       caller_symbols.name, definitions.kind, relations.relation, packages.name, symbols.name,
       used.callee_operator, upper(expansions.name)
FROM source_files CROSS JOIN callers ON callers.file_id = source_files.id
CROSS JOIN symbol_references AS used ON used.caller_id = callers.id
CROSS JOIN relations ON relations.id = used.relation_id
CROSS JOIN symbols ON symbols.id = used.callee_id
LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN definitions ON definitions.id = callers.definition_id
LEFT JOIN symbols AS caller_symbols ON caller_symbols.id = definitions.symbol_id
LEFT JOIN expansions ON expansions.id = used.expansion_id
WHERE {_BELOW} AND NOT (relations.relation = 'mentions' AND packages.name IS 'KEYWORD')
""",
    "export": f"""
SELECT NULL, NULL, NULL, packages.name, symbols.name FROM presences
CROSS JOIN packages ON packages.id = presences.package_id
CROSS JOIN symbols ON symbols.id = presences.symbol_id
WHERE presences.status = 'external' AND presences.package_id IN
  (SELECT package_id FROM definitions CROSS JOIN source_files ON source_files.id = definitions.file_id
   WHERE definitions.kind = 'package' AND {_BELOW})
""",
    "slot": f"""
SELECT source_files.path, definitions.start_line, definitions.start_column,
       symbols.name, slots.name, slots.type, slots.initform, slots.initargs FROM slots
CROSS JOIN definitions ON definitions.id = slots.class_id
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE {_BELOW}
""",
    "problem": "SELECT NULL, NULL, NULL, part, condition FROM problems WHERE :below IS NOT NULL",
}
"""What a proof compares, each with the SELECT of its rows for the files below a folder."""

PLACE = 3
"""The number of leading columns that are not compared: path, line and column, where known."""
# The systems that are defined below a folder, except those in others' files.
SYSTEMS = """
SELECT name FROM systems
WHERE asked AND instr(name, '/') = 0 AND substr(definition_path, 1, length(:below)) = :below ORDER BY name
"""
