"""The SELECTs about what a change affects, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

from ..index import written
from ..index.relations import CALLING, selected

STANDARD_DEFINERS = (
    *("defun", "defmacro", "defmethod", "defgeneric", "defclass", "defstruct", "define-condition", "deftype"),
    *("defvar", "defparameter", "defconstant", "define-compiler-macro", "define-setf-expander", "defsetf"),
    *("define-modify-macro", "define-symbol-macro", "define-method-combination"),
)
"""The operators of standard forms that define something."""

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
       definitions.defined_by, definitions.kind, definitions.start_line
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
    defined_by: str | None
    kind: str
    line: int | None


# The toplevel forms that use symbols, each once for a symbol and a way of using it, except those that only
# export or import it.
USERS = f"""
SELECT used.callee_id, callers.file_id, callers.toplevel_form, relations.relation, min(used.line)
FROM json_each(:symbols) AS listed
CROSS JOIN used_symbols ON used_symbols.symbol_id = listed.value AND used_symbols.relation_id IS NOT NULL
  AND used_symbols.relation_id NOT IN {selected("defines", "exports", "imports")}
CROSS JOIN relations ON relations.id = used_symbols.relation_id
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
WHERE callers.toplevel_form IS NOT NULL
GROUP BY 1, 2, 3, 4
"""


class UsingFormRow(NamedTuple):
    """One row of USERS."""

    symbol: int
    file: int
    form: int
    relation: str
    line: int | None


# The places that name symbols of the packages of some systems, in lines that begin a form.
NAMED_AT_TOPLEVEL = f"""
SELECT symbols.id, callers.file_id, callers.toplevel_form, substr(source_lines.text, 1, used.start_column - 1)
FROM json_each(:systems) AS listed
CROSS JOIN systems ON systems.name = listed.value
CROSS JOIN packages ON packages.system_id = systems.id
CROSS JOIN symbols ON symbols.package_id = packages.id
CROSS JOIN used_symbols ON used_symbols.symbol_id = symbols.id
  AND used_symbols.relation_id IN {selected("names", "mentions")}
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN source_lines ON source_lines.file_id = callers.file_id AND source_lines.line = used.line
WHERE callers.toplevel_form IS NOT NULL AND source_lines.text LIKE '(%'
"""


class NamedAtToplevelRow(NamedTuple):
    """One row of NAMED_AT_TOPLEVEL; the text is what the line has before the symbol."""

    symbol: int
    file: int
    form: int
    before: str | None


# The toplevel forms that use symbols as operators, each once for a symbol, and whether this is in code other
# than what a standard form defines: at toplevel, or in what the operator itself defines.
OPERATOR_USES = f"""
SELECT used.callee_id, callers.file_id, callers.toplevel_form, min(used.line),
       max(definitions.id IS NULL OR coalesce(definitions.defined_by, '') NOT IN {STANDARD_DEFINERS!r})
FROM json_each(:symbols) AS listed
CROSS JOIN used_symbols ON used_symbols.symbol_id = listed.value AND used_symbols.relation_id IS NOT NULL
  AND used_symbols.relation_id NOT IN {selected("defines", "exports", "imports")}
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
LEFT JOIN definitions ON definitions.id = callers.definition_id
WHERE callers.toplevel_form IS NOT NULL
GROUP BY 1, 2, 3
"""


class OperatorUseRow(NamedTuple):
    """One row of OPERATOR_USES."""

    symbol: int
    file: int
    form: int
    line: int | None
    is_apart: bool


# The toplevel forms that call symbols.
CALLERS = f"""
SELECT DISTINCT callers.file_id, callers.toplevel_form
FROM json_each(:symbols) AS listed
CROSS JOIN used_symbols ON used_symbols.symbol_id = listed.value AND used_symbols.relation_id IN {CALLING}
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
WHERE callers.toplevel_form IS NOT NULL
"""

# The classes that the methods which some files define specialize on.
SPECIALIZERS = """
SELECT definitions.id, coalesce(method_specializers.symbol_id, method_specializers.eql_class_id)
FROM json_each(:files) AS listed
CROSS JOIN definitions ON definitions.file_id = listed.value AND definitions.kind = 'method'
CROSS JOIN method_specializers ON method_specializers.definition_id = definitions.id
WHERE coalesce(method_specializers.symbol_id, method_specializers.eql_class_id) IS NOT NULL
"""

# The symbols of some names, whose home packages are named or nicknamed so.
NAMED_SYMBOLS = """
SELECT symbols.id, listed.value ->> 0, symbols.name FROM json_each(:names) AS listed
CROSS JOIN packages ON packages.name = listed.value ->> 0
  OR packages.id IN (SELECT package_id FROM package_nicknames WHERE nickname = listed.value ->> 0)
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
