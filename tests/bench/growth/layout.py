"""The uses that the code of a part makes, laid out so that they can be copied for many worlds."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

import orjson

from .material import OPERATORS, Material, users_of, uses_of
from .parts import Parts, Shape

FIELDS = 10  # for each use in a record
APART = 100  # added to the place of a relation whose uses are shown apart
_METHOD_ON_T = ("T", "specializes")
_COUNTED = ("calls", "macroexpands")
FIRST_OF_TEXT = "specializes"  # the first of the relations that SBCL does not record


@dataclass(slots=True)
class Run:
    """Uses of one symbol with one operator and relation: segments of owner, number, first and last use.

    The owner of a segment decides its order: a package, or, negative, a central symbol; 0 for code without
    a name.
    """

    operator: int
    relation: int
    place: int
    callers: int = 0
    segments: list[tuple[int, int, int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class UsesMade:
    """The uses with one relation that the definitions of a symbol make, as positions in a layout.

    ``packages`` has the parts of these by the package of the callee: package, first, end, and so on.
    """

    relation: int
    place: int
    positions: array[int]
    packages: array[int]
    callees: int


@dataclass(frozen=True, slots=True)
class User:
    """The uses that the definitions of a symbol make; ``callees`` counts those that are shown together."""

    symbol: int
    operator: int
    made: list[UsesMade]
    callees: int


class Layout:
    """The uses by the callers of a shape.

    The distinct callers of a symbol and operator are counted three times: those that are definitions and call
    or expand it, all that are shown together, and those by the relations that SBCL records.
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.rows: list[Any] = []
        self.callees = array("i")
        self.position = array("i")
        self.runs: defaultdict[int, list[Run]] = defaultdict(list)
        self.calling: dict[tuple[int, int], int] = {}
        self.together: dict[tuple[int, int], int] = {}
        self.coded: dict[tuple[int, int], int] = {}
        self.segments = 0
        self.users: list[User] = []
        self.owners: set[int] = set()

    def __len__(self) -> int:
        return len(self.callees)

    def callees_at(self, positions: Iterable[int]) -> list[tuple[int, str | None]]:
        """The symbols and operators that the uses at ``positions`` use."""
        return [(self.callees[here], self.rows[here * FIELDS + 2]) for here in positions]


class _Filling:
    """Adds one use after the other to a layout."""

    def __init__(self, layout: Layout, owner: array[int], identity: list[Any], material: Material):
        self.layout = layout
        self._owner, self._identity, self._apart = owner, identity, _apart(material)
        relations = material.header.relations
        self._counted = {relations.index(name) + 1 for name in _COUNTED}
        self._first_of_text = relations.index(FIRST_OF_TEXT) + 1
        self._callers: set[Any] = set()
        self._name: tuple[int, int] = (0, 0)
        self._calling: set[Any] = set()
        self._shown: set[Any] = set()
        self._coded: set[Any] = set()
        self._interned: dict[Any, Any] = {}

    def add(self, number: int, caller: int, rest: tuple[Any, ...]) -> None:
        """Add the use with this ``number`` in the material."""
        layout, (relation, callee, name, _, *place) = self.layout, rest
        operator = OPERATORS.index(name)
        apart = name is None and ((relation, callee) in self._apart or (relation, 0) in self._apart)
        if self._name != (callee, operator):
            self.finish()
            self._name = callee, operator
        runs, owner = layout.runs[callee], self._owner[caller]
        if not runs or (runs[-1].operator, runs[-1].relation) != (operator, relation):
            self._finish_run()
            runs.append(Run(operator, relation, relation + (APART if apart else 0)))
        run, here, rank = runs[-1], len(layout), layout.shape.ranks["callers"][caller]
        if run.segments and owner == run.segments[-1][0]:
            first = run.segments.pop()
            run.segments.append((*first[:3], here))
        else:
            run.segments.append((owner, layout.segments, here, here))
            layout.segments += 1
            layout.owners.add(owner)
        values = (relation, None, name, rank, *place)
        layout.rows += map(self._interned.setdefault, values, values)
        layout.callees.append(callee)
        layout.position[number] = here + 1
        identity = self._identity[caller]
        self._callers.add(identity)
        if not apart:
            self._shown.add(identity)
        if relation < self._first_of_text:
            self._coded.add(identity)
        if relation in self._counted and isinstance(identity, int):
            self._calling.add(identity)

    def _finish_run(self) -> None:
        if self._callers:
            runs = self.layout.runs[self._name[0]]
            runs[-1].callers = len(self._callers)
            self._callers = set()

    def finish(self) -> None:
        """Take down what was counted about the symbol so far."""
        if self._name[0]:
            self._finish_run()
            self.layout.together[self._name] = len(self._shown)
            self.layout.coded[self._name] = len(self._coded)
            self.layout.calling[self._name] = len(self._calling)
        self._calling, self._shown, self._coded = set(), set(), set()


def lay_out(parts: Parts) -> list[Layout]:
    """The layouts of the centre, of a world and of the last world, if it differs; the uses are read once."""
    material, shapes = parts.material, [parts.center_shape, parts.world_shape]
    if parts.last_shape:
        shapes.append(parts.last_shape)
    owner, identity = _owners(parts), _identities(material)
    layouts = [Layout(shape) for shape in shapes]
    fillings = [_Filling(layout, owner, identity, material) for layout in layouts]
    central = parts.center_shape.ranks["symbols"]
    # What the centre uses of the rest is in the first world.
    seen = [shape.ranks["symbols"] for shape in (parts.worlds[0].shape, *shapes[1:])]
    with closing(material.connect()) as connection:
        (most,) = connection.execute("SELECT coalesce(max(id), 0) FROM symbol_references").fetchone()
        for layout in layouts:
            layout.position = array("i", bytes(4 * (most + 1)))
        for number, *rest in uses_of(connection):
            _, callee, _, caller, *_ = rest
            for filling, shape, local in zip(fillings, shapes, seen, strict=True):
                if shape.ranks["callers"][caller] and (central[callee] or local[callee]):
                    filling.add(number, caller, tuple(rest))
        for filling in fillings:
            filling.finish()
        _add_users(parts, layouts, users_of(connection))
    return layouts


def _apart(material: Material) -> set[tuple[int, int]]:
    """Relations and symbols, or 0 for all, whose uses are shown apart."""
    relations = material.header.relations
    names = {number: name for number, name, *_ in material.packages}
    name, relation = _METHOD_ON_T
    the_t = [
        number
        for number, symbol, home, _ in material.symbols
        if symbol == name and names.get(home) == "COMMON-LISP"
    ]
    return {(relations.index("defines") + 1, 0), *((relations.index(relation) + 1, one) for one in the_t)}


def _owners(parts: Parts) -> array[int]:
    """The owner of each caller."""
    material, division = parts.material, parts.division
    homes = {number: home for number, _, home, _ in material.symbols}
    symbols = {row[0]: row[2] for row in material.definitions}
    owner = array("i", bytes(4 * (division.most["callers"] + 1)))
    for number, definition, *_ in material.callers:
        symbol = symbols.get(definition) if definition else None
        if symbol is not None:
            owner[number] = -symbol if symbol in division.central else homes[symbol] or 0
    return owner


def _identities(material: Material) -> list[Any]:
    """What callers are counted by: their definitions, else name and file."""
    found: list[Any] = [None] * (max((row[0] for row in material.callers), default=0) + 1)
    for number, definition, name, file, _ in material.callers:
        found[number] = definition or (name, file)
    return found


def _add_users(parts: Parts, layouts: list[Layout], rows: Iterable[tuple[Any, ...]]) -> None:
    """Add the lists of the uses that the definitions of each symbol make."""
    apart = _apart(parts.material)
    homes = {number: home or 0 for number, _, home, _ in parts.material.symbols}
    for (symbol, name), lists in groupby(rows, key=itemgetter(0, 1)):
        numbers = [(relation, orjson.loads(uses)) for _, _, relation, uses in lists]
        for layout in layouts:
            made, shown = [], set()
            for relation, uses in numbers:
                positions = array("i", [here - 1 for number in uses if (here := layout.position[number])])
                if not positions:
                    continue
                callees = layout.callees_at(positions)
                is_apart = (relation, 0) in apart or (relation, callees[0][0]) in apart
                packages = array("i", _stretches([homes[callee] for callee, _ in callees]))
                place = relation + (APART if is_apart else 0)
                made.append(UsesMade(relation, place, positions, packages, len({*callees})))
                shown |= set() if is_apart else {*callees}
            if made:
                layout.users.append(User(symbol, OPERATORS.index(name), made, len(shown)))


def _stretches(packages: list[int]) -> list[int]:
    """Package, first and end of each stretch of the same package; none if there is one stretch only."""
    found, first = [], 0
    for package, stretch in groupby(packages):
        end = first + len(list(stretch))
        found += [package, first, end]
        first = end
    return found if len(found) > 3 else []
