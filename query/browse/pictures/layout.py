"""The drawing of a layered graph: boxes in columns, and lines that go around them.

Each column is as wide as its widest box, and lines only bend between columns, so no line leads over a box.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from .layers import HEIGHT, Layers, layered

_BETWEEN_COLUMNS = 46
_CHARACTER = 7.3
_PADDING = 18
_MARGIN = 10
_KEPT = (
    32  # drawings: a large one takes a second, and few changes of a project change its packages or classes
)

_Edge = tuple[int, int]


@dataclass(slots=True)
class Box:
    """A node of a picture: its upper left corner and width."""

    x: float
    y: float
    width: float


class PictureEdge(NamedTuple):
    """An edge of a picture: the nodes it joins, and its SVG path."""

    start: int
    end: int
    path: str


@dataclass(slots=True)
class Drawing:
    """A graph laid out from left to right."""

    width: float = 0
    height: float = 0
    boxes: dict[int, Box] = field(default_factory=dict)
    lines: list[PictureEdge] = field(default_factory=list)


@lru_cache(_KEPT)
def lay_out(labels: tuple[str, ...], edges: frozenset[_Edge]) -> Drawing:
    """Lay out nodes, with edges from left to right, and connected parts below each other.

    An edge has the places of two nodes in ``labels``. The drawing is shared: nobody may change it.
    """
    lines = sorted((start, end) for start, end in edges if start != end)
    drawing = Drawing()
    for part in _parts(len(labels), lines):
        widths = {node: len(labels[node]) * _CHARACTER + _PADDING for node in part}
        _add_part(drawing, widths, layered(part, [line for line in lines if line[0] in widths]))
    drawing.width += _MARGIN
    drawing.height += _MARGIN
    return drawing


def _parts(nodes: int, edges: Sequence[_Edge]) -> list[list[int]]:
    """The nodes of each connected part of a graph with so many nodes."""
    beside = defaultdict(list)
    for start, end in edges:
        beside[start].append(end)
        beside[end].append(start)
    parts = []
    left = set(range(nodes))
    for number in range(nodes):
        waiting = [number] if number in left else []
        part: set[int] = set()
        while waiting:
            reached = waiting.pop()
            if reached not in part:
                part.add(reached)
                waiting += beside[reached]
        left -= part
        parts += [sorted(part)] if part else []
    return parts


def _add_part(drawing: Drawing, widths: dict[int, float], layers: Layers) -> None:
    """Add a connected part below the drawing."""
    down = drawing.height + _MARGIN + HEIGHT / 2 - min(layers.middles.values())
    middles = {node: middle + down for node, middle in layers.middles.items()}
    spans: dict[int, tuple[float, float]] = {}
    left = float(_MARGIN)
    for column in layers.columns:
        right = left + max(widths.get(node, 0) for node in column)
        spans |= dict.fromkeys(column, (left, right))
        left = right + _BETWEEN_COLUMNS
        for node in column:
            if node in widths:
                drawing.boxes[node] = Box(spans[node][0], middles[node] - HEIGHT / 2, widths[node])
    for (start, end), way in layers.ways.items():
        drawing.lines.append(PictureEdge(start, end, _path(drawing.boxes[way[0]], way, spans, middles)))
    drawing.width = max(drawing.width, right)
    drawing.height = max(middles.values()) + HEIGHT / 2


def _path(
    start: Box, way: list[int], spans: dict[int, tuple[float, float]], middles: dict[int, float]
) -> str:
    """The SVG path of a line from the right side of a box: level in each column, and curved between them."""
    text = f"M{start.x + start.width:.0f} {start.y + HEIGHT / 2:.0f}"
    for one, other in pairwise(way):
        (_, right), (left, _) = spans[one], spans[other]
        middle = (right + left) / 2
        here, there = middles[one], middles[other]
        text += (
            f"L{right:.0f} {here:.0f}C{middle:.0f} {here:.0f} {middle:.0f} {there:.0f} {left:.0f} {there:.0f}"
        )
    return text
