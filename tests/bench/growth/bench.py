"""The growth table: what a build takes, and each bounded question, as an index grows.

    python tests/bench/growth/bench.py [--base INDEX] [--size N ...] [--folder DIR] [--json FILE]

Indexes are generated once and kept in the folder, in the user's cache unless another is named; --again makes
them again. The sizes are 30 thousand, 300 thousand and 3 million symbols; --huge adds 8 million. Everything
is measured in child processes, one after the other. The machine may be busy: read the ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from growth.generate import SEED
from growth.peers import live_image
from growth.questions import NUMBER
from growth.servers import cold_command, server_memory
from growth.shown import print_tables
from oblist.indexer.build.index import build_index
from oblist.indexer.format import user_cache_folder
from oblist.indexer.image import ImagePlan
from oblist.lisp.sbcl import Sbcl, find_sbcl

SIZES = (30_000, 300_000, 3_000_000)
HUGE = 8_000_000
_HERE = Path(__file__).parent


def built(base: Path, folder: Path, symbols: int, *, again: bool) -> tuple[Path, dict[str, float]]:
    """The index with that many symbols, and what its build took; made now unless it is there."""
    path = folder / f"growth-{symbols}.db"
    facts = path.with_suffix(".json")
    if again or not (path.exists() and facts.exists()):
        command = [sys.executable, str(_HERE / "generate.py"), str(path), "--base", str(base)]
        done = subprocess.run(
            [*command, "--symbols", str(symbols), "--json"], check=False, stdout=subprocess.PIPE, text=True
        )
        if done.returncode:
            raise SystemExit(done.returncode)
        facts.write_text(done.stdout, encoding="utf-8")
    return path, json.loads(facts.read_text(encoding="utf-8"))


def measured(path: Path, symbols: int, build: dict[str, float], number: int) -> dict[str, Any]:
    """Everything about one size."""
    command = [sys.executable, str(_HERE / "questions.py"), str(path), "--number", str(number)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return {
        "symbols": symbols,
        **build,
        "server_mb": round(server_memory(path), 1),
        "cold_ms": round(cold_command(path), 1),
        "questions": json.loads(done.stdout),
    }


def base_index(chosen: Path | None, folder: Path, sbcl: Sbcl) -> Path:
    """The index to make others of: the one chosen, else that of the bare image, built now."""
    if chosen:
        return chosen
    path = folder / "bare.db"
    build_index(path, ImagePlan(sbcl), command="bench")
    return path


def main() -> None:
    """Print the tables; write what was measured to a file, if one is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--base", type=Path, help="the real index to make others of (default: the bare image's)"
    )
    parser.add_argument("--size", type=int, action="append", help="a number of symbols; may be repeated")
    parser.add_argument("--huge", action="store_true", help=f"{HUGE:,} symbols too: some 15 GB of disk")
    parser.add_argument("--folder", type=Path, help="folder for the indexes (default: in the user's cache)")
    parser.add_argument("--again", action="store_true", help="make indexes that are there again")
    parser.add_argument("--number", type=int, default=NUMBER, help="how often to ask each question")
    parser.add_argument("--json", type=Path, help="file for what was measured")
    arguments = parser.parse_args()
    folder = arguments.folder or user_cache_folder() / "growth"
    folder.mkdir(parents=True, exist_ok=True)
    sbcl = find_sbcl()
    base = base_index(arguments.base, folder, sbcl)
    sizes = sorted(arguments.size or [*SIZES, *([HUGE] if arguments.huge else [])])
    found: dict[str, Any] = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, SBCL {sbcl.version},"
        f" Python {platform.python_version()}",
        "seed": SEED,
        "sizes": [],
        "live": live_image(sbcl),
    }
    for symbols in sizes:
        print(f"{symbols:,} symbols", file=sys.stderr)
        path, build = built(base, folder, symbols, again=arguments.again)
        found["sizes"].append(measured(path, symbols, build, arguments.number))
        if arguments.json:  # after each size: the next may take long
            arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print_tables(found)


if __name__ == "__main__":
    main()
