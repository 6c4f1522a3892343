"""The material: the rows of a real index, as the generator reads them."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import quote

from oblist.indexer.records import STREAM_VERSION, Definition, Header

Row = tuple[Any, ...]
OPERATORS = (None, "SETF", "CAS")  # as in the header that SBCL writes
DEFINITION_FIELDS = tuple(field.name for field in fields(Definition) if field.name != "fresh")
_OTHER_COLUMNS = {
    "symbol": "symbol_id",
    "package": "package_id",
    "file": "file_id",
    "line": "start_line",
    "column": "start_column",
    "offset": "start_offset",
}
_DEFINITIONS = (
    f"SELECT {', '.join(_OTHER_COLUMNS.get(name, name) for name in DEFINITION_FIELDS)}"
    " FROM definitions LEFT JOIN signatures USING (id) ORDER BY id"
)
_PRESENT = "SELECT package_id, symbol_id, status FROM presences ORDER BY package_id, symbol_id"
_USES = """
SELECT id, relation_id, callee_id, callee_operator, caller_id, form_number, line, start_column, length,
       expansion_id, text_relation_id FROM symbol_references ORDER BY id
"""
_ACCESSORS = "SELECT class_id, slot, role, symbol_id, operator FROM slot_accessors ORDER BY 1, 2, position"
_SLOTS = """
SELECT class_id, position, name, symbol_id, type, allocation, initform, documentation, read_only, initargs
FROM slots ORDER BY 1, 2
"""


@dataclass(frozen=True, slots=True)
class ClassRows:
    """What an index has about a class beside its definition; slots as in the record Class."""

    facts: Row
    superclasses: list[int]
    precedence: list[int]
    slots: list[list[Any]]
    default_initargs: list[list[str]]
    functions: list[list[Any]]


class Material:
    """The rows of the index at ``path``; uses, by far the most, are read as a stream."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with closing(self.connect()) as connection:

            def rows(statement: str) -> list[Row]:
                return connection.execute(statement).fetchall()

            self.header = _header(dict(rows("SELECT name, value FROM meta")), rows)
            self.systems = rows("SELECT * FROM systems ORDER BY id")
            self.dependencies = _lists(rows("SELECT * FROM system_dependencies ORDER BY 1, position"))
            self.roots = rows("SELECT name, path, system_id FROM roots ORDER BY id")
            self.problems = rows("SELECT stage, subject, part, condition, message, path, line FROM problems")
            self.packages = rows("SELECT id, name, documentation, locked FROM packages ORDER BY id")
            self.nicknames = _lists(rows("SELECT package_id, nickname FROM package_nicknames ORDER BY 1, 2"))
            self.local_nicknames = _lists(rows("SELECT * FROM package_local_nicknames ORDER BY 1, 2"))
            self.package_uses = _lists(
                rows("SELECT package_id, used_id FROM package_uses ORDER BY 1, position")
            )
            self.shadowing = _lists(rows("SELECT * FROM package_shadowing ORDER BY 1, 2"))
            self.symbols = rows("SELECT id, name, package_id, type FROM symbols ORDER BY id")
            self.presences = _lists(rows(_PRESENT))
            self.files = rows("SELECT id, recorded, path, system_id FROM source_files ORDER BY id")
            self.definitions = rows(_DEFINITIONS)
            self.classes = _classes(rows)
            self.specializers = _lists(
                rows(
                    "SELECT definition_id, symbol_id, eql, eql_class_id FROM method_specializers"
                    " ORDER BY 1, position"
                )
            )
            self.documentation = rows("SELECT * FROM documentation ORDER BY 1, 2")
            self.expansions = rows("SELECT id, name FROM expansions ORDER BY id")
            self.callers = rows(
                "SELECT id, definition_id, name, file_id, toplevel_form FROM callers ORDER BY 1"
            )
            self.unread = rows("SELECT * FROM unread_text")

    def connect(self) -> sqlite3.Connection:
        """A connection that reads the index."""
        return sqlite3.connect(f"file:{quote(str(self.path))}?mode=ro", uri=True)

    def write_texts(self, folder: Path) -> None:
        """Write the text of each source file that the index has, named by its number, into ``folder``."""
        with closing(self.connect()) as connection:
            for number, *_ in self.files:
                lines = connection.execute(
                    "SELECT text FROM source_lines WHERE file_id = ? ORDER BY line", [number]
                ).fetchall()
                if lines:
                    text = "\n".join(line for (line,) in lines)
                    (folder / str(number)).write_text(text, encoding="utf-8", newline="")


def uses_of(connection: sqlite3.Connection) -> sqlite3.Cursor:
    """The uses of an index in order: their number, and the fields of the record Uses."""
    return connection.execute(_USES)


def users_of(connection: sqlite3.Connection) -> sqlite3.Cursor:
    """The lists of the uses that the definitions of symbols make: symbol, operator, relation, numbers."""
    return connection.execute(
        "SELECT symbol_id, operator, relation_id, uses FROM using_symbols WHERE uses IS NOT NULL"
        " ORDER BY symbol_id, rowid"
    )


def _lists(rows: list[Row]) -> dict[int, list[Any]]:
    """The rest of each row by its first column; alone, where it is one column."""
    found = defaultdict(list)
    for key, *rest in rows:
        found[key].append(rest[0] if len(rest) == 1 else tuple(rest))
    return dict(found)


def _header(meta: dict[str, str], rows: Any) -> Header:
    return Header(
        stream=STREAM_VERSION,
        implementation=meta["implementation"],
        machine=meta["machine"],
        features=meta["features"].split(),
        case_pairs=[meta["case_upper"], meta["case_lower"]],
        titlecase_pairs=[meta["case_title"], meta["case_title_upper"]],
        relations=[name for (name,) in rows("SELECT relation FROM relations ORDER BY id")],
        operators=list(OPERATORS),
        kinds=[list(kind) for kind in rows("SELECT kind, documentation_type, description FROM kinds")],
        left_out=[],
    )


def _classes(rows: Any) -> dict[int, ClassRows]:
    """The rows of all classes by their definitions."""
    above = _lists(rows("SELECT class_id, symbol_id FROM class_superclasses ORDER BY 1, position"))
    precedence = _lists(rows("SELECT class_id, symbol_id FROM class_precedence ORDER BY 1, position"))
    initargs = _lists(rows("SELECT class_id, initarg, form FROM default_initargs ORDER BY 1, position"))
    functions = _lists(
        rows("SELECT class_id, role, by_position, symbol_id FROM structure_functions ORDER BY 1, position")
    )
    accessors: defaultdict[tuple[int, int, str], list[list[Any]]] = defaultdict(list)
    for number, slot, role, symbol, operator in rows(_ACCESSORS):
        accessors[number, slot, role].append([symbol, operator])
    slots = defaultdict(list)
    for number, place, *facts in rows(_SLOTS):
        of_slot = [accessors[number, place, role] for role in ("reader", "writer")]
        slots[number].append([*facts, *of_slot])
    return {
        number: ClassRows(
            (bool(finalized), metaclass, representation, prefix),
            *(above.get(number, []), precedence.get(number, []), slots.get(number, [])),
            [list(pair) for pair in initargs.get(number, [])],
            [list(one) for one in functions.get(number, [])],
        )
        for number, metaclass, finalized, representation, prefix in rows("SELECT * FROM classes")
    }
