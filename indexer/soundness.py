"""What holds in every sound index and catalog, as SQL; standard library only.

Readers rely on it without looking, so this is what is examined when an answer fails for no fault of ours,
and what ``oblist check-index`` reports.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from .own_schema import MASTER, schema_difference

MOST_EXAMPLES = 5
_NAMES_OF_TYPES = {"INTEGER": "integer", "TEXT": "text"}
_SHADOWS = ("_fts", "_fts_config", "_fts_content", "_fts_data", "_fts_docsize", "_fts_idx")

# Each statement finds rows of the table that must not be there; the text says what they contradict.
RULES = (
    (
        "symbols",
        "symbols without any presence",
        "SELECT name FROM symbols WHERE id NOT IN (SELECT symbol_id FROM presences)",
    ),
    (
        "symbols",
        "symbols whose mark 'exported' differs from their presences",
        """SELECT name FROM symbols
           WHERE exported <> (id IN (SELECT symbol_id FROM presences WHERE status = 'external'))
             AND (exported OR NOT EXISTS (SELECT 1 FROM meta WHERE name = 'slice'))""",
    ),
    (
        "presences",
        "presences with a status that is neither external nor internal",
        "SELECT status FROM presences WHERE status NOT IN ('external', 'internal')",
    ),
    (
        "presences",
        "names that are present twice in one package",
        """SELECT symbols.name FROM presences JOIN symbols ON symbols.id = presences.symbol_id
           GROUP BY presences.package_id, symbols.name HAVING count(*) > 1""",
    ),
    (
        "definitions",
        "definitions with both a symbol and a package, or with neither",
        "SELECT kind FROM definitions WHERE (symbol_id IS NULL) = (package_id IS NULL)",
    ),
    (
        "symbols",
        "functions whose symbol has no function type",
        """SELECT symbols.name FROM definitions JOIN symbols ON symbols.id = definitions.symbol_id
           WHERE definitions.operator IS NULL
             AND (definitions.kind = 'macro' AND symbols.type <> 'MACRO'
               OR definitions.kind = 'generic-function' AND symbols.type <> 'GENERIC-FUNCTION'
               OR definitions.kind IN ('function', 'special-operator')
                  AND symbols.type NOT IN ('FUNCTION', 'MACRO'))""",
    ),
    (
        "source_files",
        "source files with a root or a relative path, but not both",
        "SELECT recorded FROM source_files WHERE (root_id IS NULL) <> (relative_path IS NULL)",
    ),
    (
        "classes",
        "classes, structures and conditions without a row in classes",
        """SELECT id FROM definitions WHERE kind IN ('class', 'structure', 'condition')
           AND id NOT IN (SELECT class_id FROM classes)""",
    ),
    (
        "method_specializers",
        "methods without specializers",
        """SELECT id FROM definitions WHERE kind = 'method' AND specializers <> '()'
           AND id NOT IN (SELECT definition_id FROM method_specializers)""",
    ),
    (
        "method_specializers",
        "specializers that are both a class and an object",
        "SELECT definition_id FROM method_specializers WHERE symbol_id IS NOT NULL AND eql IS NOT NULL",
    ),
    (
        "callers",
        "callers with both a definition and a name, or with neither",
        "SELECT id FROM callers WHERE (definition_id IS NULL) = (name IS NULL)",
    ),
    (
        "symbols_fts",
        "names missing from full text",
        "SELECT name FROM symbols WHERE id NOT IN (SELECT id FROM symbols_fts_docsize)",
    ),
    (
        "exported_names_fts",
        "exported names missing from full text",
        "SELECT name FROM exported_names WHERE search_id NOT IN (SELECT id FROM exported_names_fts_docsize)",
    ),
    (
        "definitions_fts",
        "definitions missing from full text",
        "SELECT id FROM definitions WHERE search_id NOT IN (SELECT id FROM definitions_fts_docsize)",
    ),
    (
        "signatures_fts",
        "signatures missing from full text",
        "SELECT id FROM signatures WHERE id NOT IN (SELECT id FROM signatures_fts_docsize)",
    ),
)
_SUPERCLASS_CIRCLES = """
    WITH RECURSIVE direct (class, above) AS (
      SELECT class_superclasses.class_id, classes.class_id FROM class_superclasses
      JOIN definitions ON definitions.symbol_id = class_superclasses.symbol_id
      JOIN classes ON classes.class_id = definitions.id),
    ancestors (class, above) AS (
      SELECT class, above FROM direct
      UNION SELECT ancestors.class, direct.above FROM ancestors JOIN direct ON direct.class = ancestors.above)
    SELECT class FROM ancestors WHERE class = above
"""
_CASE_FACTS = """
    SELECT one.name FROM meta AS one JOIN meta AS other
    WHERE length(one.value) <> length(other.value)
      AND (one.name, other.name) IN (VALUES ('case_lower', 'case_upper'), ('case_title', 'case_title_upper'))
"""
_WRONG_FACTS = """
    SELECT name FROM meta WHERE CASE
      WHEN name = 'feature' THEN value = '' OR value GLOB '*[^0-9]*'
      WHEN name IN ('built', 'started') THEN datetime(value) IS NULL
      WHEN name IN ('case_lower', 'case_upper') THEN value = ''
      WHEN name IN ('broken', 'inputs', 'last_good') THEN CASE
        WHEN json_valid(value) THEN json_type(value) <> 'object' ELSE 1 END
      WHEN name = 'slice' THEN CASE
        WHEN json_valid(value) THEN json_type(value, '$.outside') IS NOT 'array' ELSE 1 END
    END
"""
# Tables whose rows have places from 0 on, and the columns that say in what.
_PLACED = (
    *(("class_superclasses", "class_id"), ("class_precedence", "class_id"), ("slots", "class_id")),
    *(("default_initargs", "class_id"), ("structure_functions", "class_id")),
    *(("method_specializers", "definition_id"), ("system_dependencies", "system_id")),
    ("slot_accessors", "class_id, slot"),
)
_TEXT_RULES = (
    ("meta", "facts of the wrong kind", _WRONG_FACTS),
    ("meta", "contradictory facts about letter case", _CASE_FACTS),
    ("class_superclasses", "classes that are their own superclasses", _SUPERCLASS_CIRCLES),
    (
        "class_precedence",
        "finalized classes without a precedence list",
        """SELECT class_id FROM classes WHERE finalized AND metaclass_id IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM class_precedence)""",
    ),
    (
        "slot_accessors",
        "accessors of missing slots",
        """SELECT symbol_id FROM slot_accessors AS accessors WHERE NOT EXISTS (SELECT 1 FROM slots
           WHERE slots.class_id = accessors.class_id AND slots.position = accessors.slot)""",
    ),
    ("roots", "paths that contain a null character", "SELECT name FROM roots WHERE instr(path, char(0))"),
    (
        "source_files",
        "files whose paths contain a null character",
        "SELECT id FROM source_files WHERE instr(path, char(0)) OR instr(relative_path, char(0))",
    ),
    (
        "source_lines",
        "files whose lines are not numbered from 1",
        "SELECT file_id FROM source_lines GROUP BY file_id HAVING min(line) <> 1 OR max(line) <> count(*)",
    ),
    (
        "definitions",
        "definitions beyond the end of their files",
        """SELECT id FROM definitions
           WHERE end_line > (SELECT max(line) FROM source_lines WHERE file_id = definitions.file_id)""",
    ),
    (
        "symbol_references",
        "uses beyond the end of their files",
        """SELECT used.id FROM symbol_references AS used JOIN callers ON callers.id = used.caller_id
           WHERE used.line > (SELECT max(line) FROM source_lines WHERE file_id = callers.file_id)""",
    ),
)
KNOWN_RELATIONS = (
    *("calls", "macroexpands", "references", "sets", "binds", "specializes", "instantiates", "handles"),
    *("tests", "declares", "inherits", "exports", "imports", "names", "mentions", "defines"),
)
"""The names in the table ``relations``."""
# What is true of a column, unless it is empty.
_VALUES = (
    ("relations", "relation", f"IN {KNOWN_RELATIONS}"),
    ("symbols", "type", "IN ('MACRO', 'GENERIC-FUNCTION', 'FUNCTION', 'CLASS', 'VARIABLE', 'SYMBOL')"),
    ("symbols", "exported", "IN (0, 1)"),
    ("packages", "locked", "IN (0, 1)"),
    ("definitions", "operator", "IN ('SETF', 'CAS')"),
    ("definitions", "deprecated", "IN ('EARLY', 'LATE', 'FINAL', 'early', 'late', 'final')"),
    ("definitions", "end_offset", ">= start_offset"),
    ("definitions", "end_line", ">= start_line"),
    ("slots", "allocation", "IN ('instance', 'class')"),
    ("slot_accessors", "role", "IN ('reader', 'writer')"),
    ("structure_functions", "role", "IN ('constructor', 'predicate', 'copier')"),
    ("components", "state", "IN ('loaded', 'failed', 'unloaded')"),
    ("signatures", "most_arguments", ">= least_arguments"),
    ("used_symbols", "last_id", ">= first_id"),
    ("using_symbols", "uses", "IN (SELECT uses WHERE json_valid(uses))"),
    ("short_patterns", "symbols", "IN (SELECT symbols WHERE json_valid(symbols))"),
)
_LARGEST = 2**31 - 1  # of what is counted within a text or a list; numbers of rows may be larger
_ROW_NUMBERS = ("id", "_id", "_rank")
# Columns that count from 1; all other numbers count from 0.
_FROM_ONE = ("line", "start_line", "end_line", "start_column", "length")


def faults(connection: sqlite3.Connection, kind: str) -> Iterator[tuple[str, str]]:
    """What is wrong in the rows of an "index" or a "catalog": a table, and what its rows contradict.

    Raises sqlite3.DatabaseError or UnicodeDecodeError where SQLite cannot read it.
    """
    yield from broken_links(connection)
    tables = _own_tables(connection)
    for table, columns in tables.items():
        yield from _wrong_types(connection, table, columns)
        yield from _wrong_numbers(connection, table, columns)
    for table, column, condition in _VALUES:
        if column in tables.get(table, {}):
            wrong = f"SELECT {column} FROM {table} WHERE {column} IS NOT NULL AND NOT ({column} {condition})"
            yield from _found(connection, table, f"invalid values of {column}", wrong)
    if kind == "index":
        for table, key in _PLACED:  # a catalog leaves out what is not exported
            gaps = f"SELECT {key} FROM {table} GROUP BY {key} HAVING max(position) <> count(*) - 1"
            yield from _found(connection, table, "rows whose positions have gaps", gaps)
        for table, what, statement in (*RULES, *_TEXT_RULES):
            yield from _found(connection, table, what, statement)


def broken_links(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """The first rows that point to a row that is not there: a table, and which of its rows."""
    for table, row, target, _ in connection.execute("PRAGMA foreign_key_check").fetchmany(MOST_EXAMPLES):
        yield table, f"row {row} points to a missing row of {target}"


def first_fault(connection: sqlite3.Connection, kind: str) -> str | None:
    """A clause about the first thing that is wrong in a file, with its table; None if it is sound."""
    try:
        if different := schema_difference(connection.execute(MASTER), kind):
            return different
        if fault := next(faults(connection, kind), None):
            return "the table {} is inconsistent: {}".format(*fault)
        ((said,),) = connection.execute("PRAGMA integrity_check(1)")
        if said != "ok":
            return f"SQLite says: {said}"
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return f"SQLite cannot read it: {error}"
    return None


Columns = dict[str, tuple[str, bool]]


def _own_tables(connection: sqlite3.Connection) -> dict[str, Columns]:
    """The tables but for those of full text: the type of each column, and whether it may be empty."""
    found: dict[str, Columns] = {}
    for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        if not table.endswith(_SHADOWS):
            rows = connection.execute(f"PRAGMA table_info({table})").fetchall()
            found[table] = {name: (of, not required and not key) for _, name, of, required, _, key in rows}
    return found


def _wrong_types(connection: sqlite3.Connection, table: str, columns: Columns) -> Iterator[tuple[str, str]]:
    def fits(name: str, of: str, optional: bool) -> str:
        typed = f"typeof({name}) = '{_NAMES_OF_TYPES[of]}'"
        return f"({typed} OR {name} IS NULL)" if optional else typed

    tests = {name: fits(name, *of) for name, of in columns.items()}
    whole = f"SELECT 1 FROM {table} WHERE NOT ({' AND '.join(tests.values())}) LIMIT 1"
    if connection.execute(whole).fetchone() is None:  # one pass for all columns
        return
    for name, test in tests.items():
        wrong = f"SELECT typeof({name}) FROM {table} WHERE NOT {test}"
        yield from _found(connection, table, f"{name} has a value of the wrong type", wrong)


def _wrong_numbers(connection: sqlite3.Connection, table: str, columns: Columns) -> Iterator[tuple[str, str]]:
    def misses(name: str) -> str:
        if name.endswith(_ROW_NUMBERS):
            return f"{name} < 0"
        return f"{name} NOT BETWEEN {int(name in _FROM_ONE)} AND {_LARGEST}"

    tests = {name: misses(name) for name, (of, _) in columns.items() if of == "INTEGER"}
    whole = f"SELECT 1 FROM {table} WHERE {' OR '.join(tests.values())} LIMIT 1"
    if not tests or connection.execute(whole).fetchone() is None:
        return
    for name, test in tests.items():
        wrong = f"SELECT {name} FROM {table} WHERE {test}"
        yield from _found(connection, table, f"invalid values of {name}", wrong)


def _found(
    connection: sqlite3.Connection, table: str, what: str, statement: str
) -> Iterator[tuple[str, str]]:
    examples = connection.execute(statement).fetchmany(MOST_EXAMPLES)
    if examples:
        yield table, f"{what}: {', '.join(str(row[0]) for row in examples)}"
