"""The rows of a catalog: those of a release come from its slice, and go with it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...names import words
from ...schema.fulltext import fulltext_add, fulltext_drop
from .extract import read_only
from .tables import CATALOG_FULL_TEXT


@dataclass(frozen=True, slots=True)
class ReleaseRows:
    """What a catalog says of a release, apart from what its slice has.

    ``slice`` is the absolute path or URL of its slice. ``systems`` are rows of name, version and state;
    ``dependencies`` of relation and name; ``problems`` of subject and message.
    """

    name: str
    version: str | None
    licence: str | None
    author: str | None
    description: str | None
    state: str
    place: str
    root: str | None
    slice: str | None
    key: str
    seconds: float
    systems: Sequence[tuple[str, str | None, str]]
    dependencies: Sequence[tuple[str, str]]
    problems: Sequence[tuple[str, str]]


_EXPORTED = "(SELECT id FROM slice.symbols WHERE taken)"
# Places of superclasses that are not direct ones come after those that are.
_INDIRECT = 1_000_000
# The classes that a slice names, and their symbols in the catalog: of the release that was written last, if
# there are several.
_CLASSES = "CREATE TEMP TABLE classes (name INTEGER PRIMARY KEY, symbol_id INTEGER)"
_COPY = (
    """INSERT INTO packages (id, name, documentation, locked, system_id)
       SELECT id + :packages, name, documentation, locked, CASE WHEN own THEN :release END
       FROM slice.packages WHERE own OR id IN (SELECT package_id FROM slice.symbols WHERE taken)""",
    """INSERT INTO package_nicknames (nickname, package_id)
       SELECT nickname, package_id + :packages FROM slice.package_nicknames""",
    """INSERT INTO symbols (id, name, package_id, folded, type, exported, search_rank)
       SELECT id + :symbols, name, package_id + :packages, folded, type, 1, search_rank
       FROM slice.symbols WHERE taken""",
    """INSERT INTO presences (symbol_id, package_id, status)
       SELECT symbol_id + :symbols, presences.package_id + :packages, status FROM slice.presences
       JOIN main.packages ON packages.id = presences.package_id + :packages""",
    """INSERT INTO signatures
       SELECT id + :definitions, argument_types, result_types, least_arguments, most_arguments
       FROM slice.signatures""",
    "DELETE FROM temp.classes",
    f"""INSERT INTO temp.classes (name, symbol_id)
        SELECT named.symbol_id, CASE
            WHEN named.symbol_id IN {_EXPORTED} THEN named.symbol_id + :symbols
            ELSE (SELECT max(theirs.id) FROM main.symbols AS theirs
                  JOIN main.packages AS home ON home.id = theirs.package_id AND home.name = packages.name
                  WHERE theirs.name = symbols.name) END
        FROM (SELECT symbol_id FROM slice.class_superclasses UNION
              SELECT symbol_id FROM slice.class_precedence UNION
              SELECT symbol_id FROM slice.method_specializers) AS named
        JOIN slice.symbols ON symbols.id = named.symbol_id
        JOIN slice.packages ON packages.id = symbols.package_id""",
    # A direct superclass may not be exported, but one above it may.
    f"""INSERT INTO class_superclasses
        SELECT class_id + :definitions, position, classes.symbol_id
        FROM (SELECT class_id, position, symbol_id FROM slice.class_superclasses UNION ALL
              SELECT class_id, position + {_INDIRECT}, symbol_id FROM slice.class_precedence
              WHERE position > 0) AS above
        JOIN temp.classes ON classes.name = above.symbol_id AND classes.symbol_id IS NOT NULL""",
    """INSERT INTO method_specializers (definition_id, position, symbol_id, eql)
       SELECT definition_id + :definitions, position, classes.symbol_id, eql
       FROM slice.method_specializers LEFT JOIN temp.classes ON classes.name = method_specializers.symbol_id
       WHERE classes.symbol_id IS NOT NULL OR eql IS NOT NULL""",
    """INSERT OR IGNORE INTO release_names (name, release_id, package, type, status)
       SELECT name, :release, package, type, status FROM slice.release_names""",
    """INSERT INTO release_uses (release_id, package, name, uses)
       SELECT :release, package, name, uses FROM slice.release_uses""",
)
_COUNTS = "SELECT packages, symbols, exports, definitions FROM slice.counts"
_OF_RELEASE = ("release_systems", "release_names", "release_uses", "release_problems")


class CatalogRows:
    """Adds and drops the rows of releases in the unpublished catalog of ``connection``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.execute(_CLASSES)
        connection.create_function("split_words", 1, words, deterministic=True)
        columns = [row[1] for row in connection.execute("PRAGMA table_info(definitions)")]
        taken = [
            {
                "id": "definitions.id + :definitions",
                "symbol_id": "definitions.symbol_id + :symbols",
                "called": ":called || ' ' || split_words(coalesce(packages.name, ''))",
                "about": ":about",
            }.get(name, f"definitions.{name}")
            for name in columns
        ]
        self._definitions = f"""INSERT INTO definitions ({", ".join(columns)})
            SELECT {", ".join(taken)} FROM slice.definitions
            JOIN slice.symbols ON symbols.id = symbol_id
            JOIN slice.packages ON packages.id = symbols.package_id"""

    def add(self, release: ReleaseRows, extract: Path | None) -> None:
        """Add a release, and what the extract of its slice has, if it has one."""
        number = self._most("systems") + 1
        connection = self._connection
        connection.execute(
            "INSERT INTO systems VALUES (?, ?, 0, ?, ?, ?, ?, ?)",
            [
                number,
                *(release.name, release.version, release.licence, release.author, release.description),
                release.place,
            ],
        )
        counts: tuple[int, ...] = (0, 0, 0, 0)
        if extract is not None:
            counts = self._copy(release, extract, number)
        systems = [name for name, *_ in release.systems]
        connection.execute(
            "INSERT INTO releases VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                *(number, release.name, release.version, release.state, release.place, release.root),
                release.slice,
                *(release.key, str(release.seconds), *counts),
                " ".join(dict.fromkeys(words(" ".join((release.name, *systems))).split())),
                release.description,
            ],
        )
        connection.execute(fulltext_add("releases", "id = ?", CATALOG_FULL_TEXT), [number])
        connection.executemany(
            "INSERT OR IGNORE INTO release_systems VALUES (?, ?, ?, ?)",
            [(number, *system) for system in release.systems],
        )
        connection.executemany(
            "INSERT INTO system_dependencies VALUES (?, ?, ?, ?, NULL)",
            [(number, position, *one) for position, one in enumerate(release.dependencies)],
        )
        connection.executemany(
            "INSERT INTO release_problems VALUES (?, ?, ?)", [(number, *one) for one in release.problems]
        )

    def _copy(self, release: ReleaseRows, extract: Path, number: int) -> tuple[int, ...]:
        """Copy the rows of the extract; returns its counts."""
        connection = self._connection
        values = {
            "release": number,
            "packages": self._most("packages"),
            "symbols": self._most("symbols"),
            "definitions": self._most("definitions"),
            "called": words(release.name),
            "about": release.description,
        }
        connection.execute(f"ATTACH '{read_only(extract)}' AS slice")
        try:
            connection.execute("INSERT OR IGNORE INTO kinds SELECT * FROM slice.kinds")
            for statement in _COPY[:4]:
                connection.execute(statement, values)
            connection.execute(self._definitions, values)
            for statement in _COPY[4:]:
                connection.execute(statement, values)
            for source in ("symbols", "exported_names"):
                connection.execute(
                    fulltext_add(source, "id > :symbols", CATALOG_FULL_TEXT), {"symbols": values["symbols"]}
                )
            for source in ("definitions", "signatures"):
                connection.execute(
                    fulltext_add(source, "id > :definitions", CATALOG_FULL_TEXT),
                    {"definitions": values["definitions"]},
                )
            counts = connection.execute(_COUNTS, values).fetchone()
            connection.commit()
        finally:
            connection.execute("DETACH slice")
        return tuple(counts)

    def drop(self, number: int) -> None:
        """Drop a release and all that came with it."""
        connection = self._connection
        symbols = "SELECT id FROM symbols WHERE package_id IN (SELECT id FROM packages WHERE system_id = ?)"
        found = json.dumps([one for (one,) in connection.execute(symbols, [number])])
        rows = connection.execute(
            "SELECT id FROM definitions WHERE symbol_id IN (SELECT value FROM json_each(?))", [found]
        )
        definitions = json.dumps([one for (one,) in rows])
        listed = "id IN (SELECT value FROM json_each(?))"
        for source, numbers in (
            *(("symbols", found), ("exported_names", found)),
            *(("definitions", definitions), ("signatures", definitions)),
        ):
            connection.execute(fulltext_drop(source, listed, CATALOG_FULL_TEXT), [numbers])
        for table, column, numbers in (
            ("signatures", "id", definitions),
            ("class_superclasses", "class_id", definitions),
            ("class_superclasses", "symbol_id", found),
            ("method_specializers", "definition_id", definitions),
            ("method_specializers", "symbol_id", found),
            ("definitions", "id", definitions),
            ("presences", "symbol_id", found),
            ("symbols", "id", found),
        ):
            connection.execute(
                f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))", [numbers]
            )
        connection.execute(
            "DELETE FROM package_nicknames WHERE package_id IN (SELECT id FROM packages WHERE system_id = ?)",
            [number],
        )
        connection.execute("DELETE FROM packages WHERE system_id = ?", [number])
        for table in _OF_RELEASE:
            connection.execute(f"DELETE FROM {table} WHERE release_id = ?", [number])
        connection.execute("DELETE FROM system_dependencies WHERE system_id = ?", [number])
        connection.execute(fulltext_drop("releases", "id = ?", CATALOG_FULL_TEXT), [number])
        connection.execute("DELETE FROM releases WHERE id = ?", [number])
        connection.execute("DELETE FROM systems WHERE id = ?", [number])

    def _most(self, table: str) -> int:
        ((number,),) = self._connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}")
        return int(number)
