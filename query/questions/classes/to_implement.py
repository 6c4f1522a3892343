"""The generic functions that a class, or a superclass of it, leaves to its subclasses.

A documented protocol says so, or a method that only signals. Such a method may also forbid the call: it
counts if its text speaks of implementing, or if the index has a subclass that implements the function.

A function counts as implemented if any class before that one has a primary method of it, whatever its other
arguments are.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...index.finding.resolve import find_symbol
from ...index.place import NOWHERE
from ...index.reading import Reading
from ...index.written import SymbolRow
from . import sql
from .answer import GenericToImplement
from .protocols import PROTOCOLS
from .signalling import MOST_READ, only_signalling

_Function = tuple[int, str | None]
_Methods = Mapping[_Function, Sequence[sql.ApplicableRow]]
_MISSING, _DEFAULT, _IMPLEMENTED = "missing", "default", "implemented"


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """A generic function that the class at ``place`` of the chain leaves to its subclasses.

    ``reached`` is the method that a call reaches, None if it is missing; ``signalling`` that which only
    signals, if there is one.
    """

    function: _Function
    place: int
    protocol: str | None
    required: bool
    reached: sql.ApplicableRow | None
    signalling: sql.ApplicableRow | None

    @property
    def state(self) -> str:
        """Whether it is missing, has a default, or is implemented."""
        if self.reached is None:
            return _MISSING
        return _IMPLEMENTED if self.reached.place < self.place else _DEFAULT


@dataclass(frozen=True, slots=True)
class ToImplement:
    """All that is left open to the class whose ``chain`` of superclasses begins with it."""

    chain: Sequence[SymbolRow]
    functions: Sequence[LeftOpen]
    unread: int

    def page(self, index: Reading, limit: int, offset: int) -> Iterator[GenericToImplement]:
        """Yield at most ``limit`` of them, after ``offset``; 0 means all."""
        shown = self.functions[offset : offset + limit if limit else None]
        names = index.rows(sql.GENERIC_FUNCTIONS, functions=json.dumps([one.function for one in shown]))
        methods = [one.reached or one.signalling for one in shown]
        listed = list(dict.fromkeys(one.method for one in methods if one is not None))
        rows = map(sql.MethodRow.of, index.rows(sql.METHODS_LISTED, methods=json.dumps(listed)))
        places = dict(zip(listed, (row.place for row in rows), strict=True))
        for one, method, name in zip(shown, methods, map(sql.GenericFunctionRow.of, names), strict=True):
            place = places[method.method] if method is not None else NOWHERE
            reached = None if one.reached is None else self.chain[one.reached.place]
            yield GenericToImplement(
                written=name.symbol.written(index, one.function[1]),
                arglist=name.arglist,
                on=self.chain[one.place].written(index),
                protocol=one.protocol,
                required=one.required,
                state=one.state,
                implemented_on=None if reached is None else reached.written(index),
                **place.start(index),
            )


def to_implement(
    index: Reading, chain: Sequence[SymbolRow], applicable: Sequence[sql.ApplicableRow], *, built_in: bool
) -> ToImplement:
    """Find what the classes of ``chain``, without T, leave open; ``applicable`` are the methods on them.

    Of a ``built_in`` class, only protocols count: otherwise it has no subclasses.
    """
    methods: dict[_Function, list[sql.ApplicableRow]] = defaultdict(list)
    for row in applicable:
        if row.qualifiers is None:
            methods[row.symbol, row.operator].append(row)
    documented = list(_documented(index, chain))
    asked = [one.function for one in documented] if built_in else list(methods)
    primary = [row.method for function in asked for row in methods.get(function, ())]
    signalling = only_signalling(index, primary)
    found = {one.function: one for one in _signalled(index, chain, methods, signalling)}
    found |= {one.function: _with_methods(one, methods, signalling) for one in documented}
    order = (_MISSING, _DEFAULT, _IMPLEMENTED)
    return ToImplement(
        chain,
        sorted(
            found.values(),
            key=lambda one: (one.place, one.protocol or "", not one.required, order.index(one.state)),
        ),
        max(0, len(primary) - MOST_READ),
    )


def _documented(index: Reading, chain: Sequence[SymbolRow]) -> Iterator[LeftOpen]:
    """Yield what protocols say, as if nothing were implemented."""
    names = index.package_names
    # From the top, so that of several protocols the most specific one says.
    for place, one in reversed(list(enumerate(chain))):
        protocol = PROTOCOLS.get(("" if one.package is None else names[one.package], one.name))
        for each in protocol.functions if protocol else ():
            package = index.package_numbers.get(each.package)
            symbol = None if package is None else find_symbol(index, package, each.name)
            if protocol is not None and symbol is not None:
                function = (symbol.number, each.operator)
                yield LeftOpen(function, place, protocol.source, each.required, None, None)


def _with_methods(one: LeftOpen, methods: _Methods, signalling: Mapping[int, bool]) -> LeftOpen:
    rows = methods.get(one.function, ())
    return replace(
        one,
        reached=next((row for row in rows if row.method not in signalling), None),
        signalling=next((row for row in rows if row.method in signalling), None),
    )


def _signalled(
    index: Reading, chain: Sequence[SymbolRow], methods: _Methods, signalling: Mapping[int, bool]
) -> Iterator[LeftOpen]:
    for function, rows in methods.items():
        own = [row for row in rows if row.method in signalling]
        # A class that also has methods which do something leaves nothing open.
        if own and all(row in own for row in rows if row.place == own[0].place):
            reached = None if rows[0].method in signalling else rows[0]
            if reached or signalling[own[0].method] or _is_implemented(index, function, chain[own[0].place]):
                yield LeftOpen(function, own[0].place, None, True, reached, own[0])


def _is_implemented(index: Reading, function: _Function, by_subclass_of: SymbolRow) -> bool:
    symbol, operator = function
    return bool(index.rows(sql.IMPLEMENTED, symbol=symbol, operator=operator, above=by_subclass_of.number))
