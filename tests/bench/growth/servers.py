"""What a server on a grown index takes: resident memory after a mix of questions; and a cold command."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
from pathlib import Path

from mcp_rows import resident
from timing import milliseconds

from oblist.query import open_index
from support.agents.mcp_wire import oblist_mcp
from support.typed_names import piped

from .drawn import SEED, Drawn

CALLS = 500
COLD_RUNS = 7


def server_memory(path: Path) -> float:
    """Resident megabytes of ``oblist mcp`` after a mix of questions about names that are drawn."""
    with open_index(path) as index:
        drawn = Drawn(index, CALLS)
        names = [f"{piped(package)}::{piped(name)}" for name, package in drawn.used()]
        words, patterns = drawn.words(), [pattern for pattern in drawn.patterns() if pattern]
    chance = random.Random(SEED)
    with oblist_mcp(path, "--no-live") as wire:
        wire.initialize()
        for _ in range(CALLS):
            tool, key, values = chance.choice(
                (
                    ("describe_symbol", "name", names),
                    ("find_references", "name", names),
                    ("apropos_search", "pattern", patterns),
                    ("search_documentation", "query", words),
                )
            )
            wire.call(tool, **{key: chance.choice(values)})
        return resident(wire)


def cold_command(path: Path) -> float:
    """Milliseconds of ``oblist describe`` from nothing to an answer."""
    command = [str(Path(sys.executable).with_name("oblist")), "describe", "mapcar", "--index", str(path)]
    return statistics.median(
        milliseconds(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))
        for _ in range(COLD_RUNS)
    )
