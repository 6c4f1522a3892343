"""docs/performance.md: what was measured of growing indexes, as text around tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MEASURED = Path(__file__).with_name("growth.json")
PICTURE = Path(__file__).with_name("growth.svg")
SHOWN = (
    *("describe", "definition", "xref", "xref, callees", "xref, tree of depth 3", "class"),
    *("package", "apropos", "apropos in a package", "search", "search by types", "examples"),
)
"""The questions that have a panel in the picture."""
_BUILDS = (
    ("build, from existing records", "seconds", "{:,.0f} s"),
    ("peak memory of the build", "peak_mb", "{:,.0f} MB"),
    ("size of the file", "file_mb", "{:,.0f} MB"),
    ("`oblist mcp`, resident after 500 questions", "server_mb", "{:.0f} MB"),
    ("`oblist describe`, cold", "cold_ms", "{:.0f} ms"),
)
_HEAD = """\
# Performance

This page shows how long answers take as an index grows. `tests/bench/growth/` makes the indexes from an
index of the bare image of SBCL. Whatever all packages share, notably COMMON-LISP, is included once.
Everything else is repeated under names that are composed from the real ones, with its definitions,
documentation, classes, methods, source text and uses. So CAR has more and more callers as the index grows,
while most names have few. The same code writes these indexes and real ones.

The times were measured on {machine}, with a separate process for each size. The machine did other work at the
same time, so the ratios matter more than the times. Times are in milliseconds; each ratio compares the
largest index with the smallest. `make bench-growth` prints these tables. To update this page, run
`make bench-growth GROWTH='--json docs/performance/growth.json'`, and then `make docs`.

![Time per question, by number of symbols](performance/growth.svg)
"""

_ASKED = """\
Each question is asked 2,000 times, or as often as the time allows, about names, patterns and words that are
chosen in the same way for every size, and then about the most used names. The slowest questions are asked
three times, and the best time counts."""


def load_measured() -> dict[str, Any]:
    """What was measured last."""
    found = json.loads(MEASURED.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def performance_page(measured: dict[str, Any], notice: str) -> str:
    """The page."""
    lines = [notice, _HEAD.format(machine=measured["machine"])]
    if measured.get("note"):
        lines += [measured["note"], ""]
    lines += ["## Builds and servers", "", *_builds(measured), ""]
    lines += ["## Questions", "", _ASKED, "", *_questions(measured), ""]
    lines += [
        "## A live image",
        "",
        "For comparison, these are the times in milliseconds of a warm SBCL that contains only its own code:",
        "",
    ]
    lines += ["| question | median | worst |", "|---|---|---|"]
    lines += [f"| {row['question']} | {row['p50']:.2f} | {row['worst']:.2f} |" for row in measured["live"]]
    return "\n".join(lines).rstrip() + "\n"


def _heads(measured: dict[str, Any]) -> list[str]:
    return [f"{one['symbols']:,} symbols" for one in measured["sizes"]]


def _builds(measured: dict[str, Any]) -> Iterator[str]:
    sizes = measured["sizes"]
    yield f"| | {' | '.join(_heads(measured))} |"
    yield f"|---|{'---|' * len(sizes)}"
    for what, key, shown in _BUILDS:
        yield f"| {what} | {' | '.join(shown.format(one[key]) for one in sizes)} |"


def _questions(measured: dict[str, Any]) -> Iterator[str]:
    sizes = [{row["question"]: row for row in one["questions"]} for one in measured["sizes"]]
    yield f"| median, p99, worst | {' | '.join(_heads(measured))} | ratio of medians, of worst | slowest |"
    yield f"|---|{'---|' * (len(sizes) + 2)}"
    for name, first in sizes[0].items():
        rows = [size[name] for size in sizes]
        times = [", ".join(_shown(row[key]) for key in ("p50", "p99", "worst")) for row in rows]
        ratios = ", ".join(f"{rows[-1][key] / max(first[key], 0.001):.1f}" for key in ("p50", "worst"))
        slowest = rows[-1]["slowest"].replace("|", "\\|")
        yield f"| {name} | {' | '.join(times)} | {ratios} | {f'`{slowest}`' if slowest else ''} |"


def _shown(milliseconds: float) -> str:
    return f"{milliseconds:.2f}" if milliseconds < 10 else f"{milliseconds:,.0f}"
