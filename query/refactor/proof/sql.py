"""The SELECTs whose rows a proof compares."""

from __future__ import annotations

# What a rename leaves as it is, but for the names: nothing here has a place.
_BELOW = "substr(source_files.path, 1, length(:below)) = :below"

FACTS = {
    "definition": f"""
SELECT packages.name, symbols.name, definitions.kind, definitions.operator, definitions.qualifiers,
       definitions.specializers, definitions.arglist
FROM definitions CROSS JOIN source_files ON source_files.id = definitions.file_id
LEFT JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = coalesce(symbols.package_id, definitions.package_id)
WHERE {_BELOW}
""",
    "use": f"""
SELECT caller_symbols.name, definitions.kind, relations.relation, packages.name, symbols.name,
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
SELECT packages.name, symbols.name FROM presences
CROSS JOIN packages ON packages.id = presences.package_id
CROSS JOIN symbols ON symbols.id = presences.symbol_id
WHERE presences.status = 'external' AND presences.package_id IN
  (SELECT package_id FROM definitions CROSS JOIN source_files ON source_files.id = definitions.file_id
   WHERE definitions.kind = 'package' AND {_BELOW})
""",
    "slot": f"""
SELECT symbols.name, slots.name, slots.type, slots.initform, slots.initargs FROM slots
CROSS JOIN definitions ON definitions.id = slots.class_id
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE {_BELOW}
""",
    "problem": "SELECT part, condition, count(*) FROM problems WHERE :below IS NOT NULL GROUP BY 1, 2",
}
"""What a proof compares, each with the SELECT of its rows for the files below a folder."""
# The systems that are defined below a folder, but for those in others' files.
SYSTEMS = """
SELECT name FROM systems
WHERE asked AND instr(name, '/') = 0 AND substr(definition_path, 1, length(:below)) = :below ORDER BY name
"""
