"""The tables of a growth run on a terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

_BUILD = (
    ("build", "seconds", "{:.0f} s"),
    ("peak memory of the build", "peak_mb", "{:,.0f} MB"),
    ("file", "file_mb", "{:,.0f} MB"),
    ("server, resident after 500 questions", "server_mb", "{:.0f} MB"),
    ("command, cold", "cold_ms", "{:.0f} ms"),
)


def print_tables(found: dict[str, Any]) -> None:
    """Print what a build takes and each question, for each size, with the ratio to the smallest."""
    sizes = found["sizes"]
    heads = [f"{one['symbols']:,}" for one in sizes]
    console = Console(width=50 + 34 * len(sizes))
    builds = Table("", *heads, title=found["machine"])
    for what, key, shown in _BUILD:
        builds.add_row(what, *(shown.format(one[key]) for one in sizes))
    console.print(builds)
    table = Table("p50, p99, worst in ms; times the smallest", *heads, "slowest of the largest")
    first = by_question(sizes[0])
    for name in first:
        rows = [by_question(one).get(name) for one in sizes]
        cells = [cell(row, first[name] if number else None) for number, row in enumerate(rows)]
        table.add_row(name, *cells, (rows[-1] or {}).get("slowest", "")[:40])
    console.print(table)
    for row in found["live"]:
        console.print(
            f"a live image of SBCL: {row['question']}: {row['p50']:.2f} ms, worst {row['worst']:.2f}"
        )


def by_question(size: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The rows of a size by question."""
    return {row["question"]: row for row in size["questions"]}


def cell(row: dict[str, Any] | None, smallest: dict[str, Any] | None) -> str:
    """The times of a question, and the ratios of median and worst to those of the smallest index."""
    if row is None:
        return ""
    times = ", ".join(f"{row[key]:.2f}" for key in ("p50", "p99", "worst"))
    if not smallest:
        return times
    ratios = (row[key] / max(smallest[key], 0.001) for key in ("p50", "worst"))
    return f"{times} ({', '.join(f'{ratio:.1f}x' for ratio in ratios)})"
