"""The records of uses: those of each symbol in order, from all parts, and those by its definitions."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from oblist.indexer.records import Callees, Counts, Runs, Uses

from .layout import APART, FIELDS, FIRST_OF_TEXT, Layout, Run, User
from .parts import Part, Parts

_FIELDS_A_RECORD = 50_000  # as many as SBCL sends at once
_ROWS_A_RECORD = 1000
Record = Uses | Runs | Counts | Callees


@dataclass(slots=True)
class _Source:
    """A part with the layout of its uses, the order of its owners, and the first use of each segment."""

    part: Part
    layout: Layout
    order: dict[int, int]
    starts: array[int]


@dataclass(slots=True)
class _Shared:
    """The uses by definitions of a central symbol, which are in many parts: order, callee and numbers."""

    uses: list[tuple[tuple[Any, ...], int, tuple[int, str | None], list[int]]] = field(default_factory=list)


class UsesStream:
    """Writes the uses of a grown index symbol by symbol; numbers of uses count from 1."""

    def __init__(self, parts: Parts, layouts: list[Layout]) -> None:
        self.parts = parts
        self.count = 0
        self._central = set(parts.center_shape.rows["symbols"])
        order = _order_of_owners(parts, layouts)
        self._sources = [
            _Source(part, layout, order[part.number], array("I", [0]) * layout.segments)
            for part in parts.all
            for layout in [layouts[part.layout]]
        ]
        self._package_order = _order_of_packages(parts)
        self._homes = {number: home or 0 for number, _, home, _ in parts.material.symbols}
        self._first_of_text = parts.material.header.relations.index(FIRST_OF_TEXT) + 1
        self._rows: list[Any] = []
        self._runs: list[list[Any]] = []
        self._counts: list[list[Any]] = []
        self._shared: defaultdict[tuple[int, int], _Shared] = defaultdict(_Shared)

    def records(self) -> Iterator[Record]:
        """All records of uses, the centre's first; those by central symbols come last."""
        center, *worlds = self._sources
        yield from self._uses_of(self.parts.center, self._sources)
        for number, source in enumerate(worlds):
            yield from self._uses_of(source.part, [center, source] if number == 0 else [source])
            if number == 0:
                yield from self._made_by(center)
            yield from self._made_by(source)
            source.starts = array("I")
        if not worlds:
            yield from self._made_by(center)
        yield from self._full(1)
        yield from _callees(self._rows_of_shared())

    # Uses of symbols

    def _uses_of(self, part: Part, sources: list[_Source]) -> Iterator[Record]:
        """The uses of a part's symbols."""
        for symbol in part.shape.rows["symbols"]:
            number = part.own("symbols", symbol)
            assert number is not None
            yield from self._symbol(symbol, number, sources)

    def _full(self, least: int) -> Iterator[Record]:
        """The records that are full."""
        if len(self._rows) >= least:
            yield Uses(self._rows)
            self._rows = []
        for rows, record in ((self._runs, Runs), (self._counts, Counts)):
            if len(rows) >= min(least, _ROWS_A_RECORD):
                yield record([*rows])
                rows.clear()

    def _symbol(self, symbol: int, number: int, sources: list[_Source]) -> Iterator[Record]:
        """The uses of one symbol; those of CAR are more than are held at once."""
        found: defaultdict[int, defaultdict[int, list[tuple[_Source, Run]]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for source in sources:
            for run in source.layout.runs.get(symbol, ()):
                found[run.operator][run.place].append((source, run))
        for operator in sorted(found):
            shown: list[tuple[int, int]] = []
            for place, runs in sorted(found[operator].items()):
                first = self.count + 1
                yield from self._run(number, runs)
                row = [number, operator, runs[0][1].relation, first, self.count, self.count - first + 1]
                self._runs.append([*row, sum(run.callers for _, run in runs), None])
                if place < APART:
                    shown.append((first, self.count))
            key = symbol, operator
            layouts = [source.layout for source in sources]
            if len(shown) > 1:
                first, last = shown[0][0], shown[-1][1]
                callers = sum(layout.together.get(key, 0) for layout in layouts)
                several = sum(place < self._first_of_text for place in found[operator]) > 1
                coded = sum(layout.coded.get(key, 0) for layout in layouts) if several else None
                self._runs.append([number, operator, None, first, last, last - first + 1, callers, coded])
            if calling := sum(layout.calling.get(key, 0) for layout in layouts):
                self._counts.append([number, operator, calling])

    def _run(self, number: int, runs: list[tuple[_Source, Run]]) -> Iterator[Record]:
        """The segments of ``runs``, which are of one relation, in the order of their owners."""
        pieces = [
            (source.order[segment[0]], place, source, segment)
            for source, run in runs
            for place, segment in enumerate(run.segments)
        ]
        if len(pieces) > 1:
            pieces.sort(key=lambda piece: piece[:2])
        for _, _, source, (_, segment, first, last) in pieces:
            size = last - first + 1
            source.starts[segment] = self.count + 1
            rows = source.layout.rows[first * FIELDS : (last + 1) * FIELDS]
            before = source.part.before["callers"]
            rows[1::FIELDS] = [number] * size
            rows[3::FIELDS] = [rank + before for rank in rows[3::FIELDS]]
            self._rows += rows
            self.count += size
            yield from self._full(_FIELDS_A_RECORD)

    # Uses by symbols

    def _made_by(self, source: _Source) -> Iterator[Record]:
        """What the definitions of a part's own symbols use; those of central ones are kept for the end."""
        yield from self._full(1)
        numbers = _numbers(source)
        yield from _callees(self._rows_by(source, numbers))

    def _rows_by(self, source: _Source, numbers: array[int]) -> Iterator[list[Any]]:
        order = self._package_order[source.part.number]
        for user in source.layout.users:
            if user.symbol in self._central:
                self._share(source, user, numbers)
                continue
            number = source.part.own("symbols", user.symbol)
            total = shown = 0
            for made in user.made:
                uses = [numbers[here] for here in _in_order(made.positions, made.packages, order)]
                yield [number, user.operator, made.relation, len(uses), made.callees, uses]
                if made.place < APART:
                    total, shown = total + len(uses), shown + 1
            if shown > 1:
                yield [number, user.operator, None, total, user.callees, None]

    def _share(self, source: _Source, user: User, numbers: array[int]) -> None:
        """Keep the uses that a part's definitions of a central symbol make."""
        kept = self._shared[user.symbol, user.operator].uses
        order = self._package_order[source.part.number]
        for made in user.made:
            for here, callee in zip(made.positions, source.layout.callees_at(made.positions), strict=True):
                symbol, operator = callee
                seen = self.parts.number(source.part, "symbols", symbol)
                assert seen is not None
                key = made.place, order[self._homes[symbol]], symbol, source.part.number
                if kept and kept[-1][0] == key and kept[-1][2][1] == operator:
                    kept[-1][3].append(numbers[here])
                else:
                    kept.append((key, made.relation, (seen, operator), [numbers[here]]))

    def _rows_of_shared(self) -> Iterator[list[Any]]:
        for (symbol, operator), shared in sorted(self._shared.items(), key=lambda pair: pair[0]):
            number = self.parts.center.own("symbols", symbol)
            by_place: defaultdict[int, list[Any]] = defaultdict(list)
            for one in sorted(shared.uses, key=lambda use: use[0]):
                by_place[one[0][0]].append(one)
            total, together, shown = 0, set(), 0
            for place, uses in sorted(by_place.items()):
                callees = {callee for _, _, callee, _ in uses}
                flat = [use for *_, numbers in uses for use in numbers]
                yield [number, operator, uses[0][1], len(flat), len(callees), flat]
                if place < APART:
                    total, shown, together = total + len(flat), shown + 1, together | callees
            if shown > 1:
                yield [number, operator, None, total, len(together), None]


def _callees(rows: Iterator[list[Any]]) -> Iterator[Callees]:
    held: list[list[Any]] = []
    for row in rows:
        held.append(row)
        if len(held) == _ROWS_A_RECORD:
            yield Callees(held)
            held = []
    if held:
        yield Callees(held)


def _numbers(source: _Source) -> array[int]:
    """The numbers of the uses in a layout, by position."""
    numbers = array("I", bytes(4 * len(source.layout)))
    for runs in source.layout.runs.values():
        for run in runs:
            for _, segment, first, last in run.segments:
                start = source.starts[segment]
                numbers[first : last + 1] = array("I", range(start, start + last - first + 1))
    return numbers


def _in_order(positions: array[int], packages: array[int], order: dict[int, int]) -> array[int]:
    """The positions by the packages of the callees, whose order depends on the names in a world."""
    if not packages:
        return positions
    stretches = sorted(
        (order[packages[n]], packages[n + 1], packages[n + 2]) for n in range(0, len(packages), 3)
    )
    if all(one[1] < other[1] for one, other in pairwise(stretches)):
        return positions
    found = array("i")
    for _, first, end in stretches:
        found += positions[first:end]
    return found


def _order_of_owners(parts: Parts, layouts: list[Layout]) -> dict[int, dict[int, int]]:
    """For each part, the places of owners in the order of callers: package, symbol, world; no name last."""
    packages = {number: name for number, name, *_ in parts.material.packages}
    symbols = {number: (packages.get(home, ""), name) for number, name, home, _ in parts.material.symbols}
    keys = []
    for part in parts.all:
        for owner in layouts[part.layout].owners:
            if owner < 0:
                key = (0, *symbols[-owner], part.number)
            elif owner > 0:
                own = part.shape.ranks["packages"][owner]
                key = (0, part.prefixed(packages[owner]) if own else packages[owner], "", part.number)
            else:
                key = (1, "", "", part.number)
            keys.append((key, part.number, owner))
    found: dict[int, dict[int, int]] = {part.number: {} for part in parts.all}
    for place, (_, number, owner) in enumerate(sorted(keys)):
        found[number][owner] = place
    return found


def _order_of_packages(parts: Parts) -> dict[int, dict[int, int]]:
    """For each part, the places of the packages that it sees by their names; 0, no package, is last."""
    keys = []
    for part in parts.all:
        for number, name, *_ in parts.material.packages:
            own = part.shape.ranks["packages"][number]
            keys.append((part.prefixed(name) if own else name, part.number, number))
    found: dict[int, dict[int, int]] = {part.number: {0: len(keys)} for part in parts.all}
    for place, (_, number, package) in enumerate(sorted(keys)):
        found[number][package] = place
    return found
