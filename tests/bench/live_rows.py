"""Row 8 of the speed table: values from a live SBCL, warm and cold, and its memory."""

from __future__ import annotations

import os
import random
import statistics
import time
from pathlib import Path

from rich.table import Table

from oblist.indexer.build.index import build_index
from oblist.indexer.image import ImagePlan
from oblist.lisp.sbcl import Sbcl
from oblist.query import Index, open_index
from oblist.query.values.live import live_values

COLD_RUNS = 11
MANY = 10_000


def add_live(table: Table, sbcl: Sbcl, folder: Path) -> None:
    """Build an index with a snapshot in a cache of its own below ``folder``, and ask it for values."""
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    try:
        path = folder / "live.db"
        summary = build_index(path, ImagePlan(sbcl), command="bench", snapshot=True)
        size = (summary.snapshot_size or 0) / 1e6
        with open_index(path, values=live_values()) as index:
            names = variables(index)
            warm = [_milliseconds(index, name) for name in names]
        cold = statistics.median(_cold(path) for _ in range(COLD_RUNS))
        table.add_row(
            "8", f"live value, {len(warm)} variables, warm", f"{statistics.median(warm):.3f} ms", "2 ms"
        )
        table.add_row("", f"  cold, from a snapshot of {size:.1f} MB", f"{cold:.0f} ms", "100 ms")
        first, last = _memory(path, names)
        table.add_row("", f"  resident after 1,000 and {MANY:,} more", f"{first:.1f}, {last:.1f} MB", "flat")
    finally:
        if before is None:
            del os.environ["XDG_CACHE_HOME"]
        else:
            os.environ["XDG_CACHE_HOME"] = before


def variables(index: Index) -> list[tuple[str, str]]:
    """Variables that have a value, in an order drawn by seed."""
    rows = index.rows(
        "SELECT DISTINCT symbols.name, packages.name FROM definitions JOIN symbols ON symbols.id = symbol_id"
        " JOIN packages ON packages.id = symbols.package_id WHERE kind = 'variable' ORDER BY symbols.id"
    )
    random.Random(8).shuffle(rows)
    source = index.values()
    assert source is not None
    return [(f"|{name}|", f'"{home}"') for name, home in rows if source.value(home, name).text is not None]


def _milliseconds(index: Index, name: tuple[str, str]) -> float:
    start = time.perf_counter()
    answer = index.describe(*name)
    assert getattr(answer, "value_from", None) == "live"
    return (time.perf_counter() - start) * 1000


def _cold(path: Path) -> float:
    with open_index(path, values=live_values()) as index:
        return _milliseconds(index, ("*print-base*", "CL"))


def _memory(path: Path, names: list[tuple[str, str]]) -> tuple[float, float]:
    """The child's resident megabytes after a thousand values, and after many more."""
    before = _snapshots()
    with open_index(path, values=live_values()) as index:
        for number in range(1000):
            _milliseconds(index, names[number % len(names)])
        (child,) = _snapshots() - before
        first = _resident(child)
        for number in range(MANY):
            _milliseconds(index, names[number % len(names)])
        assert _snapshots() - before == {child}
        return first, _resident(child)


def _snapshots() -> set[int]:
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if b"image.core" in (folder / "cmdline").read_bytes():
                    found.add(int(folder.name))
            except OSError:
                continue
    return found


def _resident(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
