"""Row 6 of the speed table: the MCP server beside a do-nothing server on the same SDK, in turns."""

from __future__ import annotations

import random
import statistics
import sys
import time
from pathlib import Path

from rich.table import Table

from support.agents.mcp_wire import Wire
from support.command import OBLIST

ROUNDS = 5
CALLS = 300
STARTS = 15
MANY = 10_000  # as a script: any number
NOTHING = Path(__file__).with_name("do_nothing_server.py")
TOOLS = (
    ("describe_symbol", {"name": "mapcar"}),
    ("apropos_search", {"pattern": "maphash"}),
    ("find_references", {"name": "mapcar", "relation": "calls"}),
)


def add_mcp(table: Table, index: Path, many: int = MANY) -> None:
    """Measure round trips, the start, memory and concurrent calls of ``oblist mcp`` on ``index``."""
    nothing, ours = _round_trips(index)
    table.add_row("6", "MCP round trip of a do-nothing tool, SDK as shipped", f"{nothing:.2f} ms", "")
    for (tool, _), time_taken in zip(TOOLS, ours, strict=True):
        bar = "1.25x" if tool == TOOLS[0][0] else ""
        table.add_row("", f"  {tool}", f"{time_taken:.2f} ms, {time_taken / nothing:.2f}x", bar)
    _add_starts(table, index)
    slow = _concurrent(index)
    table.add_row("", "  longest of 49 calls beside a slow one", f"{slow:.0f} ms", "")
    before, after = _memory(index, many)
    table.add_row(
        "", f"  resident after 2,000 and {many:,} more calls", f"{before:.1f}, {after:.1f} MB", "flat"
    )


def _ours(index: Path, *options: str) -> Wire:
    """``oblist mcp`` as people start it."""
    return Wire([OBLIST, "mcp", "--index", str(index), *options])


def _nothing() -> Wire:
    return Wire([sys.executable, str(NOTHING)])


def _round_trips(index: Path) -> tuple[float, list[float]]:
    """Medians in milliseconds: of the do-nothing tool, and of each of ours."""
    empty: list[float] = []
    ours: list[list[float]] = [[] for _ in TOOLS]
    with _nothing() as nothing, _ours(index, "--no-live") as oblist:
        for wire in (nothing, oblist):
            wire.initialize()
        for _ in range(ROUNDS):
            empty += [_milliseconds(nothing, "nothing", {}) for _ in range(CALLS)]
            for times, (tool, arguments) in zip(ours, TOOLS, strict=True):
                times += [_milliseconds(oblist, tool, arguments) for _ in range(CALLS)]
    return statistics.median(empty), [statistics.median(times) for times in ours]


def _milliseconds(wire: Wire, tool: str, arguments: dict[str, object]) -> float:
    start = time.perf_counter()
    wire.call(tool, **arguments)
    return (time.perf_counter() - start) * 1000


def _add_starts(table: Table, index: Path) -> None:
    starts: dict[str, list[float]] = {"nothing": [], "oblist": []}
    sizes: dict[str, list[float]] = {"nothing": [], "oblist": []}
    for _ in range(STARTS):
        for who, times in starts.items():
            start = time.perf_counter()
            with _nothing() if who == "nothing" else _ours(index, "--no-live") as wire:
                wire.initialize()
                wire.call("nothing") if who == "nothing" else wire.call("describe_symbol", name="mapcar")
                times.append((time.perf_counter() - start) * 1000)
                sizes[who].append(resident(wire))
    first = {who: statistics.median(times) for who, times in starts.items()}
    memory = {who: statistics.median(values) for who, values in sizes.items()}
    table.add_row(
        "",
        f"  start to first answer, do-nothing {first['nothing']:.0f} ms",
        f"{first['oblist']:.0f} ms, {first['oblist'] / first['nothing']:.2f}x",
        "1.1x and +60 ms",
    )
    table.add_row(
        "",
        f"  resident then, do-nothing {memory['nothing']:.0f} MB",
        f"{memory['oblist']:.0f} MB, {memory['oblist'] / memory['nothing']:.2f}x",
        "1.5x",
    )


def resident(wire: Wire) -> float:
    """The resident megabytes of a server."""
    status = Path(f"/proc/{wire.process.pid}/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def _concurrent(index: Path) -> float:
    """The longest time of 49 describes that are sent after a slow question."""
    with _ours(index, "--no-live") as wire:
        wire.initialize()
        wire.call("describe_symbol", name="mapcar")
        slow = {"name": "find_references", "arguments": {"name": "car", "limit": 0, "max_chars": 10_000_000}}
        wire.send({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": slow})
        start = time.perf_counter()
        for number in range(49):
            params = {"name": "describe_symbol", "arguments": {"name": "mapcar"}}
            wire.send({"jsonrpc": "2.0", "id": f"quick {number}", "method": "tools/call", "params": params})
        waiting = {"slow", *(f"quick {number}" for number in range(49))}
        longest = 0.0
        while waiting:
            answer = wire.receive()
            waiting.discard(str(answer["id"]))
            if answer["id"] != "slow":
                longest = (time.perf_counter() - start) * 1000
    return longest


def _memory(index: Path, many: int) -> tuple[float, float]:
    """Resident megabytes after 2,000 calls, and after ``many`` more."""
    calls = [
        ("describe_symbol", {"name": name})
        for name in ("mapcar", "format", "print-object", "nonsense", "car")
    ]
    calls += [("apropos_search", {"pattern": "hash"}), ("find_references", {"name": "format"})]
    calls += [("search_documentation", {"query": "hash table"}), ("describe_class", {"name": "stream"})]
    draw = random.Random(6)
    with _ours(index, "--no-live") as wire:
        wire.initialize()
        sizes = []
        for number in (2_000, many):
            done = 0
            while done < number:
                batch = [draw.choice(calls) for _ in range(50)]
                for tool, arguments in batch:
                    wire.send(
                        {
                            "jsonrpc": "2.0",
                            "id": done,
                            "method": "tools/call",
                            "params": {"name": tool, "arguments": arguments},
                        }
                    )
                    done += 1
                for _ in batch:
                    wire.receive()
            sizes.append(resident(wire))
    return sizes[0], sizes[1]


if __name__ == "__main__":
    from rich.console import Console

    shown = Table("row", "what", "median", "bar")
    add_mcp(shown, Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else MANY)
    Console(width=120).print(shown)
