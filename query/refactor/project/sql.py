"""The SELECTs about macros, their definitions, and the systems of a project, with the rows that they fill."""

from __future__ import annotations

from typing import NamedTuple

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

# The lambda lists of all definitions of a symbol as an operator.
LAMBDA_LISTS = """
SELECT DISTINCT arglist FROM definitions
WHERE symbol_id = :symbol AND operator IS NULL AND arglist IS NOT NULL
  AND kind IN ('function', 'macro', 'generic-function', 'method')
"""

# The files that a system loads.
COMPONENTS = """
SELECT system, path FROM components WHERE state <> 'unloaded' AND feature IS NULL ORDER BY rowid
"""


class LoadedFileRow(NamedTuple):
    """One row of COMPONENTS."""

    system: str
    path: str


# What each system depends on directly.
DEPENDENCIES = """
SELECT systems.name, system_dependencies.name FROM system_dependencies
CROSS JOIN systems ON systems.id = system_dependencies.system_id
"""


class NeededSystemRow(NamedTuple):
    """One row of DEPENDENCIES."""

    system: str
    name: str


# The system that a package belongs to.
SYSTEM_OF_PACKAGE = """
SELECT systems.name FROM packages CROSS JOIN systems ON systems.id = packages.system_id
WHERE packages.name = :package
"""
