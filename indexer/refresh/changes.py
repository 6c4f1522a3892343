"""The changes of a refresh in a line: how many definitions were added, removed and changed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

_DEFINITIONS = """
    SELECT systems.name, packages.name, symbols.name, kind, operator, qualifiers, specializers,
           definitions.package_id, arglist, definitions.documentation, value, defined_by,
           (SELECT group_concat(text, char(10)) FROM
             (SELECT text FROM source_lines WHERE source_lines.file_id = definitions.file_id
              AND line BETWEEN start_line AND end_line ORDER BY line))
    FROM definitions
    JOIN source_files ON source_files.id = definitions.file_id
    JOIN systems ON systems.id = source_files.system_id AND systems.asked
    LEFT JOIN symbols ON symbols.id = definitions.symbol_id
    LEFT JOIN packages ON packages.id = coalesce(symbols.package_id, definitions.package_id)
"""
_KEY = 7  # the first columns, which identify a definition


Definitions = dict[tuple[object, ...], list[tuple[object, ...]]]


@dataclass(frozen=True, slots=True)
class Changes:
    """The numbers of definitions added, removed and changed, and the systems they belong to."""

    added: int
    removed: int
    changed: int
    systems: list[str]

    def __str__(self) -> str:
        where = ", ".join(self.systems) or "no system"
        return f"+{self.added} -{self.removed} ~{self.changed} definitions in {where}"


def definitions(index: Path) -> Definitions:
    """The project's definitions in ``index``, by their identifying columns."""
    found: Definitions = {}
    with closing(sqlite3.connect(f"file:{quote(str(index))}?mode=ro&immutable=1", uri=True)) as connection:
        for row in connection.execute(_DEFINITIONS):
            found.setdefault(row[:_KEY], []).append(row[_KEY + 1 :])
    for rows in found.values():
        rows.sort(key=repr)
    return found


def changes(before: Definitions, after: Definitions) -> Changes:
    """The changes from the definitions ``before`` to the definitions ``after``.

    A definition that only moved has not changed.
    """
    differing = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
    return Changes(
        added=sum(max(0, len(after.get(key, ())) - len(before.get(key, ()))) for key in differing),
        removed=sum(max(0, len(before.get(key, ())) - len(after.get(key, ()))) for key in differing),
        changed=sum(key in before and key in after for key in differing),
        systems=sorted({str(key[0]) for key in differing or after}),
    )
