"""The rows about search: words, sentences, misspelt names, types, examples."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from pathlib import Path

from rich.table import Table
from timing import milliseconds

from oblist.query import Index, open_index
from support.search_intents import HELD, TUNED
from support.search_signatures import FRESH
from support.search_signatures import HELD as HELD_TYPES
from support.search_signatures import TUNED as TUNED_TYPES

SEED = 22
NAMES = 100
WORDS = ("hash table", "string split", "maphash", "read file into string", "thread", "regex replace all")
ROUNDS = 5


def add_search(table: Table, path: Path) -> None:
    """The rows: each question several times, its median; then p50 and p95 over the questions."""
    with open_index(path) as index:
        names = _exported(index)
        sentences = [query for query, _ in (*TUNED, *HELD)]
        types = [one.query for one in (*TUNED_TYPES, *HELD_TYPES, *FRESH)]
        questions: tuple[tuple[str, list[Callable[[], object]], str], ...] = (
            ("search, one to four words", [lambda q=q: index.search(q) for q in WORDS], ""),
            ("search, sentences", [lambda q=q: index.search(q) for q in sentences], ""),
            ("search, types", [lambda q=q: index.search(q) for q in types], "p95 30 ms"),
            ("describe, misspelt names", [lambda n=n: index.describe(_misspelt(n)) for n in names], ""),
            ("examples", [lambda n=n: index.examples(n, limit=5) for n in names], "p95 10 ms"),
        )
        for what, asked, bar in questions:
            times = sorted(statistics.median(milliseconds(ask) for _ in range(ROUNDS)) for ask in asked)
            p95 = times[int(0.95 * (len(times) - 1))]
            table.add_row(
                "", f"{what}, {len(times)}", f"{statistics.median(times):.1f} ms (p95 {p95:.1f})", bar
            )


def _exported(index: Index) -> list[str]:
    """Exported functions and macros that are used, drawn by seed, as typed."""
    rows = index.rows(
        "SELECT DISTINCT lower(packages.name || ':' || symbols.name) FROM symbols"
        " JOIN packages ON packages.id = symbols.package_id"
        " JOIN definitions ON definitions.symbol_id = symbols.id"
        " WHERE symbols.exported AND callers_count > 0 AND length(symbols.name) > 5"
        " AND upper(symbols.name) = symbols.name AND packages.name <> 'KEYWORD'"
        " AND instr(symbols.name, '|') = 0 AND instr(symbols.name, ' ') = 0 ORDER BY symbols.id"
    )
    return [name for (name,) in random.Random(SEED).sample(rows, min(NAMES, len(rows)))]


def _misspelt(name: str) -> str:
    """``name`` with its last two letters exchanged."""
    return f"{name[:-2]}{name[-1]}{name[-2]}"
