"""The changes of a refresh in a line: which definitions were added, changed and removed, or how many."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from ..names import typed_name

_DEFINITIONS = """
    SELECT systems.name, packages.name, symbols.name, kind, operator, qualifiers, specializers,
           symbols.exported, arglist, definitions.documentation, value, defined_by,
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
_MOST_NAMED = 6

IdentifyingColumns = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class ProjectDefinitions:
    """The project's definitions by their identifying columns, and those whose symbols are exported."""

    rows: dict[IdentifyingColumns, list[tuple[object, ...]]]
    exported: set[IdentifyingColumns]

    def name(self, key: IdentifyingColumns) -> str:
        """The name of the definition, as code elsewhere writes it."""
        _, package, name, _, operator, *_ = (None if part is None else str(part) for part in key)
        if name is None:
            return f"package {typed_name(package or '', 'KEYWORD', str.upper, external=True)}"
        return typed_name(name, package, str.upper, external=key in self.exported, operator=operator)

    def with_texts_of(self, before: ProjectDefinitions) -> ProjectDefinitions:
        """These definitions, with the texts that they lack from ``before``: their file was being saved."""
        rows = {
            key: before.rows[key]
            if key in before.rows and _lacks_text(own) and not _differ(before.rows[key], own)
            else own
            for key, own in self.rows.items()
        }
        return ProjectDefinitions(rows, self.exported)


@dataclass(frozen=True, slots=True)
class Changes:
    """The numbers of definitions added, removed and changed, and the systems they belong to.

    ``named`` has their names, each after a sign, when they are few.
    """

    added: int
    removed: int
    changed: int
    systems: list[str]
    named: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        if self.named:
            return "  ".join(self.named)
        where = ", ".join(self.systems) or "no system"
        return f"+{self.added} -{self.removed} ~{self.changed} definitions in {where}"


def definitions(index: Path) -> ProjectDefinitions:
    """The project's definitions in ``index``, by their identifying columns."""
    found = ProjectDefinitions({}, set())
    with closing(sqlite3.connect(f"file:{quote(str(index))}?mode=ro&immutable=1", uri=True)) as connection:
        for row in connection.execute(_DEFINITIONS):
            found.rows.setdefault(row[:_KEY], []).append(row[_KEY + 1 :])
            if row[_KEY]:
                found.exported.add(row[:_KEY])
    for rows in found.rows.values():
        rows.sort(key=repr)
    return found


def changes(before: ProjectDefinitions, after: ProjectDefinitions) -> Changes:
    """The changes from the definitions ``before`` to the definitions ``after``.

    A definition that only moved has not changed. Nor has one, as far as is known, whose text one of the two
    lacks.
    """
    old, new = before.rows, after.rows
    differing = [key for key in old.keys() | new.keys() if _differ(old.get(key, []), new.get(key, []))]
    more = [len(new.get(key, ())) - len(old.get(key, ())) for key in differing]
    added, removed = sum(max(0, one) for one in more), sum(max(0, -one) for one in more)
    changed = sum(key in old and key in new for key in differing)
    systems = sorted({str(key[0]) for key in differing or new})
    named: list[str] = []
    if added + removed + changed <= _MOST_NAMED:
        named += sorted({f"+ {after.name(key)}" for key in differing if key not in old})
        named += sorted({f"~ {after.name(key)}" for key in differing if key in old and key in new})
        named += sorted({f"- {before.name(key)}" for key in differing if key not in new})
    return Changes(added, removed, changed, systems, named)


def _differ(old: list[tuple[object, ...]], new: list[tuple[object, ...]]) -> bool:
    if _lacks_text(old) or _lacks_text(new):
        return [row[:-1] for row in old] != [row[:-1] for row in new]
    return old != new


def _lacks_text(rows: list[tuple[object, ...]]) -> bool:
    return any(row[-1] is None for row in rows)
