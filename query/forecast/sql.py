"""The SELECTs of forecast, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

PACKAGES = """
SELECT packages.name, systems.name FROM packages LEFT JOIN systems ON systems.id = packages.system_id
"""
SYSTEMS = "SELECT id, name, asked, version, definition_path FROM systems ORDER BY name"
# Whether an index was built for the folder of a project, so that it has all systems there except test
# systems.
HAS_PROJECT = "SELECT 1 FROM roots WHERE name = 'project'"


class ForecastSystemRow(NamedTuple):
    """One row of SYSTEMS."""

    id: int
    name: str
    asked: int
    version: str | None
    path: str | None


# The files of the project, or of all systems but the library and SBCL.
OWN_FILES = """
SELECT source_files.id, source_files.path, systems.name FROM source_files
LEFT JOIN systems ON systems.id = source_files.system_id
LEFT JOIN roots ON roots.id = source_files.root_id
WHERE source_files.path IS NOT NULL AND source_files.sha256 IS NOT NULL
  AND coalesce(source_files.system_id, 0) NOT IN (SELECT value FROM json_each(:library))
  AND CASE WHEN :dependencies THEN systems.id IS NOT NULL OR roots.name = 'project'
      ELSE systems.asked OR roots.name = 'project' END
ORDER BY source_files.path
"""


class OwnFileRow(NamedTuple):
    """One row of OWN_FILES."""

    number: int
    path: str
    system: str | None


# What is used of some packages in some files, each symbol once a relation and file.
USED_OF_PACKAGES = """
SELECT DISTINCT used.callee_id, callers.file_id
FROM symbols
CROSS JOIN used_symbols ON used_symbols.symbol_id = symbols.id AND used_symbols.relation_id IS NOT NULL
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
WHERE symbols.package_id IN (SELECT value FROM json_each(:packages))
  AND callers.file_id IN (SELECT value FROM json_each(:files))
"""

# The definitions of some symbols, with what kinds of names they define.
DEFINED = """
SELECT definitions.symbol_id, definitions.kind, definitions.operator, kinds.documentation_type,
       definitions.arglist
FROM json_each(:symbols) AS listed
CROSS JOIN definitions ON definitions.symbol_id = listed.value
CROSS JOIN kinds ON kinds.kind = definitions.kind
"""


class DefinedNameRow(NamedTuple):
    """One row of DEFINED."""

    symbol: int
    kind: str
    operator: str | None
    documentation_type: str | None
    arglist: str | None


# Symbols with the names of their home packages, and their statuses there.
HOMES = """
SELECT symbols.id, symbols.name, packages.name, presences.status FROM json_each(:symbols) AS listed
CROSS JOIN symbols ON symbols.id = listed.value
CROSS JOIN packages ON packages.id = symbols.package_id
LEFT JOIN presences ON presences.symbol_id = symbols.id AND presences.package_id = packages.id
"""


class UsedNameRow(NamedTuple):
    """One row of HOMES."""

    symbol: int
    name: str
    home: str
    status: str | None


# The symbol of a name that is present in a package.
PRESENT_THERE = """
SELECT symbols.id, presences.status FROM packages
CROSS JOIN symbols INDEXED BY symbols_by_name ON symbols.name = :name
CROSS JOIN presences ON presences.symbol_id = symbols.id AND presences.package_id = packages.id
WHERE packages.name = :package
"""

STATUSES = """
SELECT packages.name, presences.status FROM presences
CROSS JOIN packages ON packages.id = presences.package_id WHERE presences.symbol_id = :symbol
"""

# The methods in some files on generic functions whose names are symbols of some packages.
OWN_METHODS = """
SELECT definitions.id, definitions.symbol_id, definitions.operator, definitions.arglist, definitions.file_id,
       source_files.path, definitions.start_line, definitions.start_column
FROM definitions
CROSS JOIN source_files ON source_files.id = definitions.file_id
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
WHERE definitions.file_id IN (SELECT value FROM json_each(:files)) AND definitions.kind = 'method'
  AND symbols.package_id IN (SELECT value FROM json_each(:packages)) AND definitions.start_line IS NOT NULL
"""


class OwnMethodRow(NamedTuple):
    """One row of OWN_METHODS."""

    number: int
    symbol: int
    operator: str | None
    arglist: str | None
    file: int
    path: str
    line: int
    column: int | None


# The names that a package exports.
EXPORTS = """
SELECT symbols.name, symbols.id FROM packages
CROSS JOIN presences ON presences.package_id = packages.id AND presences.status = 'external'
CROSS JOIN symbols ON symbols.id = presences.symbol_id
WHERE packages.name = :package
"""

# The packages that use another, with the places that define them.
USERS_OF_PACKAGE = """
SELECT users.id, users.name, definitions.file_id, source_files.path, definitions.start_line,
       definitions.start_column
FROM packages CROSS JOIN package_uses ON package_uses.used_id = packages.id
CROSS JOIN packages AS users ON users.id = package_uses.package_id
CROSS JOIN definitions ON definitions.package_id = users.id
CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE packages.name = :package AND definitions.start_line IS NOT NULL
  AND definitions.file_id IN (SELECT value FROM json_each(:files))
"""


class PackageUserRow(NamedTuple):
    """One row of USERS_OF_PACKAGE."""

    number: int
    name: str
    file: int
    path: str
    line: int
    column: int | None


# The symbols of some names that are present in a package, or that it inherits from others than one package.
SAME_NAMES = """
SELECT symbols.name, symbols.id, 'present', packages.name,
       EXISTS (SELECT 1 FROM package_shadowing AS shadowing
               WHERE shadowing.package_id = :user AND shadowing.symbol_id = symbols.id)
FROM json_each(:names) AS listed
CROSS JOIN symbols INDEXED BY symbols_by_name ON symbols.name = listed.value
CROSS JOIN presences ON presences.symbol_id = symbols.id AND presences.package_id = :user
LEFT JOIN packages ON packages.id = symbols.package_id
UNION ALL
SELECT symbols.name, symbols.id, 'inherited', packages.name, 0
FROM json_each(:names) AS listed
CROSS JOIN symbols INDEXED BY symbols_by_name ON symbols.name = listed.value
CROSS JOIN presences ON presences.symbol_id = symbols.id AND presences.status = 'external'
CROSS JOIN package_uses ON package_uses.used_id = presences.package_id AND package_uses.package_id = :user
CROSS JOIN packages ON packages.id = presences.package_id AND packages.name <> :used
"""


class SameNameRow(NamedTuple):
    """One row of SAME_NAMES; ``by`` is the home package, or the package that it is inherited from."""

    name: str
    symbol: int
    how: str
    by: str | None
    shadowing: int


# The first definition of a symbol in some files.
DEFINED_AT = """
SELECT definitions.kind, definitions.file_id, source_files.path, definitions.start_line,
       definitions.start_column
FROM definitions CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE definitions.symbol_id = :symbol AND definitions.start_line IS NOT NULL
  AND definitions.file_id IN (SELECT value FROM json_each(:files))
ORDER BY definitions.id LIMIT 1
"""


class OwnDefinitionRow(NamedTuple):
    """One row of DEFINED_AT."""

    kind: str
    file: int
    path: str
    line: int
    column: int | None


# The symbols that name the slots of a class, by the symbol that names the class.
SLOT_SYMBOLS = """
SELECT slots.name, slots.symbol_id FROM definitions
CROSS JOIN slots ON slots.class_id = definitions.id
WHERE definitions.symbol_id = :symbol AND slots.symbol_id IS NOT NULL
"""
# Whether a symbol still names a slot.
IS_SLOT = "SELECT count(*) FROM slots WHERE name = :name AND symbol_id = :symbol"

# The default initargs of the classes below one, in some files.
DEFAULTED_BELOW = """
WITH RECURSIVE below (symbol) AS (
    SELECT :symbol
    UNION
    SELECT definitions.symbol_id FROM below
    CROSS JOIN class_superclasses ON class_superclasses.symbol_id = below.symbol
    CROSS JOIN definitions ON definitions.id = class_superclasses.class_id
)
SELECT default_initargs.initarg, definitions.file_id, definitions.start_line, definitions.start_column
FROM below CROSS JOIN definitions ON definitions.symbol_id = below.symbol
CROSS JOIN default_initargs ON default_initargs.class_id = definitions.id
WHERE definitions.start_line IS NOT NULL
  AND definitions.file_id IN (SELECT value FROM json_each(:files))
"""


class DefaultedRow(NamedTuple):
    """One row of DEFAULTED_BELOW."""

    initarg: str
    file: int
    line: int
    column: int | None


# What the operator of a name at a place in a file returns: the type of the function that it names.
TYPE_AT = """
SELECT definitions.ftype FROM symbols INDEXED BY symbols_by_name
CROSS JOIN definitions ON definitions.symbol_id = symbols.id AND definitions.operator IS NULL
  AND definitions.kind = 'function' AND definitions.ftype IS NOT NULL
CROSS JOIN used_symbols ON used_symbols.symbol_id = symbols.id AND used_symbols.relation_id IS NOT NULL
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
WHERE symbols.name = :name AND used.line = :line AND used.start_column = :column AND callers.file_id = :file
LIMIT 1
"""

# The text of the definitions of a symbol.
TEXT_OF_DEFINITIONS = """
SELECT source_lines.text FROM definitions CROSS JOIN source_lines
  ON source_lines.file_id = definitions.file_id AND line BETWEEN start_line AND end_line
WHERE definitions.symbol_id = :symbol AND definitions.kind <> 'method'
ORDER BY definitions.id, line LIMIT 2000
"""

# The files that define systems of the project which depend on some.
DEPENDING = """
SELECT DISTINCT systems.name, systems.definition_path, system_dependencies.name
FROM system_dependencies CROSS JOIN systems ON systems.id = system_dependencies.system_id
WHERE system_dependencies.name IN (SELECT value FROM json_each(:gone)) AND systems.asked
  AND systems.definition_path IS NOT NULL
"""


class DependingRow(NamedTuple):
    """One row of DEPENDING."""

    system: str
    path: str
    on: str


# The methods on generic functions of some packages that systems other than the library have.
METHODS_OF_OTHERS = """
SELECT definitions.id FROM json_each(:packages) AS listed
CROSS JOIN symbols ON symbols.package_id = listed.value
CROSS JOIN definitions ON definitions.symbol_id = symbols.id AND definitions.kind = 'method'
CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE source_files.system_id IS NOT NULL
  AND source_files.system_id NOT IN (SELECT value FROM json_each(:systems))
"""
