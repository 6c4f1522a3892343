"""The family of a slot: the classes that have it, and what reads, writes and initializes it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from ...index.reading import Reading
from ...index.written import SymbolRow
from ...syntax.printed import items, printed_lambda_list
from ..classes import sql as classes_sql
from ..classes.precedence import ancestors
from ..classes.sql import AccessorRow
from . import sql
from .sql import ConstructorRow, NamedSlotRow

_STRUCTURE = "structure"
Function = tuple[int, str | None]
"""A symbol, and SETF for its setf function."""


@dataclass
class Family:
    """The classes that share one slot, and all that reaches it.

    Classes are the numbers of the symbols that name them.
    """

    index: Reading
    name: str
    chain: list[SymbolRow]
    """The class that was asked about, and its superclasses, most specific first."""
    symbol: int | None
    """The symbol that names the slot."""
    definers: list[NamedSlotRow]
    """The classes that define the slot: superclasses first, then the subclasses that redefine it."""
    others: frozenset[int]
    """Other classes that have a slot of that name."""
    functions: dict[Function, str] = field(default_factory=dict)
    """Readers and writers: reader, writer or accessor."""
    initargs: dict[int, str] = field(default_factory=dict)
    """The numbers of the keywords that initialize it in instances of classes, with their names."""
    constructors: dict[int, int] = field(default_factory=dict)
    """Constructors of structures, with the structure that each makes."""
    by_position: dict[int, list[str]] = field(default_factory=dict)
    """The slots that constructors take by position, in order."""

    @property
    def is_structure(self) -> bool:
        """Whether the classes are structures."""
        return self.definers[0].kind == _STRUCTURE

    @cached_property
    def topmost(self) -> frozenset[int]:
        """The classes that define the slot and have no superclass that does."""
        definers = frozenset(one.of for one in self.definers)
        return definers - {one for each in definers for one in below(self.index, [each]) - {each}}

    @cached_property
    def classes(self) -> frozenset[int]:
        """The classes that have the slot."""
        return below(self.index, (one.of for one in self.definers))

    @cached_property
    def above(self) -> frozenset[int]:
        """Their superclasses that lack the slot, as far as these are superclasses of the requested class."""
        return frozenset(one.number for one in self.chain) - self.classes

    @cached_property
    def accessors(self) -> frozenset[int]:
        """The symbols of the readers and writers."""
        return frozenset(symbol for symbol, _ in self.functions)

    @cached_property
    def shared(self) -> dict[int, frozenset[int]]:
        """The accessors that have methods on other classes too, with these and those below them."""
        rows = self.index.rows(sql.SPECIALIZED, symbols=json.dumps(sorted(self.accessors)))
        found: dict[int, set[int]] = {}
        for accessor, one in rows:
            if one not in self.classes and not self._is_universal(one):
                found.setdefault(accessor, set()).add(one)
        return {accessor: below(self.index, ones) - self.classes for accessor, ones in found.items()}

    def _is_universal(self, symbol: int) -> bool:
        """Whether it is a superclass of all classes with the slot: writers specialize on T as well."""
        return symbol in self.above


def family_of(index: Reading, symbol: int, slot: str) -> Family | None:
    """Return the family of the slot of this name of the class that ``symbol`` names; None without one."""
    chain = ancestors(index, symbol)
    rows = [NamedSlotRow(*row) for row in index.rows(sql.SLOTS_NAMED, name=slot)]
    order = {one.number: place for place, one in enumerate(chain)}
    own = sorted((row for row in rows if row.of in order), key=lambda row: -order[row.of])
    if not own:
        return None
    is_structure = own[0].kind == _STRUCTURE
    nearest = own[-1].slot
    same = [
        row
        for row in rows
        if (row.kind == _STRUCTURE) == is_structure and (is_structure or row.slot == nearest)
    ]
    first = [row for row in own if row in same]
    having = below(index, (row.of for row in first))
    definers = first + [row for row in same if row.of in having and row not in first]
    others = below(index, (row.of for row in rows if row.slot == nearest and row.of not in having))
    family = Family(index, slot, chain, nearest, definers, others - having)
    _add_functions(family)
    return family


def below(index: Reading, classes: Iterable[int]) -> frozenset[int]:
    """Return these classes and all classes below them."""
    return frozenset(one for (one,) in index.rows(sql.BELOW, classes=json.dumps(sorted(set(classes)))))


def _add_functions(family: Family) -> None:
    index, definers = family.index, family.definers
    roles: dict[Function, set[str]] = {}
    for row in definers:
        accessors = index.rows(classes_sql.SLOT_ACCESSORS, class_id=row.class_id)
        for one in map(AccessorRow.of, accessors):
            if one.slot == row.position:
                roles.setdefault((one.symbol.number, one.operator), set()).add(one.role)
    names = set()
    if family.is_structure:
        classes = json.dumps(sorted(family.classes))
        for (accessor,) in index.rows(sql.INCLUDED_ACCESSORS, classes=classes, name=family.name):
            roles.setdefault((accessor, None), set()).add("reader")
        for made in map(ConstructorRow._make, index.rows(sql.CONSTRUCTORS, classes=classes)):
            family.constructors[made.constructor] = made.structure
            family.by_position[made.constructor] = [
                one.name.rpartition(":")[2] for one in printed_lambda_list(made.arglist or "()").positional
            ]
        names = {family.name} if family.constructors else set()
    else:
        for row in definers:
            names |= {one.removeprefix(":") for one in items(f"({row.initargs})")} if row.initargs else set()
    family.functions.update({one: " and ".join(sorted(found)) for one, found in roles.items()})
    family.initargs.update(index.rows(sql.KEYWORDS, names=json.dumps(sorted(names))))
