"""Every SELECT about classes, named. The mirror of indexer/write/classes.py."""

# Name, home package and status there: what it takes to write a symbol as one types it.
_SYMBOL = """symbols.name, symbols.package_id,
       (SELECT status FROM presences WHERE presences.symbol_id = symbols.id
                                       AND presences.package_id = symbols.package_id)"""
_PLACE = """source_files.path, roots.name AS root, source_files.relative_path,
       definitions.start_line, definitions.start_column"""
_WITH_PLACE = """LEFT JOIN source_files ON source_files.id = definitions.file_id
LEFT JOIN roots ON roots.id = source_files.root_id"""

CLASS = f"""
SELECT definitions.id, definitions.kind, definitions.documentation, classes.finalized,
       classes.representation, classes.accessor_prefix, classes.metaclass_id, systems.name, {_PLACE}
FROM definitions JOIN classes ON classes.class_id = definitions.id
{_WITH_PLACE}
LEFT JOIN systems ON systems.id = source_files.system_id
WHERE definitions.symbol_id = :symbol
"""

CLASS_SYMBOL = f"SELECT {_SYMBOL} FROM symbols WHERE symbols.id = :symbol"

SUPERCLASSES = f"""
SELECT class_superclasses.symbol_id, {_SYMBOL} FROM class_superclasses
JOIN symbols ON symbols.id = class_superclasses.symbol_id
WHERE class_superclasses.class_id = :class_id ORDER BY class_superclasses.position
"""

PRECEDENCE = f"""
SELECT class_precedence.symbol_id, {_SYMBOL} FROM class_precedence
JOIN symbols ON symbols.id = class_precedence.symbol_id
WHERE class_precedence.class_id = :class_id ORDER BY class_precedence.position
"""

CLASS_ID = """
SELECT classes.class_id FROM definitions JOIN classes ON classes.class_id = definitions.id
WHERE definitions.symbol_id = :symbol
"""

SLOTS = """
SELECT position, name, type, allocation, initform, documentation, read_only, initargs, symbol_id
FROM slots WHERE class_id = :class_id ORDER BY position
"""

SLOT_ACCESSORS = f"""
SELECT slot_accessors.slot, slot_accessors.role, slot_accessors.operator, {_SYMBOL}
FROM slot_accessors JOIN symbols ON symbols.id = slot_accessors.symbol_id
WHERE slot_accessors.class_id = :class_id ORDER BY slot_accessors.slot, slot_accessors.position
"""

ACCESSOR_SYMBOLS = """
SELECT slot, role, operator, symbol_id FROM slot_accessors
WHERE class_id = :class_id ORDER BY slot, position
"""

DEFAULT_INITARGS = """
SELECT initarg, form FROM default_initargs WHERE class_id = :class_id ORDER BY position
"""

SUBCLASSES = f"""
SELECT definitions.kind, {_PLACE}, {_SYMBOL}
FROM class_superclasses
JOIN definitions ON definitions.id = class_superclasses.class_id
JOIN symbols ON symbols.id = definitions.symbol_id
{_WITH_PLACE}
WHERE class_superclasses.symbol_id = :symbol
ORDER BY symbols.name, definitions.id LIMIT :limit OFFSET :offset
"""

SUBCLASSES_TOTAL = "SELECT count(*) FROM class_superclasses WHERE symbol_id = :symbol"

METHODS_ON = f"""
SELECT definitions.operator, definitions.qualifiers, definitions.specializers, definitions.arglist,
       {_PLACE}, {_SYMBOL}
FROM definitions JOIN symbols ON symbols.id = definitions.symbol_id
{_WITH_PLACE}
WHERE definitions.id IN (SELECT definition_id FROM method_specializers WHERE symbol_id = :symbol)
ORDER BY symbols.name, definitions.id LIMIT :limit OFFSET :offset
"""

METHODS_ON_TOTAL = """
SELECT count(DISTINCT definition_id) FROM method_specializers WHERE symbol_id = :symbol
"""
