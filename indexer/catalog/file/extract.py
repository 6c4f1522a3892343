"""The extract of a slice: the rows that the catalog takes from it, as a small SQLite file.

It has the tables of the slice that file/rows.py reads, with those rows only, and two of the catalog's own. So
whoever writes the catalog never needs the slice.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from ...format import SLICE

# The columns of definitions that a catalog leaves empty: the slice has them.
_PLACE = (
    *("file_id", "toplevel_form", "form_number", "toplevel_offset", "start_line", "start_column"),
    *("start_offset", "end_offset", "end_line"),
)
_OWN = "(SELECT id FROM slice.packages WHERE name NOT IN (SELECT value FROM json_each(:outside)))"
# Keywords are everybody's.
_EXPORTED = """(SELECT symbols.id FROM slice.symbols JOIN slice.packages ON packages.id = symbols.package_id
                WHERE exported AND packages.name <> 'KEYWORD')"""
_EXPORTED_DEFINITIONS = f"(SELECT id FROM slice.definitions WHERE symbol_id IN {_EXPORTED})"
_DEFINED = """EXISTS (SELECT 1 FROM slice.definitions WHERE definitions.symbol_id = symbols.id
                      AND definitions.kind <> 'method')"""
_CLASS_TABLES = ("class_superclasses", "class_precedence")
_STATEMENTS = (
    "CREATE TABLE meta AS SELECT * FROM slice.meta",
    "CREATE TABLE kinds AS SELECT * FROM slice.kinds",
    f"CREATE TABLE packages AS SELECT *, id IN {_OWN} AS own FROM slice.packages",
    f"""CREATE TABLE package_nicknames AS SELECT * FROM slice.package_nicknames
        WHERE package_id IN {_OWN}""",
    f"CREATE TABLE signatures AS SELECT * FROM slice.signatures WHERE id IN {_EXPORTED_DEFINITIONS}",
    *(
        f"CREATE TABLE {table} AS SELECT * FROM slice.{table} WHERE class_id IN {_EXPORTED_DEFINITIONS}"
        for table in _CLASS_TABLES
    ),
    # A catalog leaves the classes of EQL objects empty, too.
    f"""CREATE TABLE method_specializers AS
        SELECT definition_id, position, symbol_id, eql FROM slice.method_specializers
        WHERE definition_id IN {_EXPORTED_DEFINITIONS}""",
    # Besides what the release exports, the classes that this names.
    f"""CREATE TABLE symbols AS SELECT *, id IN {_EXPORTED} AS taken FROM slice.symbols
        WHERE id IN {_EXPORTED} OR id IN (SELECT symbol_id FROM class_superclasses)
           OR id IN (SELECT symbol_id FROM class_precedence)
           OR id IN (SELECT symbol_id FROM method_specializers)""",
    "CREATE UNIQUE INDEX symbols_by_id ON symbols (id)",
    f"CREATE TABLE presences AS SELECT * FROM slice.presences WHERE symbol_id IN {_EXPORTED}",
    f"""CREATE TABLE release_names AS
        SELECT DISTINCT symbols.name, packages.name AS package, symbols.type, status
        FROM slice.presences JOIN slice.symbols ON symbols.id = symbol_id
        JOIN slice.packages ON packages.id = presences.package_id AND packages.name <> 'KEYWORD'
        WHERE (presences.package_id IN {_OWN} AND (status = 'external' OR {_DEFINED})
           OR presences.package_id = symbols.package_id AND {_DEFINED})""",
    f"""CREATE TABLE release_uses AS
        SELECT packages.name AS package, symbols.name, count(*) AS uses
        FROM slice.symbol_references JOIN slice.symbols ON symbols.id = callee_id
        JOIN slice.packages ON packages.id = symbols.package_id
        WHERE packages.id NOT IN {_OWN} AND packages.name NOT IN ('KEYWORD', 'COMMON-LISP')
        GROUP BY packages.name, symbols.name""",
    f"""CREATE TABLE counts AS
        SELECT (SELECT count(*) FROM slice.packages WHERE id IN {_OWN}) AS packages,
               (SELECT count(*) FROM slice.symbols WHERE id IN {_EXPORTED} OR {_DEFINED}) AS symbols,
               (SELECT count(*) FROM slice.symbols WHERE id IN {_EXPORTED}) AS exports,
               (SELECT count(*) FROM slice.definitions) AS definitions""",
)


def write_extract(slice_: Path, extract: Path) -> None:
    """Write the extract of ``slice_`` to the new file ``extract``."""
    with closing(sqlite3.connect(f"file:{quote(str(extract))}", uri=True)) as connection:
        connection.execute(f"ATTACH '{read_only(slice_)}' AS slice")
        facts = connection.execute("SELECT value FROM slice.meta WHERE name = ?", [SLICE]).fetchone()
        outside = json.dumps(json.loads(facts[0])["outside"] if facts else ["KEYWORD"])
        for statement in _STATEMENTS:
            connection.execute(statement, {"outside": outside})
        connection.execute(_definitions(connection))
        connection.execute("CREATE UNIQUE INDEX definitions_by_id ON definitions (id)")
        connection.commit()


def _definitions(connection: sqlite3.Connection) -> str:
    """The statement for the definitions of what is exported, without their places."""
    columns = [row[1] for row in connection.execute("PRAGMA slice.table_info(definitions)")]
    taken = ", ".join(f"NULL AS {name}" if name in _PLACE else name for name in columns)
    return f"""CREATE TABLE definitions AS SELECT {taken} FROM slice.definitions
               WHERE symbol_id IN {_EXPORTED}"""


def read_only(path: Path) -> str:
    """The address of a database that only one process knows, to be attached; quoted for SQL."""
    return f"file:{quote(str(path))}?mode=ro&immutable=1".replace("'", "''")
