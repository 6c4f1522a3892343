"""What everyday tasks cost a model: calls, and characters that the server sends.

    python tests/bench/agent_tasks/bench.py INDEX BARE_INDEX [--other OBLIST ...]

Every task is asked of ``oblist mcp`` as it is here, of the same with --structured, and of each --other
command, such as that of an earlier version. A command that cannot do a task, or whose answer lacks what the
task is about, has no figure for it; ratios are over the tasks that both can do.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from rich.console import Console
from rich.table import Table

from agent_tasks.tasks import Task, everyday_tasks
from support.agents.mcp_wire import Wire
from support.command import OBLIST


def cost(wire: Wire, task: Task) -> int | None:
    """The characters of the answers, as compact JSON; None if the task cannot be done so."""
    texts, characters = [], 0
    for tool, arguments in task.calls:
        message = wire.request("tools/call", {"name": tool, "arguments": arguments})
        result = message.get("result")
        if result is None or result.get("isError"):
            return None
        texts += [block["text"] for block in result["content"]]
        characters += len(json.dumps(result, separators=(",", ":"), ensure_ascii=False))
    return characters if task.is_done_by(texts) else None


def costs(command: str, index: Path, tasks: list[Task], *options: str) -> tuple[int, list[int | None]]:
    """The characters of a server's list of tools, and those of each task."""
    with Wire([command, "mcp", "--index", str(index), "--no-live", *options]) as wire:
        wire.initialize()
        listed = wire.request("tools/list")["result"]
        return len(json.dumps(listed, separators=(",", ":"))), [cost(wire, task) for task in tasks]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("index", type=Path)
    parser.add_argument("bare", type=Path)
    parser.add_argument("--other", action="append", default=[], help="another oblist command")
    arguments = parser.parse_args()
    tasks = everyday_tasks(arguments.bare.absolute())
    found = {
        "here": costs(OBLIST, arguments.index, tasks),
        "here, --structured": costs(OBLIST, arguments.index, tasks, "--structured"),
    }
    for other in arguments.other:
        found[other] = costs(other, arguments.index, tasks)
    table = Table("task", "calls", *found, title="characters that a server sends")
    for number, task in enumerate(tasks):
        cells = [costs[number] for _, costs in found.values()]
        table.add_row(
            task.purpose, str(len(task.calls)), *("" if one is None else f"{one:,}" for one in cells)
        )
    calls = sum(len(task.calls) for task in tasks) / len(tasks)
    table.add_section()
    table.add_row("calls for a task", f"{calls:.2f}")
    table.add_row("the list of tools", "", *(f"{listed:,}" for listed, _ in found.values()))
    ours = found["here"][1]
    for name, (_, theirs) in found.items():
        both = [(one, other) for one, other in zip(ours, theirs, strict=True) if one and other]
        ratio = sum(one for one, _ in both) / sum(other for _, other in both)
        table.add_row(f"ours / {name}, over {len(both)} tasks", "", f"{ratio:.2f}")
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
