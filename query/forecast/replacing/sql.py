"""The statements that put a library of one index, ``newer``, in the place of the same library in a copy.

``:old_packages`` and ``:new_packages`` are JSON lists of the names of its packages in the two,
``:old_systems`` and ``:new_systems`` of the numbers of its systems. Rows that the copy does not have get
numbers above all of its own.
"""

from __future__ import annotations

from typing import NamedTuple

ATTACH = "ATTACH :newer AS newer"


def _definitions(schema: str, packages: str, systems: str) -> str:
    """What the library's files define, and what is defined nowhere and named by its symbols.

    What others name themselves, and gave the definition of one of the library's functions, is theirs.
    """
    return f"""
SELECT definitions.id FROM {schema}.definitions AS definitions
LEFT JOIN {schema}.symbols AS symbols ON symbols.id = definitions.symbol_id
LEFT JOIN {schema}.source_files AS files ON files.id = definitions.file_id
WHERE files.system_id IN (SELECT value FROM json_each({systems}))
  AND (definitions.kind = 'method' OR coalesce(symbols.package_id, definitions.package_id) IN {packages})
   OR files.system_id IS NULL AND coalesce(symbols.package_id, definitions.package_id) IN {packages}
"""


def _wanted(table: str, column: str, definition: str) -> str:
    return f"SELECT {column} FROM newer.{table} WHERE {definition} IN new_definitions"


_OF_NEW_PACKAGES = "WHERE package_id IN new_packages"


class _Table(NamedTuple):
    """A table about definitions: the columns that number a definition and symbols, and all others."""

    name: str
    owner: str
    symbols: tuple[str, ...]
    others: tuple[str, ...]


_OF_SLOT = (
    *("position", "name", "type", "allocation", "initform", "documentation", "read_only", "initargs"),
)
_TABLES = (
    _Table("classes", "class_id", ("metaclass_id",), ("finalized", "representation", "accessor_prefix")),
    _Table("class_superclasses", "class_id", ("symbol_id",), ("position",)),
    _Table("class_precedence", "class_id", ("symbol_id",), ("position",)),
    _Table("slots", "class_id", ("symbol_id",), _OF_SLOT),
    _Table("slot_accessors", "class_id", ("symbol_id",), ("slot", "position", "role", "operator")),
    _Table("default_initargs", "class_id", (), ("position", "initarg", "form")),
    _Table("structure_functions", "class_id", ("symbol_id",), ("position", "role", "by_position")),
    _Table("method_specializers", "definition_id", ("symbol_id", "eql_class_id"), ("position", "eql")),
)
"""The tables about definitions."""

_DEFINITION = (
    *("kind", "operator", "qualifiers", "specializers", "arglist", "ftype", "documentation", "value"),
    *("deprecated", "deprecated_since", "replacement", "toplevel_form", "form_number", "toplevel_offset"),
    *("start_line", "start_column", "start_offset", "end_offset", "end_line", "defined_by", "words"),
    *("callers_count", "search_id"),
)
_SYMBOL = "(SELECT id FROM symbol_numbers WHERE newer = {})"
_PACKAGE = "(SELECT id FROM package_numbers WHERE newer = {})"
_NEW_DEFINITION = "{} + :definitions"
_NEW_FILE = "{} + :files"


def _inserted(table: _Table) -> str:
    columns = ", ".join((table.owner, *table.symbols, *table.others))
    values = (_NEW_DEFINITION.format(table.owner), *map(_SYMBOL.format, table.symbols), *table.others)
    return f"""
INSERT INTO main.{table.name} ({columns}) SELECT {", ".join(values)}
FROM newer.{table.name} WHERE {table.owner} IN new_definitions
"""


OFFSETS = """
SELECT (SELECT max(id) FROM packages), (SELECT max(id) FROM symbols), (SELECT max(id) FROM definitions),
       (SELECT max(id) FROM source_files)
"""

# What is the library's in either, and which numbers its new rows get. A package that has got another name,
# and has the old one as a nickname, is the same; so is one that was called so, or by the same, by a nickname.
_NUMBERS = (
    """
CREATE TEMP TABLE old_packages AS
SELECT id FROM main.packages WHERE name IN (SELECT value FROM json_each(:old_packages))""",
    """
CREATE TEMP TABLE new_packages AS
SELECT id FROM newer.packages WHERE name IN (SELECT value FROM json_each(:new_packages))""",
    f"""
CREATE TEMP TABLE old_definitions AS {_definitions("main", "old_packages", ":old_systems")}""",
    f"""
CREATE TEMP TABLE new_definitions AS {_definitions("newer", "new_packages", ":new_systems")}""",
    """
CREATE TEMP TABLE package_numbers AS
SELECT packages.id AS newer, coalesce(
    (SELECT id FROM main.packages AS old WHERE old.name = packages.name),
    (SELECT old.id FROM newer.package_nicknames AS names CROSS JOIN main.packages AS old
     WHERE names.package_id = packages.id AND old.name = names.nickname AND old.id IN old_packages),
    (SELECT names.package_id FROM main.package_nicknames AS names
     WHERE names.nickname = packages.name AND names.package_id IN old_packages),
    (SELECT names.package_id FROM newer.package_nicknames AS same
     CROSS JOIN main.package_nicknames AS names ON names.nickname = same.nickname
     WHERE same.package_id = packages.id AND names.package_id IN old_packages),
    packages.id + :packages) AS id
FROM newer.packages AS packages
""",
    "CREATE INDEX temp.package_numbers_by_newer ON package_numbers (newer, id)",
    f"""
CREATE TEMP TABLE wanted AS
SELECT symbol_id AS id FROM newer.presences {_OF_NEW_PACKAGES}
UNION SELECT symbol_id FROM newer.package_shadowing {_OF_NEW_PACKAGES}
UNION {_wanted("definitions", "symbol_id", "id")}
UNION {" UNION ".join(_wanted(one.name, symbol, one.owner) for one in _TABLES for symbol in one.symbols)}
""",
    """
CREATE TEMP TABLE symbol_numbers AS
SELECT symbols.id AS newer, coalesce(
    (SELECT old.id FROM main.symbols AS old INDEXED BY symbols_by_name
     WHERE old.name = symbols.name AND old.package_id = package_numbers.id),
    symbols.id + :symbols) AS id
FROM wanted CROSS JOIN newer.symbols AS symbols ON symbols.id = wanted.id
LEFT JOIN package_numbers ON package_numbers.newer = symbols.package_id
""",
    "CREATE INDEX temp.symbol_numbers_by_newer ON symbol_numbers (newer, id)",
    "CREATE INDEX temp.symbol_numbers_by_id ON symbol_numbers (id)",
    # Symbols of the library that other packages import, and that have another home in the new version.
    """
CREATE TEMP TABLE imports AS
SELECT presences.symbol_id AS old, presences.package_id AS package, presences.status, symbols.name,
       symbols.package_id AS home
FROM main.symbols AS symbols CROSS JOIN main.presences AS presences ON presences.symbol_id = symbols.id
WHERE symbols.package_id IN old_packages AND presences.package_id NOT IN old_packages
  AND symbols.id NOT IN (SELECT id FROM symbol_numbers)
""",
)

_GONE = (
    *(f"DELETE FROM main.{one.name} WHERE {one.owner} IN old_definitions" for one in _TABLES),
    "DELETE FROM main.definitions WHERE id IN old_definitions",
    "DELETE FROM main.presences WHERE package_id IN old_packages",
    "DELETE FROM main.presences WHERE (symbol_id, package_id) IN (SELECT old, package FROM imports)",
    "DELETE FROM main.package_shadowing WHERE package_id IN old_packages",
    "DELETE FROM main.package_nicknames WHERE package_id IN old_packages",
    """
DELETE FROM main.package_local_nicknames WHERE package_id IN old_packages
   OR target_id IN old_packages AND target_id NOT IN (SELECT id FROM package_numbers)
""",
    """
DELETE FROM main.package_uses WHERE package_id IN old_packages
   OR used_id IN old_packages AND used_id NOT IN (SELECT id FROM package_numbers)
""",
    "DELETE FROM main.packages WHERE id IN old_packages",
    "DELETE FROM main.source_files WHERE system_id IN (SELECT value FROM json_each(:old_systems))",
    # That the compiler expanded a macro does not say that there is one in the new version.
    """
DELETE FROM main.used_symbols WHERE symbol_id IN
  (SELECT id FROM main.symbols WHERE package_id IN old_packages)
  AND relation_id IN (SELECT id FROM main.relations WHERE relation = 'macroexpands')
""",
)

_COME = (
    f"""
INSERT OR REPLACE INTO main.packages (id, name, documentation, locked, system_id)
SELECT {_PACKAGE.format("packages.id")}, packages.name, packages.documentation, packages.locked,
       (SELECT old.id FROM main.systems AS old WHERE old.name = systems.name)
FROM newer.packages AS packages LEFT JOIN newer.systems AS systems ON systems.id = packages.system_id
WHERE packages.id IN new_packages
""",
    f"""
INSERT OR REPLACE INTO main.package_nicknames (nickname, package_id)
SELECT nickname, {_PACKAGE.format("package_id")} FROM newer.package_nicknames {_OF_NEW_PACKAGES}
""",
    f"""
INSERT INTO main.package_local_nicknames (package_id, nickname, target_id)
SELECT {_PACKAGE.format("package_id")}, nickname, {_PACKAGE.format("target_id")}
FROM newer.package_local_nicknames
{_OF_NEW_PACKAGES} AND {_PACKAGE.format("target_id")} IN (SELECT id FROM main.packages)
""",
    f"""
INSERT INTO main.package_uses (package_id, position, used_id)
SELECT {_PACKAGE.format("package_id")}, position, {_PACKAGE.format("used_id")} FROM newer.package_uses
{_OF_NEW_PACKAGES} AND {_PACKAGE.format("used_id")} IN (SELECT id FROM main.packages)
""",
    f"""
INSERT INTO main.symbols (id, name, package_id, folded, type, exported, search_rank)
SELECT symbol_numbers.id, name, {_PACKAGE.format("package_id")}, folded, type, exported, search_rank
FROM symbol_numbers CROSS JOIN newer.symbols AS symbols ON symbols.id = symbol_numbers.newer
WHERE symbol_numbers.id > :symbols
""",
    f"""
INSERT INTO main.presences (symbol_id, package_id, status)
SELECT {_SYMBOL.format("symbol_id")}, {_PACKAGE.format("package_id")}, status
FROM newer.presences {_OF_NEW_PACKAGES}
""",
    """
INSERT OR IGNORE INTO main.presences (symbol_id, package_id, status)
SELECT symbols.id, imports.package, imports.status
FROM imports CROSS JOIN main.symbols AS symbols ON symbols.name = imports.name
CROSS JOIN main.presences AS presences
  ON presences.symbol_id = symbols.id AND presences.package_id = imports.home
""",
    f"""
INSERT INTO main.package_shadowing (package_id, symbol_id)
SELECT {_PACKAGE.format("package_id")}, {_SYMBOL.format("symbol_id")}
FROM newer.package_shadowing {_OF_NEW_PACKAGES}
""",
    f"""
INSERT INTO main.source_files (id, recorded, path, sha256, size, relative_path, system_id)
SELECT {_NEW_FILE.format("files.id")}, recorded, path, sha256, size, relative_path,
       (SELECT old.id FROM main.systems AS old WHERE old.name = systems.name)
FROM newer.source_files AS files JOIN newer.systems AS systems ON systems.id = files.system_id
WHERE systems.id IN (SELECT value FROM json_each(:new_systems))
""",
    # The text tells which arguments macros evaluate, and what is called deprecated.
    f"""
INSERT INTO main.source_lines (file_id, line, text)
SELECT {_NEW_FILE.format("file_id")}, line, text FROM newer.source_lines
WHERE file_id IN (SELECT file_id FROM newer.definitions WHERE id IN new_definitions)
""",
    f"""
INSERT INTO main.definitions (id, symbol_id, package_id, file_id, {", ".join(_DEFINITION)})
SELECT {_NEW_DEFINITION.format("id")}, {_SYMBOL.format("symbol_id")}, {_PACKAGE.format("package_id")},
       {_NEW_FILE.format("file_id")}, {", ".join(_DEFINITION)}
FROM newer.definitions WHERE id IN new_definitions
""",
    *map(_inserted, _TABLES),
)

REPLACEMENT = (*_NUMBERS, *_GONE, *_COME)
"""The statements, in their order, which take the numbers of OFFSETS, too."""

# Text for another SBCL is read with its features.
FACTS_OF_SBCL = """
INSERT OR REPLACE INTO main.meta (name, value)
SELECT name, value FROM newer.meta WHERE name IN ('features', 'implementation')
"""
FACT = "UPDATE main.meta SET value = :value WHERE name = :name"


class OffsetsRow(NamedTuple):
    """One row of OFFSETS: the largest numbers of each sort."""

    packages: int
    symbols: int
    definitions: int
    files: int
