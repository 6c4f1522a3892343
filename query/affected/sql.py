"""The SELECTs about what a change touches, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

from ..index import written
from ..index.relations import CALLING, selected

# The source files whose text is known.
FILES = """
SELECT source_files.id, source_files.path, systems.name FROM source_files
LEFT JOIN systems ON systems.id = source_files.system_id
WHERE source_files.path IS NOT NULL
  AND EXISTS (SELECT 1 FROM source_lines WHERE source_lines.file_id = source_files.id)
ORDER BY source_files.path
"""


class ProjectFileRow(NamedTuple):
    """One row of FILES."""

    number: int
    path: str
    system: str | None


# What the toplevel forms of some files define.
DEFINITIONS = """
SELECT definitions.file_id, definitions.toplevel_form, definitions.id, definitions.symbol_id,
       definitions.operator, definitions.kind, definitions.start_line
FROM json_each(:files) AS listed
CROSS JOIN definitions ON definitions.file_id = listed.value
WHERE definitions.toplevel_form IS NOT NULL
ORDER BY definitions.start_offset, definitions.id
"""


class FormDefinitionRow(NamedTuple):
    """One row of DEFINITIONS; packages have no symbol."""

    file: int
    form: int
    number: int
    symbol: int | None
    operator: str | None
    kind: str
    line: int | None


# The toplevel forms that use symbols, each once for a symbol, but for those that only export or import it.
USERS = f"""
SELECT used.callee_id, callers.file_id, callers.toplevel_form, min(used.line)
FROM json_each(:symbols) AS listed
CROSS JOIN used_symbols ON used_symbols.symbol_id = listed.value AND used_symbols.relation_id IS NOT NULL
  AND used_symbols.relation_id NOT IN {selected("defines", "exports", "imports")}
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
WHERE callers.toplevel_form IS NOT NULL
GROUP BY 1, 2, 3
"""


class UsingFormRow(NamedTuple):
    """One row of USERS or CALLERS."""

    symbol: int
    file: int
    form: int
    line: int | None


# The toplevel forms that call symbols, each once for a symbol.
CALLERS = f"""
SELECT used.callee_id, callers.file_id, callers.toplevel_form, min(used.line)
FROM json_each(:symbols) AS listed
CROSS JOIN used_symbols ON used_symbols.symbol_id = listed.value AND used_symbols.relation_id IN {CALLING}
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
WHERE callers.toplevel_form IS NOT NULL
GROUP BY 1, 2, 3
"""

# The classes that the methods of some definitions specialize on.
CLASSES_OF_METHODS = """
SELECT DISTINCT coalesce(method_specializers.symbol_id, method_specializers.eql_class_id)
FROM json_each(:definitions) AS listed
CROSS JOIN method_specializers ON method_specializers.definition_id = listed.value
"""

# Where symbols of some packages are used as operators.
NAMED_SYMBOLS = """
SELECT symbols.id, packages.name, symbols.name FROM json_each(:names) AS listed
CROSS JOIN packages ON packages.name = listed.value ->> 0
CROSS JOIN symbols ON symbols.name = listed.value ->> 1 AND symbols.package_id = packages.id
"""


class NamedSymbolRow(NamedTuple):
    """One row of NAMED_SYMBOLS."""

    number: int
    package: str
    name: str


# The symbols of a package that nothing defines.
BARE_SYMBOLS = f"""
SELECT {written.COLUMNS} FROM packages CROSS JOIN symbols ON symbols.package_id = packages.id
WHERE packages.name = :package AND NOT EXISTS (SELECT 1 FROM definitions WHERE symbol_id = symbols.id)
"""
