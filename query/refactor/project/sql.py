"""The SELECTs of macros, and of what makes them."""

from __future__ import annotations

# The files that define a macro.
MACRO_DEFINED_AT = """
SELECT source_files.path FROM definitions
CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE definitions.symbol_id = :symbol AND definitions.kind = 'macro' AND source_files.path IS NOT NULL
"""
NAME_OF = "SELECT name FROM symbols WHERE id = :symbol"

# What has a symbol in its definition.
CALLING = """
SELECT DISTINCT symbols.id, symbols.name FROM used_symbols
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN definitions ON definitions.id = callers.definition_id
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
WHERE used_symbols.symbol_id = :symbol
"""

# The files that define a symbol.
FILES_OF = """
SELECT DISTINCT source_files.path FROM definitions
CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE definitions.symbol_id = :symbol AND source_files.path IS NOT NULL
"""
