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

STRAY_DOCUMENTATION = "SELECT type, text FROM documentation WHERE symbol_id = :symbol"

# The statements of see_also. Each reads a bounded stretch of an SQL index, and begins with what it takes to
# write a name as one types it: the symbol's number, name, home package and status there. CROSS JOIN keeps
# the order of the tables.

MOST_OF_FORM = 64
MOST_OF_STEM = 24

_SYMBOL = """symbols.id, symbols.name, symbols.package_id,
       (SELECT status FROM presences WHERE presences.symbol_id = symbols.id
                                       AND presences.package_id = symbols.package_id)"""

NAME = f"SELECT {_SYMBOL} FROM symbols WHERE symbols.id = :symbol"

# The classes of the slots that a function reads or writes, then what else reads or writes those.
SLOT_NEIGHBOURS = f"""
WITH mine AS (SELECT class_id, slot FROM slot_accessors WHERE symbol_id = :symbol LIMIT 4)
SELECT {_SYMBOL}, NULL FROM mine
CROSS JOIN definitions ON definitions.id = mine.class_id
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
UNION ALL
SELECT {_SYMBOL}, slot_accessors.operator FROM mine
CROSS JOIN slot_accessors ON slot_accessors.class_id = mine.class_id AND slot_accessors.slot = mine.slot
CROSS JOIN symbols ON symbols.id = slot_accessors.symbol_id
"""

# What one form defines, accessors of slots left out: a structure, its constructors, predicate and
# copier; or all that a defining macro makes.
MADE_BY_FORM = f"""
SELECT {_SYMBOL}, NULL
FROM (SELECT symbol_id, kind FROM definitions
      WHERE file_id = :file AND start_offset = :offset LIMIT {MOST_OF_FORM}) AS form
CROSS JOIN symbols ON symbols.id = form.symbol_id
WHERE symbols.type <> 'SYMBOL'
  AND NOT EXISTS (SELECT 1 FROM slot_accessors WHERE slot_accessors.symbol_id = form.symbol_id)
ORDER BY form.kind NOT IN ('structure', 'class', 'condition'), symbols.name, symbols.id
"""

# Names in one package: some exactly; and those between a stem and what comes next behind its hyphen,
# internal ones too when ``:exported`` is 0.
_NAMED = """
SELECT symbols.id, symbols.name, symbols.package_id,
       CASE WHEN symbols.exported THEN (SELECT status FROM presences WHERE presences.symbol_id = symbols.id
                                        AND presences.package_id = symbols.package_id) END,
       NULL, symbols.type
FROM symbols WHERE symbols.package_id = :package"""
NAMED = f"""{_NAMED} AND symbols.exported IN (0, 1)
AND symbols.name IN (:name_1, :name_2, :name_3)"""
NAMED_WITH_STEM = f"""{_NAMED} AND symbols.exported IN (1, :exported)
AND symbols.name >= :stem AND symbols.name < :behind LIMIT {MOST_OF_STEM}"""

# A few of the callers of a name, and what else of its package those call at least twice.
CALLED_WITH = f"""
SELECT {_SYMBOL}, other.operator, count(*) AS together,
       (SELECT max(callers_count) FROM definitions WHERE symbol_id = symbols.id) AS callers
FROM (SELECT DISTINCT user.caller_id, used.callee_id, used.callee_operator AS operator
      FROM (SELECT DISTINCT caller_id FROM (SELECT caller_id FROM symbol_references
            WHERE callee_id = :symbol AND callee_operator IS :operator LIMIT 16) LIMIT 8) AS user
      CROSS JOIN symbol_references AS used ON used.caller_id = user.caller_id
      LIMIT 160) AS other
CROSS JOIN symbols ON symbols.id = other.callee_id
WHERE symbols.package_id = :package AND symbols.type IN ('FUNCTION', 'GENERIC-FUNCTION', 'MACRO')
GROUP BY other.callee_id, other.operator HAVING count(*) > 1
"""
