"""The SELECT of macros."""

from __future__ import annotations

# The files that define a macro.
MACRO_DEFINED_AT = """
SELECT source_files.path FROM definitions
CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE definitions.symbol_id = :symbol AND definitions.kind = 'macro' AND source_files.path IS NOT NULL
"""
