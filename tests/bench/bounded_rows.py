"""The rows about the worst: each bounded question, asked about every symbol and package of an index.

    python tests/bench/bounded_rows.py INDEX [--part 0.1]

Each question is asked once, in process; the slowest are asked again, and the best of three counts, since the
machine does other things too. ``--part`` draws a part of the symbols.
"""

from __future__ import annotations

import argparse
import gc
import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

sys.path.insert(0, str(Path(__file__).parent.parent))

from rich.console import Console
from rich.table import Table
from timing import milliseconds

from oblist.query import Index, open_index

SEED = 26
PATTERNS = 2000
LIMIT = 200
SLOWEST = 20
_NAMES = """
SELECT symbols.name, packages.name FROM symbols JOIN packages ON packages.id = symbols.package_id
ORDER BY symbols.id
"""
_CLASSES = """
SELECT DISTINCT symbols.name, packages.name FROM classes JOIN definitions ON definitions.id = class_id
JOIN symbols ON symbols.id = definitions.symbol_id JOIN packages ON packages.id = symbols.package_id
ORDER BY definitions.id
"""
_USED = """
SELECT symbols.name, packages.name FROM symbols JOIN packages ON packages.id = symbols.package_id
WHERE symbols.id IN (SELECT symbol_id FROM used_symbols) ORDER BY symbols.id
"""
_RELATIONS_OF = """
SELECT DISTINCT symbols.name, packages.name, relations.relation FROM {table} AS uses
JOIN symbols ON symbols.id = uses.symbol_id JOIN packages ON packages.id = symbols.package_id
JOIN relations ON relations.id = uses.relation_id WHERE uses.operator IS NULL
ORDER BY symbols.id, relations.id
"""


class Asked(NamedTuple):
    """A question, and what it is asked about: the arguments of each time."""

    what: str
    ask: Callable[..., object]
    about: list[tuple[str, ...]]
    bar: str = "p50 0.2, p99 2, worst 5 ms"


class Times(NamedTuple):
    """Milliseconds of a question, and what took longest."""

    middle: float
    p99: float
    worst: float
    about: tuple[str, ...]


class About(Protocol):
    """What the questions are asked about."""

    def names(self) -> list[tuple[str, ...]]:
        """Symbols, as name and package."""

    def used(self) -> list[tuple[str, ...]]:
        """Symbols that are used."""

    def relations(self, table: str) -> list[tuple[str, ...]]:
        """Symbols of a table, used_symbols or using_symbols, with a relation that they have there."""

    def classes(self) -> list[tuple[str, ...]]:
        """Classes, structures and conditions."""

    def packages(self) -> list[str]:
        """The names of packages."""

    def patterns(self) -> list[str]:
        """Patterns of all lengths: parts of names, and nothing."""

    def words(self) -> list[str]:
        """Words, and some in a row, as documentation has them."""


class Everything:
    """Every symbol and package of an index, or a part of the symbols."""

    def __init__(self, index: Index, part: float = 1.0) -> None:
        self._index, self._part, self._chance = index, part, random.Random(SEED)

    def _drawn(self, statement: str) -> list[tuple[str, ...]]:
        rows = self._index.rows(statement)
        return self._chance.sample(rows, int(len(rows) * self._part)) if self._part < 1 else rows

    def names(self) -> list[tuple[str, ...]]:
        return self._drawn(_NAMES)

    def used(self) -> list[tuple[str, ...]]:
        return self._drawn(_USED)

    def relations(self, table: str) -> list[tuple[str, ...]]:
        return self._drawn(_RELATIONS_OF.format(table=table))

    def classes(self) -> list[tuple[str, ...]]:
        return self._index.rows(_CLASSES)

    def packages(self) -> list[str]:
        return [name for _, name in sorted(self._index.package_names.items())]

    def patterns(self) -> list[str]:
        statement = "SELECT folded FROM symbols WHERE exported ORDER BY id"
        return patterns([name for (name,) in self._index.rows(statement)], PATTERNS, self._chance)

    def words(self) -> list[str]:
        statement = "SELECT documentation FROM definitions WHERE documentation <> '' ORDER BY id"
        return phrases([text for (text,) in self._index.rows(statement)], PATTERNS, self._chance)


def questions(index: Index, about: About) -> Iterator[Asked]:
    """Every bounded question."""
    chance = random.Random(SEED)
    names, packages, parts = about.names(), about.packages(), about.patterns()
    yield Asked("describe", lambda n, p: index.describe(n, p, limit=LIMIT), names)
    yield Asked("definition", index.definition, names)
    yield Asked("xref", lambda n, p: index.xref(n, p, limit=LIMIT), names)
    yield Asked("xref, callees", lambda n, p: index.xref(n, p, callees=True, limit=LIMIT), names)
    yield Asked(
        "xref, one relation",
        lambda n, p, r: index.xref(n, p, relation=r, limit=LIMIT),
        about.relations("used_symbols"),
    )
    yield Asked(
        "xref, callees, one relation",
        lambda n, p, r: index.xref(n, p, relation=r, callees=True, limit=LIMIT),
        about.relations("using_symbols"),
    )
    yield Asked(
        "xref, tree of depth 3", lambda n, p: index.xref_tree(n, p, depth=3), about.used(), "worst 40 ms"
    )
    yield Asked("class", lambda n, p: index.class_(n, p, limit=LIMIT), about.classes())
    yield Asked("package", lambda p: index.package(p, limit=LIMIT), [(name,) for name in packages])
    yield Asked("apropos", lambda s: index.apropos(s, limit=LIMIT), [(one,) for one in parts])
    yield Asked(
        "apropos in a package",
        lambda s, p: index.apropos(s, p, limit=LIMIT),
        [(one, chance.choice(packages)) for one in parts],
    )
    yield Asked("search", index.search, [(one,) for one in about.words()])


def patterns(folded: list[str], number: int, chance: random.Random) -> list[str]:
    """Patterns of all lengths out of ``folded`` names, and the empty one."""
    found = [""]
    for place in range(1, number):
        name, length = chance.choice(folded), 1 + place % 8
        start = chance.randrange(max(1, len(name) - length + 1))
        found.append(name[start : start + length])
    return found


def phrases(texts: list[str], number: int, chance: random.Random) -> list[str]:
    """Words, and some in a row, out of ``texts``."""
    found = []
    for place in range(number):
        words = re.findall(r"[A-Za-z]+", chance.choice(texts)) or ["list"]
        length = (1, 1, 1, 2, 2, 3, 5)[place % 7]
        start = chance.randrange(len(words))
        found.append(" ".join(words[start : start + length]))
    return found


def times(asked: Asked) -> Times:
    """Ask a question about everything."""

    def once(about: tuple[str, ...]) -> float:
        return milliseconds(lambda: asked.ask(*about))

    taken = sorted(((once(about), about) for about in asked.about), reverse=True)
    again = [(min(first, once(about), once(about)), about) for first, about in taken[:SLOWEST]]
    worst, about = max(again)
    values = [value for value, _ in taken]
    return Times(values[len(values) // 2], values[len(values) // 100], worst, about)


def add_bounded(table: Table, path: Path, part: float = 1.0) -> None:
    """A row for each question."""
    with open_index(path) as index:
        every = list(questions(index, Everything(index, part)))
        gc.collect()
        gc.freeze()  # a server does not hold all these names, which would slow each collection
        try:
            for one in every:
                found = times(one)
                about = " ".join(found.about) or "the empty pattern"
                table.add_row(
                    "",
                    f"{one.what}, {len(one.about):,} times; slowest: {about[:40]}",
                    f"{found.middle:.2f}, {found.p99:.1f}, {found.worst:.1f} ms",
                    one.bar,
                )
        finally:
            gc.unfreeze()


def main() -> None:
    """Print these rows alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("--part", type=float, default=1.0)
    arguments = parser.parse_args()
    table = Table("row", "what", "p50, p99, worst", "bar")
    add_bounded(table, arguments.index, arguments.part)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
