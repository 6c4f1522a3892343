"""The methods that apply to the instances of a class because of its superclasses."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...index.reading import Reading
from ...index.written import SymbolRow
from . import sql
from .answer import MethodAnswer
from .precedence import is_root

Accessor = tuple[int, str | None]
"""A function that reads or writes a slot: its symbol's number, and SETF for one that is ``(setf symbol)``."""


class Inherited(NamedTuple):
    """The inherited methods of a class, by number, each with the superclass that it is on."""

    methods: list[tuple[int, SymbolRow]]

    def by_class(self, index: Reading) -> dict[str, int]:
        """Return their numbers by superclass, most specific first."""
        return dict(Counter(above.written(index) for _, above in self.methods))

    def page(self, index: Reading, limit: int, offset: int) -> Iterator[MethodAnswer]:
        """Yield at most ``limit`` of them, after ``offset``; 0 means all."""
        shown = self.methods[offset : offset + limit if limit else None]
        numbers = json.dumps([number for number, _ in shown])
        rows = map(sql.MethodRow.of, index.rows(sql.METHODS_LISTED, methods=numbers))
        for (_, above), row in zip(shown, rows, strict=True):
            yield method_answer(index, row, above.written(index))


def inherited_methods(index: Reading, chain: Sequence[SymbolRow], slots: Iterable[Accessor]) -> Inherited:
    """Find the methods on the superclasses in ``chain``, which begins with the class itself.

    Left out are those that also specialize on the class, those on T, and the accessors of its ``slots``.
    """
    known = set(slots)
    classes = [one for one in chain if not is_root(index, one)]
    numbers = json.dumps([one.number for one in classes])
    rows = map(sql.ApplicableRow._make, index.rows(sql.METHODS_ON_ANY, classes=numbers))
    return Inherited(
        [
            (row.method, classes[row.place])
            for row in rows
            if row.place and (row.qualifiers or (row.symbol, row.operator) not in known)
        ]
    )


def method_answer(index: Reading, row: sql.MethodRow, on: str) -> MethodAnswer:
    """Make the answer about one method, which specializes on the class ``on``."""
    home = row.symbol.package
    return MethodAnswer(
        written=row.symbol.written(index, row.operator),
        on=on,
        package=None if home is None else index.package_names[home],
        qualifiers=row.qualifiers,
        specializers=row.specializers,
        arglist=row.arglist,
        **row.place.start(index),
    )
