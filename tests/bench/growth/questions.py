"""Ask an index every bounded question, about what is drawn and about the most used names; prints JSON.

python tests/bench/growth/questions.py INDEX [--number 2000]
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    sys.path.insert(0, str(Path(__file__).parents[2]))

from bounded_rows import LIMIT, Asked, questions
from timing import milliseconds

from growth.drawn import SEED, Drawn
from oblist.query import Index, open_index
from support.search_signatures import FRESH, HELD, TUNED

_T = TypeVar("_T")
NUMBER = 2000
_SECONDS = 15.0  # for one question, and as long again: one that takes long is not asked about everything
_LEAST = 30
_LEAST_AGAIN = 5
_SLOWEST = 100
_AGAIN = 20  # a twentieth is asked again, and at least that many
_CL = "COMMON-LISP"
MOST_USED = ("CAR", "QUOTE", "LIST", "T", "PRINT-OBJECT", "NIL", "LET", "SETF", "DEFUN", "FUNCTION")
CLASSES = ("T", "STANDARD-OBJECT", "STRUCTURE-OBJECT", "CONDITION", "ERROR", "FUNCTION", "SYMBOL")
_MOST_USED_OF_ALL = """
SELECT symbols.name, packages.name FROM used_symbols JOIN symbols ON symbols.id = symbol_id
JOIN packages ON packages.id = symbols.package_id WHERE relation_id IS NULL
GROUP BY symbols.id ORDER BY max(total) DESC, symbols.id LIMIT 40
"""
_MOST_USING = """
SELECT symbols.name, packages.name FROM using_symbols JOIN symbols ON symbols.id = symbol_id
JOIN packages ON packages.id = symbols.package_id WHERE relation_id IS NULL
GROUP BY symbols.id ORDER BY max(total) DESC, symbols.id LIMIT 40
"""
_LARGEST_PACKAGES = """
SELECT packages.name FROM symbols JOIN packages ON packages.id = package_id
GROUP BY package_id ORDER BY count(*) DESC, package_id LIMIT 10
"""


def every_question(index: Index, number: int) -> Iterator[Asked]:
    """The bounded questions about what is drawn, then those about what is used most."""
    drawn, chance = Drawn(index, number), random.Random(SEED)
    yield from questions(index, drawn)
    some = drawn.used()[: number // 4]
    yield Asked("examples", index.examples, some)
    types = [one.query for one in (*TUNED, *HELD, *FRESH)]
    yield Asked("search by types", index.search, [(query,) for query in types])
    yield Asked("a misspelt name", index.describe, [(_misspelt(n, chance),) for n, _ in some])
    yield from _about_the_most_used(index)


def _about_the_most_used(index: Index) -> Iterator[Asked]:
    """The same questions about the names that get more users with every library."""
    used = [*((name, _CL) for name in MOST_USED), *index.rows(_MOST_USED_OF_ALL)]
    using = [*used, *index.rows(_MOST_USING)]
    packages = [name for (name,) in index.rows(_LARGEST_PACKAGES)]
    classes = [(name, _CL) for name in CLASSES]
    yield Asked("describe, most used", lambda n, p: index.describe(n, p, limit=LIMIT), using)
    yield Asked("definition, most used", index.definition, using)
    yield Asked("xref, most used", lambda n, p: index.xref(n, p, limit=LIMIT), used)
    yield Asked("xref, calls, most used", lambda n, p: index.xref(n, p, relation="calls", limit=LIMIT), used)
    yield Asked("xref, callees, most used", lambda n, p: index.xref(n, p, callees=True, limit=LIMIT), using)
    yield Asked("xref, tree, most used", lambda n, p: index.xref_tree(n, p, depth=3), used)
    yield Asked("class, most used", lambda n, p: index.class_(n, p, limit=LIMIT), classes)
    yield Asked("package, largest", lambda p: index.package(p, limit=LIMIT), [(p,) for p in packages])
    yield Asked("examples, most used", index.examples, used)
    yield Asked("problems", lambda: index.problems(limit=LIMIT), [()])
    yield Asked("info", index.information, [()])


def _misspelt(name: str, chance: random.Random) -> str:
    """``name`` with two letters exchanged."""
    place = chance.randrange(max(1, len(name) - 1))
    return name[:place] + name[place + 1 : place + 2] + name[place : place + 1] + name[place + 2 :]


def _in_time(every: list[_T], least: int) -> Iterator[_T]:
    """Those for which there is time, and so many at least."""
    end = time.monotonic() + _SECONDS
    for number, one in enumerate(every):
        if number >= least and time.monotonic() > end:
            return
        yield one


def measured(asked: Asked) -> dict[str, Any]:
    """Ask about everything, as far as there is time: p50, p99 and the worst, in milliseconds.

    The slowest are asked again, and the best of three counts, since the machine does other things too.
    """

    def once(about: tuple[str, ...]) -> float:
        return milliseconds(lambda: asked.ask(*about))

    taken = []
    for about in _in_time(asked.about, _LEAST):
        taken.append((once(about), about))
    taken.sort(reverse=True)
    again = taken[: max(_SLOWEST, len(taken) // _AGAIN)]
    for place, (first, about) in enumerate(_in_time(again, _LEAST_AGAIN)):
        taken[place] = min(first, once(about), once(about)), about
    taken.sort(reverse=True)
    values = [round(value, 4) for value, _ in taken]
    return {
        "question": asked.what,
        "asked": len(values),
        "p50": values[len(values) // 2],
        "p99": values[len(values) // 100],
        "worst": values[0],
        "slowest": " ".join(taken[0][1]),
    }


def ask_all(path: Path, number: int) -> list[dict[str, Any]]:
    """All questions to the index at ``path``."""
    with open_index(path) as index:
        every = [one for one in every_question(index, number) if one.about]
        gc.collect()
        gc.freeze()  # a server does not hold all these names, which would slow each collection
        return [measured(one) for one in every]


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("--number", type=int, default=NUMBER)
    arguments = parser.parse_args()
    print(json.dumps(ask_all(arguments.index, arguments.number)))


if __name__ == "__main__":
    main()
