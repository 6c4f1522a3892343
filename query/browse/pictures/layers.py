"""The layered layout of a connected graph, as Sugiyama, Tagawa and Toda (1981) describe it.

Nodes are put into columns, so that every edge leads to the right. In each column that an edge passes, it gets
a *bend*, which takes a place there as a node does. The columns are sorted until few edges cross, and moved
until edges are as straight as the order allows. The same graph always gets the same layout.
"""

from __future__ import annotations

from bisect import bisect, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, count, pairwise

HEIGHT = 24
_GAP = 8
_IN_VAIN = 4  # sweeps to and fro that bring nothing, before others are tried
_MOST_SORTED = 40_000  # nodes and bends, by all sweeps to and fro: a second or two
_EXCHANGES = 10  # passes over a column
_ROUNDS = 4
_PULLS = (1, 2, 8)  # of a piece of an edge, by how many of its ends are bends: long edges become straight
_NO_PULL = 0.01

_Edge = tuple[int, int]
_Beside = dict[int, list[int]]


@dataclass(slots=True)
class Layers:
    """A graph in columns, whose bends are negative numbers.

    ``middles`` has the height of the middle of each node and bend, ``ways`` what each edge goes through, from
    left to right, even if the edge closes a cycle and leads to the left.
    """

    columns: list[list[int]]
    middles: dict[int, float]
    ways: dict[_Edge, list[int]]


def layered(nodes: Iterable[int], edges: Sequence[_Edge]) -> Layers:
    """Lay out a connected graph of numbers from 0 on, with no edge from a node to itself."""
    order = _order(nodes, edges)
    place = {node: number for number, node in enumerate(order)}
    ahead = {edge: edge if place[edge[0]] < place[edge[1]] else edge[::-1] for edge in edges}
    rank = _ranks(order, ahead.values())
    columns: list[list[int]] = [[] for _ in range(max(rank.values()) + 1)]
    for node in order:
        columns[rank[node]].append(node)
    bends = count(-1, -1)
    ways = {}
    for edge, (start, end) in ahead.items():
        between = range(rank[start] + 1, rank[end])
        ways[edge] = [start, *(next(bends) for _ in between), end]
        for column, bend in zip(between, ways[edge][1:-1], strict=True):
            columns[column].append(bend)
    before, after = _beside(step for way in ways.values() for step in pairwise(way))
    columns = _sorted(columns, before, after)
    return Layers(columns, _middles(columns, before, after), ways)


def _beside(edges: Iterable[_Edge]) -> tuple[_Beside, _Beside]:
    """The nodes before and after each node."""
    before: _Beside = defaultdict(list)
    after: _Beside = defaultdict(list)
    for start, end in edges:
        after[start].append(end)
        before[end].append(start)
    return before, after


def _order(nodes: Iterable[int], edges: Iterable[_Edge]) -> list[int]:
    """The nodes, each before those that its edges lead to, except where a cycle closes."""
    before, after = _beside(edges)
    begun: set[int] = set()
    left: dict[int, None] = {}
    waiting = sorted(nodes, key=lambda node: (not before[node], node))
    while waiting:
        node = waiting[-1]
        if node in begun:
            left.setdefault(waiting.pop())
        else:
            begun.add(node)
            waiting += [other for other in after[node] if other not in begun]
    return list(reversed(left))


def _ranks(order: list[int], edges: Iterable[_Edge]) -> dict[int, int]:
    """The column of each node: as far left as edges allow, or as far right if that makes them shorter."""
    before, after = _beside(edges)
    rank: dict[int, int] = {}
    for node in order:
        rank[node] = max((rank[other] + 1 for other in before[node]), default=0)
    for node in reversed(order):
        if len(after[node]) > len(before[node]):
            rank[node] = min(rank[other] for other in after[node]) - 1
    return rank


def _sorted(columns: list[list[int]], before: _Beside, after: _Beside) -> list[list[int]]:
    """The columns with their nodes in an order with few crossings: the best of many sweeps to and fro."""
    first, best, fewest = columns, columns, _crossings(columns, after)
    left = max(1, _MOST_SORTED // sum(map(len, columns)))
    for ties in (1, -1):
        columns, in_vain = first, 0
        while fewest and left and in_vain < _IN_VAIN:
            left -= 1
            columns = _swept(columns[::-1], after, before, ties)[::-1]
            columns = _swept(columns, before, after, ties)
            in_vain += 1
            if (crossings := _crossings(columns, after)) < fewest:
                best, fewest, in_vain = columns, crossings, 0
    return best


def _swept(columns: list[list[int]], before: _Beside, after: _Beside, ties: int) -> list[list[int]]:
    """The columns, each sorted by where the neighbours in the column before it are on average.

    Nodes of which that is the same stay in their order, or, where ``ties`` is -1, are turned round.
    """
    place = {node: number for column in columns for number, node in enumerate(column)}

    def mean(node: int) -> float:
        places = [place[other] for other in before[node]]
        return sum(places) / len(places) if places else place[node]

    swept = []
    for column in columns:
        swept.append(_exchanged(sorted(column[::ties], key=mean), place, before, after))
        place |= {node: number for number, node in enumerate(swept[-1])}
    return swept


def _exchanged(column: list[int], place: dict[int, int], *sides: _Beside) -> list[int]:
    """The column, neighbours exchanged as long as that removes crossings."""
    places = [{node: sorted(place[other] for other in beside[node]) for node in column} for beside in sides]
    for _ in range(_EXCHANGES):
        before_pass = column[:]
        for upper in range(len(column) - 1):
            one, other = column[upper : upper + 2]
            if sum(_over(of[one], of[other]) - _over(of[other], of[one]) for of in places) > 0:
                column[upper : upper + 2] = other, one
        if column == before_pass:
            break
    return column


def _over(one: list[int], other: list[int]) -> int:
    """The crossings of edges that lead to ``one`` and ``other``, if a node with the first is above."""
    return sum(bisect(other, place - 1) for place in one)


def _crossings(columns: list[list[int]], after: _Beside) -> int:
    """How many edges cross."""
    crossings = 0
    for column, following in pairwise(columns):
        place = {node: number for number, node in enumerate(following)}
        ends: list[int] = []
        for node in column:
            reached = sorted(place[other] for other in after[node])
            crossings += sum(len(ends) - bisect(ends, end) for end in reached)
            for end in reached:
                insort(ends, end)
    return crossings


def _middles(columns: list[list[int]], before: _Beside, after: _Beside) -> dict[int, float]:
    """The heights: near the neighbours on one side, then on the other, and in the end on both."""
    offsets = {node: offset for column in columns for node, offset in _stacked(column)}
    middles = dict(offsets)
    both = {node: before[node] + after[node] for node in offsets}
    one_sided = [(columns, before), (columns[::-1], after)] * _ROUNDS
    for row, beside in one_sided + [(columns, both), (columns[::-1], both)] * _ROUNDS:
        for column in row:
            # Without their offsets, the heights of a column need only rise.
            wanted = [_wanted(node, beside[node], middles, offsets[node]) for node in column]
            for node, height in zip(column, _rising(wanted), strict=True):
                middles[node] = height + offsets[node]
    return middles


def _stacked(column: list[int]) -> Iterator[tuple[int, float]]:
    """The nodes of a column and their heights, if they are as near to each other as they may be."""
    heights = [HEIGHT if node >= 0 else 0 for node in column]
    between = [(one + other) / 2 + _GAP for one, other in pairwise(heights)]
    return zip(column, accumulate(between, initial=0.0), strict=True)


def _wanted(node: int, beside: list[int], middles: dict[int, float], offset: float) -> tuple[float, float]:
    """The height to which its neighbours pull a node, less its offset, and how strongly they do."""
    pulls = [_PULLS[(node < 0) + (other < 0)] for other in beside]
    if not pulls:
        return middles[node] - offset, _NO_PULL
    pulled = sum(pull * middles[other] for pull, other in zip(pulls, beside, strict=True))
    return pulled / sum(pulls) - offset, sum(pulls)


def _rising(wanted: Iterable[tuple[float, float]]) -> list[float]:
    """The rising numbers that are nearest to the wanted ones, each of which has a weight."""
    blocks: list[tuple[float, float, int]] = []  # numbers that became equal: their mean, weight and count
    for pair in wanted:
        number, weight, size = *pair, 1
        while blocks and blocks[-1][0] > number:
            other, pull, others = blocks.pop()
            number = (number * weight + other * pull) / (weight + pull)
            weight, size = weight + pull, size + others
        blocks.append((number, weight, size))
    return [number for number, _, size in blocks for _ in range(size)]
