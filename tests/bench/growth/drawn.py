"""What the questions to a grown index are about: as many symbols, drawn in the same way, for every size."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from bounded_rows import patterns, phrases

from oblist.query import Index

SEED = 27
_NAMED = """
SELECT symbols.name, packages.name FROM json_each(:drawn) AS one JOIN symbols ON symbols.id = one.value
JOIN packages ON packages.id = symbols.package_id
"""
_RELATION = """
SELECT symbols.name, packages.name, relations.relation FROM json_each(:drawn) AS one
JOIN {table} AS uses ON uses.symbol_id = one.value AND uses.operator IS NULL
JOIN relations ON relations.id = uses.relation_id
JOIN symbols ON symbols.id = uses.symbol_id JOIN packages ON packages.id = symbols.package_id
"""
_IS_USED = "WHERE EXISTS (SELECT 1 FROM used_symbols WHERE symbol_id = symbols.id)"
_CLASS = """
SELECT DISTINCT symbols.name, packages.name FROM json_each(:drawn) AS one
JOIN definitions ON definitions.id = one.value AND definitions.kind IN ('class', 'structure', 'condition')
JOIN symbols ON symbols.id = definitions.symbol_id JOIN packages ON packages.id = symbols.package_id
"""
_EXPORTED = """
SELECT folded FROM json_each(:drawn) AS one JOIN symbols ON symbols.id = one.value WHERE exported
"""
_TEXT = """
SELECT documentation FROM json_each(:drawn) AS one JOIN definitions ON definitions.id = one.value
WHERE documentation <> ''
"""
_EVERY_CLASS = "SELECT class_id FROM classes ORDER BY 1"


class Drawn:
    """As many as ``number`` of everything, drawn by rows' numbers, which have no gaps."""

    def __init__(self, index: Index, number: int) -> None:
        self._index, self._number, self._chance = index, number, random.Random(SEED)
        (self._symbols,), (self._definitions,) = (
            index.rows(f"SELECT max(id) FROM {table}")[0] for table in ("symbols", "definitions")
        )

    def _found(self, statement: str, draw: Callable[[], list[int]]) -> list[Any]:
        """Rows of a ``statement`` about what ``draw`` gives, until there are enough."""
        found: list[Any] = []
        while len(found) < self._number:
            rows = self._index.rows(statement, drawn=json.dumps(draw()))
            if not rows:
                break
            found += rows
        return found[: self._number]

    def _some(self, most: int) -> Callable[[], list[int]]:
        return lambda: [self._chance.randint(1, most) for _ in range(self._number)]

    def names(self) -> list[tuple[str, ...]]:
        return self._found(_NAMED, self._some(self._symbols))

    def used(self) -> list[tuple[str, ...]]:
        return self._found(_NAMED + _IS_USED, self._some(self._symbols))

    def relations(self, table: str) -> list[tuple[str, ...]]:
        return self._found(_RELATION.format(table=table), self._some(self._symbols))

    def classes(self) -> list[tuple[str, ...]]:
        every = [number for (number,) in self._index.rows(_EVERY_CLASS)]
        drawn = self._chance.sample(every, min(self._number, len(every)))
        return self._index.rows(_CLASS, drawn=json.dumps(drawn))

    def packages(self) -> list[str]:
        names = sorted(self._index.package_names.values())
        return self._chance.sample(names, min(self._number, len(names)))

    def patterns(self) -> list[str]:
        names = [name for (name,) in self._found(_EXPORTED, self._some(self._symbols))]
        return patterns(names, self._number, self._chance)

    def words(self) -> list[str]:
        texts = [text for (text,) in self._found(_TEXT, self._some(self._definitions))]
        return phrases(texts, self._number, self._chance)
