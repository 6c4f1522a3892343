"""Pictures of classes, systems, packages and releases: one with its neighbours, or all; boxes are links."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ...index.written import SymbolRow
from ...questions.classes.sql import CLASS_SYMBOL
from .. import sql
from ..page_request import LinkedName, PageRequest
from .layers import HEIGHT
from .layout import Box, PictureEdge, lay_out

_MOST_NODES = 200
_MOST_ON_ONE_SIDE = 50
_MOST_RELEASES = 60
_LONGEST_LABEL = 36
_STANDARD = "COMMON-LISP"


class PictureNode(NamedTuple):
    """A box of a picture."""

    number: int
    label: str
    full: str
    link: str | None
    box: Box
    is_center: bool


@dataclass(slots=True)
class Picture:
    """A laid-out graph; ``left_out`` is the number of nodes that are not shown."""

    width: int
    height: int
    node_height: int
    nodes: list[PictureNode]
    lines: list[PictureEdge]
    left_out: int


_Neighbours = Callable[[int], Iterable[int]]
_Edges = dict[int, list[int]]


def class_picture(request: PageRequest, symbol: int) -> Picture | None:
    """The picture of all superclasses and subclasses of the class that a symbol names."""
    index = request.index

    def above(number: int) -> list[int]:
        return [row[0] for row in index.rows(sql.SUPERCLASSES_OF, symbol=number)]

    def below(number: int) -> list[int]:
        return [row[0] for row in index.rows(sql.SUBCLASSES_OF, symbol=number)]

    def name(number: int) -> LinkedName:
        (row,) = index.rows(CLASS_SYMBOL, symbol=number)
        symbol = SymbolRow(*row)
        if symbol.package is None:
            return LinkedName(symbol.written(index), None)
        package = index.package_names[symbol.package]
        text = symbol.written(index).removeprefix("common-lisp:")
        return LinkedName(text, request.links.class_(package, symbol.name))

    return _around(symbol, above, below, name)


def system_picture(request: PageRequest, system: int) -> Picture | None:
    """The picture of all systems that a system needs, and of its direct dependents."""
    needs, needed_by = _both_ways(request.index.rows(sql.ALL_SYSTEM_DEPENDENCIES))
    names = {row.number: row.name for row in map(sql.ListedSystemRow._make, request.index.rows(sql.SYSTEMS))}

    def name(number: int) -> LinkedName:
        return LinkedName(names[number], request.links.system(names[number]))

    return _around(system, lambda number: needs[number], _direct(system, needed_by), name)


def release_picture(
    request: PageRequest, dependencies: list[tuple[int, int]], labels: dict[int, str], release: int
) -> Picture | None:
    """The picture of all releases that a release needs, and of its direct dependents."""
    needs, needed_by = _both_ways(dependencies)

    def name(number: int) -> LinkedName:
        return LinkedName(labels[number], request.links.release(labels[number]))

    return _around(release, lambda number: needs[number], _direct(release, needed_by), name)


def releases_picture(
    request: PageRequest, dependencies: list[tuple[int, int]], labels: dict[int, str]
) -> Picture | None:
    """The picture of how the releases that most others need depend on each other."""
    needs, needed_by = _both_ways(dependencies)
    joined = sorted({*needs, *needed_by}, key=lambda number: (-len(needed_by[number]), labels[number]))
    shown = joined[:_MOST_RELEASES]
    edges = [(used, user) for user, used in dependencies if user in shown and used in shown]
    names = {number: LinkedName(labels[number], request.links.release(labels[number])) for number in shown}
    return _picture(names, edges, None, len(joined) - len(shown)) if edges else None


def package_picture(request: PageRequest, package: int) -> Picture | None:
    """The picture of all packages that a package uses, and of its direct users."""
    index = request.index
    uses, used_by = _both_ways(index.rows(sql.ALL_PACKAGE_USES))
    standard = index.package_numbers.get(_STANDARD)

    def above(number: int) -> list[int]:
        # Nearly all packages use COMMON-LISP, so only the center's own link to it is shown.
        return [other for other in uses[number] if other != standard or number == package]

    def name(number: int) -> LinkedName:
        text = index.package_names[number]
        return LinkedName(text, request.links.package(text))

    return _around(package, above, _direct(package, used_by), name)


def all_packages_picture(request: PageRequest) -> Picture | None:
    """The picture of how all packages use each other, without packages that have no link."""
    index = request.index
    standard = index.package_numbers.get(_STANDARD)
    edges = [(used, user) for user, used in index.rows(sql.ALL_PACKAGE_USES) if used != standard]
    joined = sorted({number for edge in edges for number in edge}, key=index.package_names.__getitem__)
    names = {
        number: LinkedName(index.package_names[number], request.links.package(index.package_names[number]))
        for number in joined
    }
    return _picture(names, edges, None, len(index.package_names) - len(joined)) if joined else None


def _both_ways(rows: Iterable[tuple[int, int]]) -> tuple[_Edges, _Edges]:
    there: _Edges = defaultdict(list)
    back: _Edges = defaultdict(list)
    for start, end in rows:
        there[start].append(end)
        back[end].append(start)
    return there, back


def _direct(center: int, edges: _Edges) -> _Neighbours:
    return lambda number: edges[number] if number == center else []


def _around(
    center: int, above: _Neighbours, below: _Neighbours, name: Callable[[int], LinkedName]
) -> Picture | None:
    """The picture of the nodes above and below ``center``; None if there are no such nodes."""
    upward, cut_above = _reached(center, above, _MOST_NODES - _MOST_ON_ONE_SIDE)
    downward, cut_below = _reached(center, below, _MOST_ON_ONE_SIDE)
    nodes = dict.fromkeys([*upward, *downward])
    edges = [(other, one) for one in upward for other in above(one) if other in upward]
    edges += [(one, other) for one in downward for other in below(one) if other in downward]
    if len(nodes) < 2:
        return None
    names = {number: name(number) for number in nodes}
    return _picture(names, edges, center, cut_above + cut_below)


def _picture(
    names: dict[int, LinkedName], edges: list[tuple[int, int]], center: int | None, left_out: int
) -> Picture:
    # Nodes are laid out by their place in ``names``: the next build gives them other numbers.
    place = {number: place for place, number in enumerate(names)}
    labels = tuple(_short(named.text) for named in names.values())
    drawing = lay_out(labels, frozenset((place[start], place[end]) for start, end in edges))
    return Picture(
        width=round(drawing.width),
        height=round(drawing.height),
        node_height=HEIGHT,
        nodes=[
            PictureNode(at, labels[at], named.text, named.link, drawing.boxes[at], number == center)
            for at, (number, named) in enumerate(names.items())
        ],
        lines=drawing.lines,
        left_out=left_out,
    )


def _reached(start: int, neighbours: _Neighbours, most: int) -> tuple[list[int], int]:
    """At most ``most`` nodes reached from ``start``, nearest first, and the number of nodes left out."""
    found = {start: None}
    left_out: set[int] = set()
    waiting = deque([start])
    while waiting:
        for number in neighbours(waiting.popleft()):
            if number in found:
                continue
            if len(found) < most:
                found[number] = None
                waiting.append(number)
            else:
                left_out.add(number)
    return list(found), len(left_out)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"
