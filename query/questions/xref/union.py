"""The uses that several indexes have, each once."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...index.reading import Reading
from ...index.relations import RELATIONS
from . import sql
from .answer import ReferenceAnswer
from .ask import Question, all_uses
from .references import References
from .sql import PlaceRow, UseRow

_PLACE_IN_ORDER = {relation: number for number, relation in enumerate(RELATIONS)}

_Key = tuple[Any, ...]


class AskedIndex:
    """One index that has the name, and its uses."""

    def __init__(self, index: Reading, question: Question) -> None:
        self.index = index
        self.question = question
        self._references = References(index)

    def uses(self) -> Iterator[Use]:
        """All uses, in the order of this index."""
        rows = all_uses(self.index, self.question)
        places = self._places(rows)
        self._references.names.read(rows)
        for row in rows:
            relation = self._references.relations[row.relation]
            below = places.get(row.file) if row.file is not None else None
            yield Use(self, row, relation, self.index.local_path(row.path), below, [self])

    def _places(self, rows: list[UseRow]) -> dict[int, tuple[str, str]]:
        """The root and the path below it of each file."""
        files = json.dumps(sorted({row.file for row in rows if row.file is not None}))
        found = map(PlaceRow._make, self.index.rows(sql.PLACES, files=files))
        return {
            one.file: (one.root, one.path) for one in found if one.root is not None and one.path is not None
        }

    def caller(self, row: UseRow) -> _Key:
        """The caller of a use, by what it is called in any index, whether or not it is exported there."""
        one = self._references.names.caller(row.definition, row.code)
        return one.name.replace("::", ":"), one.package, one.kind

    def callee(self, row: UseRow) -> _Key:
        """The callee of a use, by what it is called in any index."""
        one = self._references.names.callee(row.callee, row.operator)
        return one.package, one.name, row.operator

    def answers(self, rows: Sequence[UseRow]) -> list[ReferenceAnswer]:
        """The answers for uses, in order."""
        return self._references.answers(rows)


@dataclass(slots=True)
class Use:
    """A use in the first index that has it; ``below`` is its file below a root, ``having`` its indexes."""

    asked: AskedIndex
    row: UseRow
    relation: str
    path: str | None
    below: tuple[str, str] | None
    having: list[AskedIndex] = field(default_factory=list)

    @property
    def keys(self) -> tuple[_Key, ...]:
        """The keys of the use, by where its file is: a use in another index with such a key is the same."""
        same = (
            *(self.relation, self.asked.callee(self.row), self.asked.caller(self.row)),
            *(self.row.line, self.row.column),
        )
        by_path = (*same, self.path)
        return (by_path,) if self.below is None else (by_path, (*same, *self.below))

    @property
    def order(self) -> _Key:
        """The sort key, as in one index."""
        return _PLACE_IN_ORDER[self.relation], self.row.order


def union(asked: list[AskedIndex]) -> list[Use]:
    """The uses of all, in order, each once.

    An index may have two uses that look the same, as two expansions on one line. Then the answer has both: a
    use in one index is the same as at most one in another.
    """
    found: list[Use] = []
    known: defaultdict[_Key, list[Use]] = defaultdict(list)
    for one in asked:
        for use in one.uses():
            same = _first(known, use)
            if same is None:
                found.append(use)
                for key in use.keys:
                    known[key].append(use)
            else:
                same.having.append(one)
    found.sort(key=lambda use: use.order)
    return found


def _first(known: dict[_Key, list[Use]], use: Use) -> Use | None:
    """The first of the ``known`` uses that is the same as ``use``, and not yet found in its index."""
    same = (other for key in use.keys for other in known.get(key, ()))
    return next((other for other in same if use.asked not in other.having), None)


def callers_of(uses: list[Use]) -> int:
    """The number of distinct callers; code outside definitions is told apart by its file."""
    return len(
        {
            (use.asked.caller(use.row), None if use.row.definition is not None else use.below or use.path)
            for use in uses
        }
    )


def callees_of(uses: list[Use]) -> int:
    """The number of distinct callees."""
    return len({use.asked.callee(use.row) for use in uses})
