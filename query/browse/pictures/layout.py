"""The layout of a layered graph, computed by grandalf.

Grandalf is plain Python, needs only pyparsing, draws the same picture for the same graph, and routes long
edges around boxes: 314 packages with 888 edges take half a second. Graphviz would have to be installed
separately. Only this module uses the library.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from grandalf.graphs import Edge, Vertex, graph_core
from grandalf.layouts import SugiyamaLayout

HEIGHT = 24
_GAP = 8
_BETWEEN_LAYERS = 46
_CHARACTER = 7.3
_PADDING = 18
_MARGIN = 10
_ROUNDS = 4


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


@dataclass(slots=True)
class _NodeView:
    """A node for grandalf, which lays out from top to bottom, so width and height are swapped."""

    w: float
    h: float
    xy: tuple[float, float] = (0, 0)


class _EdgeView:
    """An edge for grandalf."""

    def __init__(self) -> None:
        self.points: Sequence[tuple[float, float]] = ()

    def setpath(self, points: Sequence[tuple[float, float]]) -> None:
        """Record the points that the edge goes through."""
        self.points = list(points)


def lay_out(labels: dict[int, str], edges: Iterable[tuple[int, int]]) -> Drawing:
    """Lay out the nodes ``labels``, with edges from left to right, and connected parts below each other."""
    lines = sorted({(start, end) for start, end in edges if start != end})
    drawing = Drawing()
    for part in _parts(labels, lines):
        core = _core({number: labels[number] for number in part}, lines)
        _draw_part(core)
        _add_part(drawing, core)
    drawing.width += 2 * _MARGIN
    drawing.height += _MARGIN
    return drawing


def _parts(labels: Iterable[int], edges: list[tuple[int, int]]) -> list[list[int]]:
    """The nodes of each connected part of a graph, by number."""
    beside = defaultdict(list)
    for start, end in edges:
        beside[start].append(end)
        beside[end].append(start)
    parts = []
    left = set(labels)
    for number in sorted(labels):
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


def _core(labels: dict[int, str], edges: list[tuple[int, int]]) -> Any:
    """A connected part of a graph in grandalf's form.

    Grandalf's class Graph would find the parts too, but it keeps the edges of each part in a set of objects,
    so the picture would differ each time.
    """
    vertices = {}
    for number, label in labels.items():
        vertices[number] = Vertex(number)
        vertices[number].view = _NodeView(HEIGHT, len(label) * _CHARACTER + _PADDING)
    lines = []
    for start, end in edges:
        if start in vertices:
            lines.append(Edge(vertices[start], vertices[end]))
            lines[-1].view = _EdgeView()
    return graph_core(list(vertices.values()), lines)


def _draw_part(part: Any) -> None:
    """Lay out a connected part of the graph."""
    if len(part.sV) == 1:
        return
    layout = SugiyamaLayout(part)
    layout.xspace, layout.yspace = _GAP, _BETWEEN_LAYERS
    roots = [vertex for vertex in part.sV if not vertex.e_in()]
    # Marks the edges that lead back, if there are cycles.
    part.get_scs_with_feedback(roots + list(part.sV))
    backward = [edge for edge in part.sE if edge.feedback]
    layout.init_all(roots=roots or [next(iter(part.sV))], inverted_edges=backward, optimize=True)
    layout.draw(_ROUNDS)


def _add_part(drawing: Drawing, part: Any) -> None:
    """Add a part below the drawing, turned to lead from left to right."""
    _spread(part)
    lefts = _lefts(part)
    # Long edges go around boxes, and so may lead above all of them or below.
    detours = [across for edge in part.sE for across, _ in edge.view.points[1:-1]]
    top = min([vertex.view.xy[0] - vertex.view.w / 2 for vertex in part.sV] + detours)
    left = min(lefts.values())
    down, right = drawing.height + _MARGIN - top, _MARGIN - left
    for vertex in part.sV:
        across, along = vertex.view.xy
        box = Box(lefts[round(along)] + right, across - vertex.view.w / 2 + down, vertex.view.h)
        drawing.boxes[vertex.data] = box
        drawing.width = max(drawing.width, box.x + box.width)
    for edge in part.sE:
        between = [(along + right, across + down) for across, along in edge.view.points[1:-1]]
        start, end = (drawing.boxes[vertex.data] for vertex in edge.v)
        first, last = (vertex.data for vertex in edge.v)
        drawing.lines.append(PictureEdge(first, last, _path(start, end, between)))
    lowest = [box.y + HEIGHT for box in drawing.boxes.values()]
    drawing.height = max([*lowest, *(across + down for across in detours)])


def _lefts(part: Any) -> dict[int, float]:
    """The left edge of each layer; a column of names reads better when aligned left."""
    lefts: dict[int, float] = {}
    for vertex in part.sV:
        layer, begin = round(vertex.view.xy[1]), vertex.view.xy[1] - vertex.view.h / 2
        lefts[layer] = min(begin, lefts.get(layer, begin))
    return lefts


def _spread(part: Any) -> None:
    """Move touching boxes of a layer apart: the layout sometimes puts one box on top of another."""
    layers = defaultdict(list)
    for vertex in part.sV:
        layers[round(vertex.view.xy[1])].append(vertex.view)
    for views in layers.values():
        lowest = float("-inf")
        for view in sorted(views, key=lambda view: view.xy[0]):
            across = max(view.xy[0], lowest)
            view.xy = (across, view.xy[1])
            lowest = across + HEIGHT + _GAP


def _path(start: Box, end: Box, between: Sequence[tuple[float, float]]) -> str:
    """The SVG path of a smooth line from the right side of one box to the left side of another."""
    back = start.x > end.x
    here = (start.x if back else start.x + start.width, start.y + HEIGHT / 2)
    there = (end.x + end.width if back else end.x, end.y + HEIGHT / 2)
    text = f"M{here[0]:.0f} {here[1]:.0f}"
    for point in [*between, there]:
        middle = (here[0] + point[0]) / 2
        text += f"C{middle:.0f} {here[1]:.0f} {middle:.0f} {point[1]:.0f} {point[0]:.0f} {point[1]:.0f}"
        here = point
    return text
