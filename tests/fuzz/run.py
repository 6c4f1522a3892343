"""Fuzz: try what others may write, for some time, and keep what breaks something.

    python tests/fuzz/run.py [--seconds 600] [--seed N] [TARGET]...

A find is added to tests/fuzz/finds/TARGET.json, whose cases every run of the tests tries.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from rich.console import Console
from rich.status import Status

from support import hermetic


def main() -> int:
    """Fuzz the targets that were named, or all; return 1 if there was a find."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="by default, all of them in turn")
    parser.add_argument("--seconds", type=float, default=600.0, help="for each target (default: 600)")
    parser.add_argument("--seed", type=int, help="where to begin drawing cases (default: by chance)")
    chosen = parser.parse_args()
    home = hermetic.enter()
    try:
        return _fuzz(chosen.targets, chosen.seconds, chosen.seed or random.SystemRandom().randrange(1 << 30))
    finally:
        if home is not None:
            hermetic.leave(home)


def _fuzz(names: list[str], seconds: float, chance: int) -> int:
    from fuzz.table import TARGETS
    from fuzz.trying import fuzzed, keep

    known = {one.name: one for one in TARGETS}
    if unknown := set(names) - set(known):
        print(f"There is no target {min(unknown)}; the targets are: {', '.join(known)}.", file=sys.stderr)
        return 2
    console, code = Console(), 0
    console.print(f"seed {chance}, {seconds:g} s for each target")
    for target in [known[name] for name in names] or TARGETS:
        with console.status(target.name) as status, tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            done = fuzzed(target, Path(folder).resolve(), seconds, chance, _teller(status, target.name))
        console.print(f"{target.name:<10} {done.cases:>9,} cases  {'ok' if done.error is None else 'FIND'}")
        if done.error is not None:
            code = 1
            traceback.print_exception(done.error)
            print(f"The smallest case: {done.find!a}\nkept in {keep(target, done.find)}", flush=True)
    return code


def _teller(status: Status, name: str):  # type: ignore[no-untyped-def]
    return lambda cases, spent: status.update(f"{name}: {cases:,} cases in {spent:,.0f} s")


if __name__ == "__main__":
    sys.exit(main())
