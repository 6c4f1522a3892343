"""The speed table: medians, and ratios within one run.

    python tests/bench/bench.py [--index FILE]

Rows have the numbers that the design gives them. ``--index`` names an index to ask (default: a
new one of the bare image), for figures over a larger corpus.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from indexer.build import build_index
from indexer.format import user_cache_folder
from indexer.image import ImagePlan
from lisp.sbcl import Sbcl, Setup, compiled_code, find_sbcl, start_dump
from query import Index, open_index

SEED = 20
QUESTIONS = 1000
BUILDS = 5
COLD_RUNS = 21


def milliseconds(action: Callable[[], object]) -> float:
    """How long ``action`` takes."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def lisp_side_alone(sbcl: Sbcl, folder: Path) -> float:
    """SBCL writing its records into a file, nobody reading."""
    code = compiled_code(sbcl, user_cache_folder())

    def dump() -> None:
        with (folder / "records").open("wb") as records, (folder / "output").open("wb") as output:
            process = start_dump(sbcl, code, (), Setup(), records.fileno(), output)
            if process.wait() != 0:
                raise SystemExit((folder / "output").read_text())

    dump()
    return statistics.median(milliseconds(dump) for _ in range(BUILDS))


def full_index(sbcl: Sbcl, folder: Path) -> float:
    """The whole command ``oblist index``, start of Python included."""
    command = [str(Path(sys.executable).with_name("oblist")), "index", "--quiet"]
    command += ["--sbcl", str(sbcl.path), "--output", str(folder / "cli.db")]
    return statistics.median(milliseconds(lambda: subprocess.run(command, check=True)) for _ in range(BUILDS))


def random_symbols(index: Index) -> list[tuple[str, str]]:
    """Names and packages of symbols drawn by seed, as describe takes them."""
    rows = index.rows(
        "SELECT symbols.name, packages.name FROM symbols JOIN packages ON packages.id = symbols.package_id"
        " ORDER BY symbols.id"
    )
    drawn = random.Random(SEED).sample(rows, min(QUESTIONS, len(rows)))
    return [
        ("|" + name.replace("\\", "\\\\").replace("|", "\\|") + "|", f'"{package}"')
        for name, package in drawn
    ]


def describe_times(index: Index) -> list[float]:
    """Describe, in process, one question after the other."""
    names = random_symbols(index)
    for name, package in names[:50]:
        index.describe(name, package)
    return [milliseconds(lambda n=name, p=package: index.describe(n, p)) for name, package in names]


def definition_times(index: Index) -> list[float]:
    """The text of definitions, in process."""
    names = random_symbols(index)
    return [milliseconds(lambda n=name, p=package: index.definition(n, p)) for name, package in names]


def callers_times(index: Index) -> list[float]:
    """Who calls, in process: the first 200 uses of functions that are called at all."""
    rows = index.rows(
        "SELECT DISTINCT symbols.name, packages.name FROM symbols"
        " JOIN packages ON packages.id = symbols.package_id"
        " JOIN definitions ON definitions.symbol_id = symbols.id WHERE callers_count > 0 ORDER BY symbols.id"
    )
    drawn = random.Random(SEED).sample(rows, min(QUESTIONS, len(rows)))
    names = [
        (f"|{name}|".replace("\\", "\\\\"), f'"{package}"') for name, package in drawn if "|" not in name
    ]
    return [
        milliseconds(lambda n=name, p=package: index.xref(n, p, relation="calls", limit=200))
        for name, package in names
    ]


def apropos_pattern(index: Index) -> str:
    """A pattern of three letters and more with about 900 hits (or as near as this index has)."""

    def hits(pattern: str) -> int:
        answer = index.apropos(pattern, limit=1)
        return getattr(answer, "total", 0)

    patterns = [
        "set",
        "make",
        "type",
        "get",
        "name",
        "list",
        "stream",
        "code",
        "read",
        "with",
        "string",
        "key",
    ]
    return min(patterns, key=lambda pattern: abs(hits(pattern) - 900))


def cold_lookup(index: Path) -> float:
    """The command line from nothing to an answer."""
    command = [str(Path(sys.executable).with_name("oblist")), "describe", "mapcar", "--index", str(index)]
    return statistics.median(
        milliseconds(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))
        for _ in range(COLD_RUNS)
    )


def bare_python() -> float:
    """What a Python that does nothing costs here."""
    return statistics.median(
        milliseconds(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
        for _ in range(COLD_RUNS)
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", help="index to ask (default: a new one of the bare image)")
    chosen = parser.parse_args().index
    sbcl = find_sbcl()
    table = Table(
        "row",
        "what",
        "median",
        "bar",
        title=f"SBCL {sbcl.version}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores, {platform.machine()}",
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        alone = lisp_side_alone(sbcl, folder)
        full = full_index(sbcl, folder)
        table.add_row("1", "full index of the bare image, sources stored", f"{full / 1000:.2f} s", "4 s")
        table.add_row("", "  Lisp side alone, records to a file", f"{alone / 1000:.2f} s", "")
        table.add_row("", "  ratio", f"{full / alone:.2f}", "3")
        path = Path(chosen) if chosen else folder / "bare.db"
        if not chosen:
            build_index(path, ImagePlan(sbcl), command="bench")
        with open_index(path) as index:
            symbols = index.information().symbols
            times = describe_times(index)
            table.add_row(
                "3",
                f"describe, {len(times)} of {symbols:,} symbols",
                f"{statistics.median(times):.3f} ms",
                "0.15 ms",
            )
            texts, callers = definition_times(index), callers_times(index)
            table.add_row("", "definition, the same symbols", f"{statistics.median(texts):.3f} ms", "0.5 ms")
            what = f"who-calls, first 200, {len(callers)} called functions"
            table.add_row("5", what, f"{statistics.median(callers):.3f} ms", "0.5 ms")
            pattern = apropos_pattern(index)
            answer = index.apropos(pattern)
            spent = statistics.median(milliseconds(lambda: index.apropos(pattern)) for _ in range(200))
            table.add_row(
                "4", f"apropos {pattern!r}, {getattr(answer, 'total', 0)} hits", f"{spent:.2f} ms", "1.5 ms"
            )
        cold, bare = cold_lookup(path), bare_python()
        table.add_row("7", "cold command-line describe", f"{cold:.0f} ms", "120 ms")
        table.add_row("", "  Python alone", f"{bare:.0f} ms", "")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
