"""The SELECTs of audit, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

# The definitions in some files that have a name of their own.
DEFINITIONS = """
SELECT definitions.id, definitions.symbol_id, symbols.name, packages.name, definitions.kind,
       kinds.documentation_type, definitions.operator, symbols.exported, definitions.defined_by,
       definitions.documentation IS NOT NULL, definitions.file_id, source_files.path, definitions.start_line,
       definitions.start_column, definitions.start_offset, definitions.end_offset
FROM json_each(:files) AS listed
CROSS JOIN definitions ON definitions.file_id = listed.value
CROSS JOIN source_files ON source_files.id = definitions.file_id
CROSS JOIN kinds ON kinds.kind = definitions.kind
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
ORDER BY definitions.id
"""


class AuditedRow(NamedTuple):
    """One row of DEFINITIONS; offsets count characters from 0."""

    number: int
    symbol: int
    name: str
    package: str | None
    kind: str
    documentation_type: str | None
    operator: str | None
    exported: int
    defined_by: str | None
    documented: int
    file: int
    path: str | None
    line: int | None
    column: int | None
    start: int | None
    end: int | None


# How symbols are used, and by definitions of which symbols.
USED = """
SELECT used.callee_id, used.callee_operator, relations.relation, definitions.symbol_id, definitions.kind,
       callers.file_id, used.line, used.start_column, used.expansion_id
FROM json_each(:symbols) AS listed
CROSS JOIN used_symbols ON used_symbols.symbol_id = listed.value AND used_symbols.relation_id IS NOT NULL
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN relations ON relations.id = used.relation_id
CROSS JOIN callers ON callers.id = used.caller_id
LEFT JOIN definitions ON definitions.id = callers.definition_id
"""


class UsedRow(NamedTuple):
    """One row of USED; ``by`` is the symbol that the using definition defines, of ``by_kind``."""

    symbol: int
    operator: str | None
    relation: str
    by: int | None
    by_kind: str | None
    file: int | None
    line: int | None
    column: int | None
    expansion: int | None


# The files whose code makes names at run time.
MAKING_NAMES = """
SELECT DISTINCT callers.file_id
FROM symbols
JOIN packages ON packages.id = symbols.package_id
JOIN used_symbols ON used_symbols.symbol_id = symbols.id AND used_symbols.operator IS NULL
JOIN relations ON relations.id = used_symbols.relation_id AND relations.relation IN ('calls', 'names')
JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
JOIN callers ON callers.id = used.caller_id
WHERE (packages.name = 'COMMON-LISP' AND symbols.name IN ('INTERN', 'FIND-SYMBOL', 'READ-FROM-STRING'))
   OR (symbols.name IN ('SYMBOL-CALL', 'INTERN*', 'FIND-SYMBOL*', 'SYMBOLICATE', 'FORMAT-SYMBOL')
       AND packages.name IN ('ALEXANDRIA', 'ALEXANDRIA-1', 'UIOP/PACKAGE'))
"""

# The files that define systems.
SYSTEM_DEFINITIONS = "SELECT id FROM source_files WHERE path LIKE '%.asd'"

# The exported symbols of packages without any definition or documentation, and the slots that they name.
EMPTY_EXPORTS = """
SELECT packages.id, packages.name, symbols.id, symbols.name,
       EXISTS (SELECT 1 FROM slots WHERE slots.name = symbols.name AND slots.symbol_id = symbols.id)
FROM json_each(:packages) AS listed
CROSS JOIN packages ON packages.id = listed.value
CROSS JOIN presences ON presences.package_id = packages.id AND presences.status = 'external'
CROSS JOIN symbols ON symbols.id = presences.symbol_id AND symbols.package_id = packages.id
WHERE NOT EXISTS (SELECT 1 FROM definitions WHERE definitions.symbol_id = symbols.id)
ORDER BY packages.name, symbols.name
"""


class EmptyExportRow(NamedTuple):
    """One row of EMPTY_EXPORTS."""

    package: int
    package_name: str
    symbol: int
    name: str
    names_slot: int


# The places that export or import symbols.
EXPORTING = """
SELECT used.callee_id, source_files.path, used.line, used.start_column
FROM json_each(:symbols) AS listed
CROSS JOIN used_symbols ON used_symbols.symbol_id = listed.value AND used_symbols.relation_id IS NOT NULL
CROSS JOIN relations ON relations.id = used_symbols.relation_id AND relations.relation = :relation
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
LEFT JOIN source_files ON source_files.id = callers.file_id
ORDER BY used.id
"""


class ExportingRow(NamedTuple):
    """One row of EXPORTING."""

    symbol: int
    path: str | None
    line: int | None
    column: int | None


# The generic functions among some symbols that have methods, each with the operator.
WITH_METHODS = """
SELECT DISTINCT definitions.symbol_id, definitions.operator FROM json_each(:symbols) AS listed
CROSS JOIN definitions ON definitions.symbol_id = listed.value AND definitions.kind = 'method'
"""

# The classes directly below others, by the symbols that name them.
DIRECT_SUBCLASSES = """
SELECT class_superclasses.symbol_id, definitions.symbol_id FROM json_each(:classes) AS listed
CROSS JOIN class_superclasses ON class_superclasses.symbol_id = listed.value
CROSS JOIN definitions ON definitions.id = class_superclasses.class_id
"""

# How many methods specialize on classes.
METHODS_ON = """
SELECT listed.value, count(DISTINCT method_specializers.definition_id) FROM json_each(:classes) AS listed
CROSS JOIN method_specializers ON method_specializers.symbol_id = listed.value GROUP BY listed.value
"""

# The initargs of the slots of classes.
INITARGS = """
SELECT slots.class_id, slots.name, slots.initargs FROM json_each(:classes) AS listed
CROSS JOIN slots ON slots.class_id = listed.value WHERE slots.initargs IS NOT NULL
ORDER BY slots.class_id, slots.position
"""


class InitargsRow(NamedTuple):
    """One row of INITARGS."""

    class_id: int
    slot: str
    initargs: str


KEYWORD_NUMBERS = """
SELECT symbols.name, symbols.id FROM json_each(:names) AS listed
CROSS JOIN symbols ON symbols.name = listed.value
CROSS JOIN packages ON packages.id = symbols.package_id AND packages.name = 'KEYWORD'
"""

# The functions that the definition of a class makes.
FUNCTIONS_OF_CLASS = """
SELECT symbol_id FROM slot_accessors WHERE class_id = :class_id
UNION SELECT symbol_id FROM structure_functions WHERE class_id = :class_id
"""

# The forms of macros whose names begin with DEF in some files, with the lines on which they begin and end.
DEFINING_FORMS = """
SELECT symbols.name, callers.file_id, source_files.path, used.line, used.start_column, used.length,
       source_lines.text,
       (SELECT min(line) - 1 FROM source_lines AS below
        WHERE below.file_id = callers.file_id AND below.line > used.line AND below.text LIKE '(%')
FROM symbols
CROSS JOIN definitions ON definitions.symbol_id = symbols.id AND definitions.kind = 'macro'
CROSS JOIN used_symbols ON used_symbols.symbol_id = symbols.id AND used_symbols.operator IS NULL
CROSS JOIN relations ON relations.id = used_symbols.relation_id AND relations.relation = 'macroexpands'
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN source_files ON source_files.id = callers.file_id
LEFT JOIN source_lines ON source_lines.file_id = callers.file_id AND source_lines.line = used.line
WHERE symbols.name >= 'DEF' AND symbols.name < 'DEG' AND used.start_column IS NOT NULL
  AND callers.file_id IN (SELECT value FROM json_each(:files))
ORDER BY callers.file_id, used.line, used.start_column
"""


class DefiningRow(NamedTuple):
    """One row of DEFINING_FORMS."""

    macro: str
    file: int
    path: str | None
    line: int | None
    column: int | None
    length: int | None
    text: str | None
    end_line: int | None


# The packages that packages use, but for the standard's.
USED_PACKAGES = """
SELECT users.id, users.name, used.id, used.name FROM json_each(:packages) AS listed
CROSS JOIN packages AS users ON users.id = listed.value
CROSS JOIN package_uses ON package_uses.package_id = users.id
CROSS JOIN packages AS used ON used.id = package_uses.used_id
WHERE used.name <> 'COMMON-LISP' ORDER BY users.name, package_uses.position
"""


class UsedPackageRow(NamedTuple):
    """One row of USED_PACKAGES."""

    user: int
    user_name: str
    used: int
    used_name: str


# Whether the code of some files, or what a package exports, has a name that another package exports.
ANY_INHERITED = """
SELECT 1 FROM presences
CROSS JOIN used_symbols ON used_symbols.symbol_id = presences.symbol_id
  AND used_symbols.relation_id IS NOT NULL
CROSS JOIN relations ON relations.id = used_symbols.relation_id
  AND relations.relation NOT IN ('defines', 'imports')
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
WHERE presences.package_id = :used AND presences.status = 'external'
  AND callers.file_id IN (SELECT value FROM json_each(:files))
UNION ALL
SELECT 1 FROM presences JOIN presences AS again ON again.symbol_id = presences.symbol_id
WHERE presences.package_id = :used AND presences.status = 'external'
  AND again.package_id = :user AND again.status = 'external'
LIMIT 1
"""

# The symbols that packages import and do not export again.
IMPORTED = """
SELECT packages.id, packages.name, symbols.id FROM json_each(:packages) AS listed
CROSS JOIN packages ON packages.id = listed.value
CROSS JOIN presences ON presences.package_id = packages.id AND presences.status = 'internal'
CROSS JOIN symbols ON symbols.id = presences.symbol_id
WHERE symbols.package_id <> packages.id AND EXISTS (
    SELECT 1 FROM used_symbols JOIN relations ON relations.id = used_symbols.relation_id
    WHERE used_symbols.symbol_id = symbols.id AND relations.relation = 'imports')
ORDER BY packages.name, symbols.name
"""


class ImportRow(NamedTuple):
    """One row of IMPORTED."""

    package: int
    package_name: str
    symbol: int


# Where the packages are defined that some files define.
PLACES_OF_PACKAGES = """
SELECT definitions.package_id, source_files.path, definitions.start_line, definitions.start_column
FROM json_each(:files) AS listed
CROSS JOIN definitions ON definitions.file_id = listed.value AND definitions.package_id IS NOT NULL
CROSS JOIN source_files ON source_files.id = definitions.file_id
"""


class PackagePlaceRow(NamedTuple):
    """One row of PLACES_OF_PACKAGES."""

    package: int
    path: str | None
    line: int | None
    column: int | None


# The systems that systems depend on, which are in the index.
DEPENDENCIES = """
SELECT systems.id, systems.name, systems.definition_path, targets.id, targets.name
FROM json_each(:systems) AS listed
CROSS JOIN systems ON systems.id = listed.value
CROSS JOIN system_dependencies ON system_dependencies.system_id = systems.id
  AND system_dependencies.relation = 'depends-on'
CROSS JOIN systems AS targets ON targets.id = system_dependencies.target_id
ORDER BY systems.name, system_dependencies.position
"""


class DependencyRow(NamedTuple):
    """One row of DEPENDENCIES."""

    system: int
    system_name: str
    path: str | None
    target: int
    name: str


# The symbols of others that the packages of a system export.
EXPORTED_AGAIN = """
SELECT presences.symbol_id FROM packages CROSS JOIN presences ON presences.package_id = packages.id
CROSS JOIN symbols ON symbols.id = presences.symbol_id
CROSS JOIN packages AS homes ON homes.id = symbols.package_id AND homes.name <> 'COMMON-LISP'
WHERE packages.system_id = :system AND presences.status = 'external'
"""

# Whether the code of some files has any of some symbols.
ANY_USED = """
SELECT 1 FROM json_each(:symbols) AS listed
CROSS JOIN used_symbols ON used_symbols.symbol_id = listed.value AND used_symbols.relation_id IS NOT NULL
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
WHERE callers.file_id IN (SELECT value FROM json_each(:files)) LIMIT 1
"""

# Whether any package of a system has imported any of some symbols.
ANY_IMPORTED = """
SELECT 1 FROM json_each(:symbols) AS listed
CROSS JOIN presences ON presences.symbol_id = listed.value
CROSS JOIN packages ON packages.id = presences.package_id AND packages.system_id = :system LIMIT 1
"""

# The places that define symbols.
DEFINED_AT = """
SELECT used.callee_id, used.callee_operator, callers.file_id, source_files.path, used.line,
       used.start_column, source_lines.text
FROM json_each(:symbols) AS listed
CROSS JOIN used_symbols ON used_symbols.symbol_id = listed.value
CROSS JOIN relations ON relations.id = used_symbols.relation_id AND relations.relation = 'defines'
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN source_files ON source_files.id = callers.file_id
LEFT JOIN source_lines ON source_lines.file_id = callers.file_id AND source_lines.line = used.line
WHERE used.start_column IS NOT NULL ORDER BY source_files.path, used.line
"""


class TwiceRow(NamedTuple):
    """One row of DEFINED_AT."""

    symbol: int
    operator: str | None
    file: int
    path: str | None
    line: int | None
    column: int | None
    text: str | None


SYSTEMS_OF_FILES = """
SELECT DISTINCT system_id FROM json_each(:files) AS listed
CROSS JOIN source_files ON source_files.id = listed.value WHERE system_id IS NOT NULL
"""

SYSTEM_NAMES_OF_FILES = """
SELECT DISTINCT systems.name FROM json_each(:files) AS listed
CROSS JOIN source_files ON source_files.id = listed.value
CROSS JOIN systems ON systems.id = source_files.system_id
"""

# The names of symbols, each after its number and the home package.
NAMES_OF = """
SELECT symbols.id, packages.name, symbols.name FROM json_each(:symbols) AS listed
CROSS JOIN symbols ON symbols.id = listed.value
CROSS JOIN packages ON packages.id = symbols.package_id
"""


class NameOfRow(NamedTuple):
    """One row of NAMES_OF."""

    number: int
    package: str
    name: str


# Those of some files whose texts have a text in any case.
FILES_WITH = """
SELECT source_files.id, source_files.path
FROM json_each(:files) AS listed CROSS JOIN source_files ON source_files.id = listed.value
WHERE EXISTS (SELECT 1 FROM source_lines
              WHERE source_lines.file_id = source_files.id AND source_lines.text LIKE :pattern ESCAPE '!')
ORDER BY source_files.path
"""

# The lines of some files that may have a directive which calls a function, ~/name/.
LINES_WITH_DIRECTIVES = """
SELECT source_lines.text FROM json_each(:files) AS listed
CROSS JOIN source_lines ON source_lines.file_id = listed.value AND source_lines.text LIKE '%~%/%/%'
"""

# Whether some files name MAKE-INSTANCE as a function that is passed on.
MAKE_INSTANCE_PASSED_ON = """
SELECT 1 FROM symbols
JOIN packages ON packages.id = symbols.package_id AND packages.name = 'COMMON-LISP'
JOIN used_symbols ON used_symbols.symbol_id = symbols.id AND used_symbols.relation_id IS NOT NULL
JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
JOIN callers ON callers.id = used.caller_id
JOIN source_lines ON source_lines.file_id = callers.file_id AND source_lines.line = used.line
WHERE symbols.name = 'MAKE-INSTANCE' AND callers.file_id IN (SELECT value FROM json_each(:files))
  AND substr(source_lines.text, max(used.start_column - 1, 1), 1) = ''''
LIMIT 1
"""
