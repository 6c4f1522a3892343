"""The speed table: medians, and ratios within one run.

    python tests/bench/bench.py [--index FILE] [--cluster]

Rows have the numbers that the design gives them. They are measured on the bare image and, where its
systems are installed (``make setup-corpus``), on the whole corpus. ``--index`` names one index to ask
instead, ``--cluster`` adds the rows for catalogs on Dask, which take some twenty minutes.
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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bounded_rows import add_bounded
from browse_rows import add_browse
from check_rows import add_check
from cluster_rows import add_cluster
from editor_rows import add_editor
from form_rows import add_forms
from live_rows import add_live
from mcp_rows import add_mcp
from rich.console import Console
from rich.table import Table
from search_rows import add_search
from timing import milliseconds
from watch_rows import add_watch

from oblist.indexer.build.index import build_index
from oblist.indexer.format import user_cache_folder
from oblist.indexer.image import ImagePlan
from oblist.lisp.images import Setup, start_dump
from oblist.lisp.sbcl import Sbcl, compiled_code, find_sbcl
from oblist.query import Index, open_index
from support.corpus import corpus_systems
from support.typed_names import piped

SEED = 20
QUESTIONS = 1000
BUILDS = 5
COLD_RUNS = 21
CORPUS_BUILDS = 3
CORPUS_CALLS = 2000
BATCH = 100_000
SYSTEM_FOLDERS = ("/usr/share/common-lisp/systems",)


def lisp_side_alone(sbcl: Sbcl, folder: Path) -> float:
    """SBCL writes its records to a file that nobody reads."""
    code = compiled_code(sbcl, user_cache_folder())

    def dump() -> None:
        with (folder / "records").open("wb") as records, (folder / "output").open("wb") as output:
            process = start_dump(sbcl, code, (), Setup(), records.fileno(), output)
            if process.wait() != 0:
                raise SystemExit((folder / "output").read_text())

    dump()
    return statistics.median(milliseconds(dump) for _ in range(BUILDS))


def plain_pass(sbcl: Sbcl, folder: Path) -> float:
    """One pass over the image that prints the same facts (plain_pass.lisp)."""
    source, code = Path(__file__).with_name("plain_pass.lisp"), folder / "plain_pass.fasl"
    start = [str(sbcl.path), "--noinform", "--no-sysinit", "--no-userinit", "--disable-debugger"]
    form = f'(progn (require "SB-INTROSPECT") (compile-file "{source}" :output-file "{code}"))'
    subprocess.run([*start, "--eval", form, "--quit"], check=True, stdout=subprocess.DEVNULL)
    command = [*start, "--load", str(code), "--end-toplevel-options", str(folder / "facts")]

    def run() -> None:
        subprocess.run(command, check=True)

    run()
    return statistics.median(milliseconds(run) for _ in range(BUILDS))


def full_index(sbcl: Sbcl, folder: Path) -> float:
    """The whole command ``oblist index``, start of Python and snapshot included."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    command = [str(Path(sys.executable).with_name("oblist")), "index", "--force", "--quiet"]
    command += ["--sbcl", str(sbcl.path), "--output", str(folder / "cli.db")]

    def run() -> None:
        subprocess.run(command, check=True, env=environment)

    run()  # compiles the Lisp side
    return statistics.median(milliseconds(run) for _ in range(BUILDS))


def random_symbols(index: Index) -> list[tuple[str, str]]:
    """Names and packages of symbols drawn by seed, as describe takes them."""
    rows = index.rows(
        "SELECT symbols.name, packages.name FROM symbols JOIN packages ON packages.id = symbols.package_id"
        " ORDER BY symbols.id"
    )
    drawn = random.Random(SEED).sample(rows, min(QUESTIONS, len(rows)))
    return [typed(name, package) for name, package in drawn]


def typed(name: str, package: str) -> tuple[str, str]:
    """A symbol's name and package as describe takes them, whatever is in them."""
    return piped(name), f'"{package}"'


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
    """The time that a Python that does nothing takes here."""
    return statistics.median(
        milliseconds(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
        for _ in range(COLD_RUNS)
    )


def milliseconds_text(times: list[float]) -> str:
    """Median and 95th percentile."""
    return f"{statistics.median(times):.3f} ms (p95 {statistics.quantiles(times, n=20)[-1]:.2f})"


def add_questions(table: Table, path: Path) -> None:
    """Rows 3, 4, 5 and 7: the times of questions to the index at ``path``."""
    with open_index(path) as index:
        symbols = index.information().symbols
        times = describe_times(index)
        what = f"describe, {len(times)} of {symbols:,} symbols"
        table.add_row("3", what, milliseconds_text(times), "0.15 ms")
        pattern = apropos_pattern(index)
        total = getattr(index.apropos(pattern), "total", 0)
        spent = [milliseconds(lambda: index.apropos(pattern)) for _ in range(200)]
        table.add_row("4", f"apropos {pattern!r}, {total} hits", milliseconds_text(spent), "1.5 ms")
        callers = callers_times(index)
        what = f"who-calls, first 200, {len(callers)} called functions"
        table.add_row("5", what, milliseconds_text(callers), "0.5 ms")
        texts = definition_times(index)
        table.add_row("", "definition, the same symbols", milliseconds_text(texts), "0.5 ms")
        most = most_defined(index)
        for name, package in most:
            index.definition(name, package)
        texts = [milliseconds(lambda n=n, p=p: index.definition(n, p)) for n, p in most for _ in range(5)]
        what = f"definition, the {len(most)} with most definitions"
        table.add_row("", what, milliseconds_text(texts), "")
    add_batch(table, path)
    cold, bare = cold_lookup(path), bare_python()
    table.add_row("7", "cold command-line describe", f"{cold:.0f} ms", "90 ms")
    table.add_row("", "  Python alone", f"{bare:.0f} ms", "")
    table.add_row("", "  size of the index", f"{path.stat().st_size / 1e6:.1f} MB", "")


def add_batch(table: Table, path: Path) -> None:
    """Batch look-ups from the command line: BATCH names drawn by seed, start of Python included."""
    with open_index(path) as index, tempfile.TemporaryDirectory() as name:
        rows = index.rows(
            "SELECT packages.name, symbols.name FROM symbols JOIN packages ON packages.id = package_id"
            " WHERE instr(symbols.name, char(10)) = 0 ORDER BY symbols.id"
        )
        drawn = random.Random(SEED).choices(rows, k=BATCH)
        names = Path(name) / "names"
        names.write_text("".join(f"{piped(package)}::{piped(symbol)}\n" for package, symbol in drawn))
        for command, bar in (["describe", "--no-live"], "30 s"), (["xref"], ""), (["definition"], ""):
            asked = [str(Path(sys.executable).with_name("oblist")), *command, "--batch", str(names)]
            spent = milliseconds(
                lambda asked=asked: subprocess.run(
                    [*asked, "--index", str(path)], check=False, stdout=subprocess.DEVNULL
                )
            )
            table.add_row("", f"{command[0]} --batch, {BATCH:,} names", f"{spent / 1000:.1f} s", bar)


def most_defined(index: Index) -> list[tuple[str, str]]:
    """The ten symbols with most definitions, as definition takes them."""
    rows = index.rows(
        "SELECT symbols.name, packages.name FROM definitions JOIN symbols ON symbols.id = symbol_id"
        " JOIN packages ON packages.id = symbols.package_id"
        " GROUP BY symbols.id ORDER BY count(*) DESC, symbols.id LIMIT 10"
    )
    return [typed(name, package) for name, package in rows]


def corpus_path(folder: Path) -> Path | None:
    """The path for the index of the corpus; None when its systems are not installed."""
    if not all(any(Path(p, f"{name}.asd").exists() for p in SYSTEM_FOLDERS) for name in ("cl-who", "zs3")):
        return None
    return folder / "corpus.db"


def timed_build(path: Path, plan: ImagePlan) -> tuple[float, float]:
    """Seconds that a build takes until everything is loaded, and from then on."""
    moments: list[float] = []
    build_index(path, plan, command="bench", progress=lambda _: moments.append(time.perf_counter()))
    # The first stage is reported when SBCL starts, the second at the header of the records.
    return moments[1] - moments[0], time.perf_counter() - moments[1]


def add_corpus(table: Table, sbcl: Sbcl, path: Path) -> None:
    """Row 2, and the questions once more over the whole corpus."""
    systems = corpus_systems()
    plan = ImagePlan(sbcl, systems)
    build_index(path, plan, command="bench")  # compiles what was never compiled here
    times = [timed_build(path, plan) for _ in range(CORPUS_BUILDS)]
    loading, after_loading = (statistics.median(column) for column in zip(*times, strict=True))
    table.add_section()
    what = f"index of the {len(systems)} systems of the corpus, loading not counted"
    table.add_row("2", what, f"{after_loading:.2f} s", "8 s")
    table.add_row("", "  loading them (warm fasls)", f"{loading:.2f} s", "")
    add_questions(table, path)
    add_search(table, path)
    add_mcp(table, path, many=CORPUS_CALLS)
    add_browse(table, path, path.parent)
    add_check(table, path, path.parent)
    add_forms(table, path)
    add_editor(table, path)
    add_bounded(table, path)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", help="index to ask (default: a new one of the bare image)")
    parser.add_argument("--cluster", action="store_true", help="catalogs on Dask, too")
    arguments = parser.parse_args()
    chosen = arguments.index
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
        plain = plain_pass(sbcl, folder)
        alone = lisp_side_alone(sbcl, folder)
        full = full_index(sbcl, folder)
        table.add_row(
            "1", "full index of the bare image, sources stored, snapshot saved", f"{full / 1000:.2f} s", "4 s"
        )
        table.add_row("", "  one plain Lisp pass that prints the same facts", f"{plain / 1000:.2f} s", "")
        table.add_row("", "  ratio", f"{full / plain:.2f}", "3.5")
        table.add_row("", "  our Lisp side alone, records to a file", f"{alone / 1000:.2f} s", "")
        path = Path(chosen) if chosen else folder / "bare.db"
        if not chosen:
            build_index(path, ImagePlan(sbcl), command="bench")
        add_questions(table, path)
        add_search(table, path)
        add_mcp(table, path)
        add_browse(table, path, folder)
        add_live(table, sbcl, folder)
        add_watch(table, folder)
        corpus = corpus_path(folder) if not chosen else None
        if corpus is not None:
            add_corpus(table, sbcl, corpus)
        if arguments.cluster:
            add_cluster(table, folder)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
