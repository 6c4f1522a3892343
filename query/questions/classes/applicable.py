"""The methods that apply to the instances of a class: its own, and those on its superclasses."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from ...index.finding.resolve import find_symbol
from ...index.reading import Reading
from ...index.written import SymbolRow
from . import sql
from .answer import MethodAnswer
from .precedence import is_root

Accessor = tuple[int, int, str | None]
"""A function that reads or writes a slot: the number of the class that defines the slot, that of the
function's symbol, and SETF for one that is ``(setf symbol)``."""
_Listed = Sequence[tuple[int, SymbolRow]]


@dataclass
class Applicable:
    """The methods on the classes of ``chain``, a class and its superclasses without T, in that order.

    ``accessors`` are those of the slots that the answer shows: it lists them with their slots only.
    """

    index: Reading
    chain: Sequence[SymbolRow]
    rows: Sequence[sql.ApplicableRow]
    accessors: Set[Accessor]

    @cached_property
    def own(self) -> _Listed:
        """The methods on the class itself, by name."""
        return [one for one in self._shown if one[1] is self.chain[0]]

    @cached_property
    def inherited(self) -> _Listed:
        """The methods on superclasses, and not on the class, those on the most specific class first."""
        return [one for one in self._shown if one[1] is not self.chain[0]]

    @cached_property
    def _shown(self) -> _Listed:
        return [
            (row.method, above)
            for row in self.rows
            for above in (self.chain[row.place],)
            if row.qualifiers or (above.number, row.symbol, row.operator) not in self.accessors
        ]

    def inherited_by_class(self) -> dict[str, int]:
        """Return the numbers of inherited methods by superclass, most specific first."""
        numbers = Counter(above.number for _, above in self.inherited)
        return {one.written(self.index): numbers[one.number] for one in self.chain if one.number in numbers}

    def printer(self) -> MethodAnswer | None:
        """Return the most specific primary method of PRINT-OBJECT."""
        home = self.index.package_numbers.get("COMMON-LISP")
        name = None if home is None else find_symbol(self.index, home, "PRINT-OBJECT")
        rows = (row for row in self.rows if name is not None and row.symbol == name.number)
        found = [(row.method, self.chain[row.place]) for row in rows if row.qualifiers is None][:1]
        return next(method_answers(self.index, found), None)


def applicable(index: Reading, chain: Sequence[SymbolRow], accessors: Set[Accessor]) -> Applicable:
    """Find the methods on the classes in ``chain``, which begins with the class itself; T has its own way."""
    if is_root(index, chain[0]):
        return Applicable(index, chain, [], accessors)
    classes = [one for one in chain if not is_root(index, one)]
    numbers = json.dumps([one.number for one in classes])
    rows = index.rows(sql.METHODS_ON_ANY, classes=numbers)
    return Applicable(index, classes, list(map(sql.ApplicableRow._make, rows)), accessors)


def own_methods(index: Reading, found: Applicable) -> _Listed:
    """Return the methods on the class itself, by name.

    Those on T are thousands, so they are remembered; it has no slots.
    """
    first = found.chain[0]
    if is_root(index, first):
        return [(method, first) for (method,) in index.remembered(sql.METHODS_IN_ORDER, symbol=first.number)]
    return found.own


def page(index: Reading, methods: _Listed, limit: int, offset: int) -> list[MethodAnswer]:
    """Return the answers about at most ``limit`` of ``methods``, after ``offset``; 0 means all."""
    return list(method_answers(index, methods[offset : offset + limit if limit else None]))


def method_answers(index: Reading, methods: _Listed) -> Iterator[MethodAnswer]:
    """Yield the answers about ``methods``, each with the class that it is on."""
    numbers = json.dumps([number for number, _ in methods])
    rows = map(sql.MethodRow.of, index.rows(sql.METHODS_LISTED, methods=numbers))
    forms = {on.number: on.written(index) for on in {on.number: on for _, on in methods}.values()}
    for (_, on), row in zip(methods, rows, strict=True):
        home = row.symbol.package
        yield MethodAnswer(
            written=row.symbol.written(index, row.operator),
            on=forms[on.number],
            package=None if home is None else index.package_names[home],
            qualifiers=row.qualifiers,
            specializers=row.specializers,
            arglist=row.arglist,
            **row.place.start(index),
        )
