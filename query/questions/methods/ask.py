"""methods: the methods that a call with arguments of given classes reaches, by their precedence lists."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ...index.finding.resolve import Resolved, find_symbol, resolve
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.shown import counted, shown_name
from ...index.written import SymbolRow, written
from ...syntax.printed import items
from ..classes import sql as classes_sql
from ..classes.precedence import ancestors
from . import sql
from .answer import MethodsAnswer, ReachedMethod
from .dispatch import Argument, CalledMethod, Specializer, argument_order, reached
from .parameters import MethodsParameters

_ANY = ("_", "t")
_UNKNOWN = "the class of an EQL object is not known, so its method is listed for all classes"
_ASSUMED = "its form is not in the index, so arguments are assumed to decide from left to right"


class _Class(NamedTuple):
    """The class of an argument as typed in Lisp, with all that it belongs to; T for an unknown one."""

    written: str
    above: list[int]
    is_any: bool


def methods(index: Reading, asked: MethodsParameters) -> MethodsAnswer | NotFound:
    """Answer methods from ``index``."""
    limit, offset = asked.limit, asked.offset
    found = resolve(index, asked.name, asked.package)
    if isinstance(found, NotFound):
        return found
    generic = index.rows(sql.GENERIC_FUNCTION, symbol=found.symbol, operator=found.typed.operator)
    known = list(_methods(index, found))
    if not generic and not known:
        return _no_generic_function(index, found)
    arglist, text = generic[0] if generic else (None, None)
    parameters = _required(arglist, known)
    classes = _classes(index, asked.on or (), asked.package, len(parameters))
    if isinstance(classes, NotFound):
        return classes
    order = argument_order(text or "", parameters, index.fold)
    values = [_Values(index, one) for one in classes]
    calls = [Argument(one.above, own.may_be) for one, own in zip(classes, values, strict=True)]
    applied = reached(known, calls, order) if asked.on is not None else known
    if asked.own:
        own = _of_project(index, applied)
        applied = [one for one in applied if one.number in own]
    # A generic function without a form of its own, such as an accessor, has no other order.
    assumed = asked.on is not None and not text and reached(known, calls, order[::-1]) != applied
    remarks = (found.note, _ASSUMED if assumed else None, _doubt(applied, values))
    return MethodsAnswer(
        name=found.name,
        package=found.home,
        written=_written(index, found),
        arglist=arglist,
        on=None if asked.on is None else [one.written for one in classes],
        argument_precedence=[parameters[position] for position in order],
        total=len(applied),
        methods=list(_shown(index, applied[offset : offset + limit if limit else None])),
        offset=offset,
        note="; ".join(filter(None, remarks)) or None,
    )


def _of_project(index: Reading, applied: Sequence[CalledMethod]) -> frozenset[int]:
    """The numbers of those methods that are in the project's own files."""
    numbers = json.dumps([one.number for one in applied])
    return frozenset(number for (number,) in index.rows(sql.OF_PROJECT, numbers=numbers))


def _written(index: Reading, found: Resolved) -> str:
    (row,) = index.rows(classes_sql.CLASS_SYMBOL, symbol=found.symbol)
    return SymbolRow(*row).written(index, found.typed.operator)


def _no_generic_function(index: Reading, found: Resolved) -> NotFound:
    others = [one for one in (None, "SETF") if one != found.typed.operator]
    near = [
        written(index, found.name, found.home, found.status, operator)
        for operator in others
        if index.rows(sql.GENERIC_FUNCTION, symbol=found.symbol, operator=operator)
    ]
    return NotFound(
        "generic-function-not-found",
        f"{shown_name(_written(index, found))} names no generic function",
        f"The symbol exists (type: {found.type.lower()}), but has no methods.",
        near,
    )


def _methods(index: Reading, found: Resolved) -> Iterator[CalledMethod]:
    rows = index.rows(sql.SPECIALIZERS, symbol=found.symbol, operator=found.typed.operator)
    for (number, qualifiers), group in groupby(map(sql.SpecializerRow._make, rows), key=lambda row: row[:2]):
        own = [Specializer(row.symbol, row.eql, row.eql_class) for row in group if row.position is not None]
        yield CalledMethod(number, qualifiers, own)


def _doubt(applied: Sequence[CalledMethod], values: Sequence[_Values]) -> str | None:
    """Say that methods may be listed which no such argument reaches; None if that cannot be."""
    for method in applied:
        for one, own in zip(method.specializers, values, strict=True):
            if one.eql is not None and own.is_in_doubt(one):
                return _UNKNOWN
    return None


def _required(arglist: str | None, known: Sequence[CalledMethod]) -> list[str]:
    """Return the required parameters; those of an unknown lambda list are numbered."""
    if arglist is None:
        most = max((len(one.specializers) for one in known), default=0)
        return [str(number) for number in range(1, most + 1)]
    parameters = items(arglist)
    ends = (place for place, one in enumerate(parameters) if one.startswith("&"))
    return parameters[: next(ends, len(parameters))]


def _classes(index: Reading, on: Sequence[str], package: str, required: int) -> list[_Class] | NotFound:
    """Return the class of each of the ``required`` arguments: T for those that ``on`` does not say."""
    if len(on) > required:
        return NotFound(
            "too-many-classes",
            f"Too many classes were given: {shown_name(' '.join(on))}",
            f"The generic function has {counted(required, 'required argument')}.",
            [],
        )
    found = []
    for text in [*on, *["t"] * (required - len(on))]:
        one = _class(index, text, package)
        if isinstance(one, NotFound):
            return one
        found.append(one)
    return found


def _class(index: Reading, text: str, package: str) -> _Class | NotFound:
    """Return the class that ``text`` names in ``package``."""
    if text.lower() in _ANY:
        everything = _standard(index, "T")
        shown = everything[0].written(index) if everything else "t"
        return _Class(shown, [one.number for one in everything], is_any=True)
    found = resolve(index, text, package)
    if isinstance(found, NotFound):
        return found
    above = ancestors(index, found.symbol)
    if not index.rows(classes_sql.CLASS_ID, symbol=found.symbol):
        return NotFound(
            "class-not-found",
            f"{shown_name(above[0].written(index))} names no class",
            f"The symbol exists (type: {found.type.lower()}), but names no class, structure or condition.",
            [],
        )
    # T is missing where superclasses are not known.
    any_numbers = [one.number for one in _standard(index, "T")]
    numbers = dict.fromkeys([*(one.number for one in above), *any_numbers])
    return _Class(above[0].written(index), list(numbers), is_any=above[0].number in any_numbers)


def _standard(index: Reading, name: str) -> list[SymbolRow]:
    """Return a class of the standard and all above it; nothing if the index lacks it."""
    home = index.package_numbers.get("COMMON-LISP")
    found = find_symbol(index, home, name) if home is not None else None
    return ancestors(index, found.number) if found is not None else []


class _Values:
    """The values that an argument of the class ``of`` can have."""

    def __init__(self, index: Reading, of: _Class) -> None:
        self._index = index
        self._own = of.above[0] if of.above else None
        self._is_any = of.is_any
        self._classes: dict[int, list[int]] = {}

    def may_be(self, one: Specializer) -> bool:
        """Whether the argument can be the object of the EQL specializer; true if that is not known."""
        above = self._classes_of(one)
        return self._is_any or not above or self._own in above

    def is_in_doubt(self, one: Specializer) -> bool:
        """Whether it is unknown if the class of the argument has the object of the EQL specializer."""
        return not self._is_any and not self._classes_of(one)

    def _classes_of(self, one: Specializer) -> list[int]:
        """The classes of the object; none if they are not known."""
        of = one.eql_class
        if of is None:
            return []
        if of not in self._classes:
            self._classes[of] = [row.number for row in ancestors(self._index, of)]
        return self._classes[of]


def _shown(index: Reading, applied: Sequence[CalledMethod]) -> Iterator[ReachedMethod]:
    numbers = json.dumps([one.number for one in applied])
    rows = map(sql.ShownRow.of, index.rows(sql.SHOWN, numbers=numbers))
    for one, row in zip(applied, rows, strict=True):
        yield ReachedMethod(
            role=one.role,
            possibly=one.has_eql,
            qualifiers=row.qualifiers,
            specializers=row.specializers,
            arglist=row.arglist,
            documentation=row.documentation,
            **row.place.start(index),
        )
