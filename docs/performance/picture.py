"""The picture of growth: for each question, a panel with its median, 99th percentile and worst time by size.

Both axes are logarithmic: a level line takes as long at any size, a diagonal grows as the index does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

_KEYS = (("worst", "worst"), ("p99", "p99"), ("p50", "median"))
_COLUMNS = 4
_WIDTH, _HEIGHT = 205, 150  # of a panel
_LEFT, _TOP, _RIGHT, _BOTTOM = 38, 24, 8, 22  # within a panel, around its plot
_HEAD = 26
# Colours that can be told apart by most people, and read on white; the second for a dark page.
_STYLE = """
  text { font: 11px system-ui, sans-serif; fill: #444 }
  .title { font-weight: 600; fill: #222 }
  .axis { stroke: #999; stroke-width: 1; fill: none }
  .grid { stroke: #ddd; stroke-width: 1 }
  .line { fill: none; stroke-width: 2 }
  .p50 { stroke: #0a7d5a } .p99 { stroke: #2a6fdb } .worst { stroke: #c2410c }
  .dot.p50 { fill: #0a7d5a } .dot.p99 { fill: #2a6fdb } .dot.worst { fill: #c2410c }
  @media (prefers-color-scheme: dark) {
    .background { fill: #161a1f }
    text { fill: #b8bec6 } .title { fill: #e6e9ed }
    .axis { stroke: #6b7280 } .grid { stroke: #2c333b }
    .p50 { stroke: #34d399 } .p99 { stroke: #7db2ff } .worst { stroke: #fb923c }
    .dot.p50 { fill: #34d399 } .dot.p99 { fill: #7db2ff } .dot.worst { fill: #fb923c }
  }
"""


def picture(measured: dict[str, Any], questions: tuple[str, ...]) -> str:
    """An SVG with a panel for each of ``questions``."""
    sizes = [one["symbols"] for one in measured["sizes"]]
    rows = [{row["question"]: row for row in one["questions"]} for one in measured["sizes"]]
    values = [row[name][key] for row in rows for name in questions for key, _ in _KEYS]
    scale = _Scale(sizes, max(min(values), 0.01), max(values))
    width = _COLUMNS * _WIDTH
    height = _HEAD + math.ceil(len(questions) / _COLUMNS) * _HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-label="Time per question, by number of symbols">',
        f"<style>{_STYLE}</style>",
        f'<rect class="background" width="{width}" height="{height}" fill="#fff"/>',
        *_legend(),
    ]
    for number, name in enumerate(questions):
        x, y = number % _COLUMNS * _WIDTH, _HEAD + number // _COLUMNS * _HEIGHT
        parts.append(f'<g transform="translate({x} {y})">')
        parts += _panel(name, [row[name] for row in rows], scale)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


class _Scale:
    """Places in a panel: sizes from left to right, milliseconds from the bottom up."""

    def __init__(self, sizes: list[int], least: float, most: float) -> None:
        self.sizes = sizes
        self.low, self.high = math.floor(math.log10(least)), math.ceil(math.log10(most))

    def x(self, size: int) -> float:
        """The place of a size."""
        first, last = (math.log10(one) for one in (self.sizes[0], self.sizes[-1]))
        part = (math.log10(size) - first) / ((last - first) or 1)
        return round(_LEFT + part * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(self, milliseconds: float) -> float:
        """The place of a time."""
        exact = math.log10(max(milliseconds, 10.0**self.low))
        part = (exact - self.low) / (self.high - self.low)
        return round(_HEIGHT - _BOTTOM - part * (_HEIGHT - _TOP - _BOTTOM), 1)


def _legend() -> Iterator[str]:
    for number, (key, name) in enumerate(_KEYS):
        x = _LEFT + number * 80
        yield f'<path class="line {key}" d="M{x} 13h18"/><text x="{x + 24}" y="17">{name}</text>'
    yield f'<text x="{_LEFT + 250}" y="17">milliseconds by number of symbols, both logarithmic</text>'


def _panel(name: str, rows: list[dict[str, Any]], scale: _Scale) -> Iterator[str]:
    yield f'<text class="title" x="{_LEFT}" y="14">{escape(name)}</text>'
    left, right = _LEFT, _WIDTH - _RIGHT
    for power in range(scale.low, scale.high + 1):
        y = scale.y(10.0**power)
        yield f'<path class="grid" d="M{left} {y}H{right}"/>'
        yield f'<text x="{left - 5}" y="{y + 4}" text-anchor="end">{_amount(10.0**power)}</text>'
    yield f'<path class="axis" d="M{left} {_TOP}V{_HEIGHT - _BOTTOM}H{right}"/>'
    for size in scale.sizes:
        anchor = "end" if size == scale.sizes[-1] else "middle"
        yield f'<text x="{scale.x(size)}" y="{_HEIGHT - 8}" text-anchor="{anchor}">{_amount(size)}</text>'
    for key, _ in _KEYS:
        places = [(scale.x(size), scale.y(row[key])) for size, row in zip(scale.sizes, rows, strict=True)]
        yield f'<path class="line {key}" d="M{" L".join(f"{x} {y}" for x, y in places)}"/>'
        for x, y in places:
            yield f'<circle class="dot {key}" cx="{x}" cy="{y}" r="2.5"/>'


def _amount(number: float) -> str:
    """A number in a few characters."""
    if number >= 1_000_000:
        return f"{number / 1_000_000:g}M"
    return f"{number / 1000:g}k" if number >= 1000 else f"{number:g}"
