"""The pages of the speed table: how long each kind takes, asked of Datasette in this process."""

from __future__ import annotations

import asyncio
import random
import shutil
import statistics
import time
from pathlib import Path
from typing import Any

from datasette.app import Datasette
from rich.table import Table

from oblist.query import open_index
from oblist.query.browse.links import Links
from support.pages.browsing import closing_databases

SEED = 20
PAGES = 500
MANY_CALLERS = 1000
RUNS = 5
BASE = "/oblist/-"
_SYMBOLS = """
SELECT packages.name, symbols.name FROM symbols JOIN packages ON packages.id = package_id ORDER BY symbols.id
"""
_MOST_CALLED = """
SELECT DISTINCT packages.name, symbols.name FROM definitions JOIN symbols ON symbols.id = symbol_id
JOIN packages ON packages.id = symbols.package_id WHERE callers_count >= :most ORDER BY symbols.id
"""
OTHERS = ("symbol/common-lisp/print-object", "package/common-lisp", "class/common-lisp/error", "graph")
SEARCHES = ("search?q=hash+table", "search?q=string")
SOURCES = ("source/sbcl/src~2Fcode~2Flist~2Elisp", "source/sbcl/src~2Fpcl~2Fboot~2Elisp")


def add_browse(table: Table, index: Path, folder: Path) -> None:
    """Measure the pages of ``index``; the first of each kind is not counted."""
    path = folder / "browse" / "oblist.db"
    path.parent.mkdir(exist_ok=True)
    shutil.copy(index, path)
    with open_index(path) as opened:
        links = Links(BASE, "/oblist", opened.upcase)
        symbols = [links.symbol(package, name) for package, name in opened.rows(_SYMBOLS)]
        most = [links.symbol(*row) for row in opened.rows(_MOST_CALLED, most=MANY_CALLERS)]
    drawn = random.Random(SEED).sample(symbols, min(PAGES, len(symbols)))
    datasette = Datasette([str(path)])
    with closing_databases(datasette):
        asyncio.run(_add(table, datasette, drawn, most))


async def _add(table: Table, datasette: Any, drawn: list[str], most: list[str]) -> None:
    await _times(datasette, drawn[:20])
    what = f"page of a symbol, {len(drawn)} drawn"
    table.add_row("", what, _text(await _times(datasette, drawn)), "p50 30 ms")
    what = f"  {len(most)} symbols with {MANY_CALLERS:,} callers and more"
    table.add_row("", what, _text(await _times(datasette, most)), "p99 200 ms")
    for name, pages in (("searches", SEARCHES), ("source files", SOURCES)):
        urls = [f"{BASE}/{page}" for page in pages]
        await _times(datasette, urls)
        table.add_row("", f"  {name}", _text(await _times(datasette, urls * RUNS)), "")
    for page in OTHERS:
        await _times(datasette, [f"{BASE}/{page}"])
        table.add_row("", f"  {page}", _text(await _times(datasette, [f"{BASE}/{page}"] * RUNS)), "")


async def _times(datasette: Any, urls: list[str]) -> list[float]:
    times = []
    for url in urls:
        begun = time.perf_counter()
        response = await datasette.client.get(url)
        times.append((time.perf_counter() - begun) * 1000)
        if response.status_code != 200:
            raise SystemExit(f"{url}: {response.status_code}")
    return times


def _text(times: list[float]) -> str:
    last = sorted(times)[min(len(times) - 1, int(len(times) * 0.99))]
    return f"{statistics.median(times):.1f} ms (p99 {last:.1f})"


if __name__ == "__main__":
    import sys
    import tempfile

    from rich.console import Console

    shown = Table("row", "what", "median", "bar")
    with tempfile.TemporaryDirectory() as work:
        add_browse(shown, Path(sys.argv[1]), Path(work))
    Console(width=100).print(shown)
