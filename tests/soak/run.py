"""Soak: a server of each kind, asked by many clients for some time while the project is edited.

    python tests/soak/run.py [--seconds 900] [--clients 16] [--json]

The table says how long answers took, and what the servers took of the machine in the first and in the last
third of the time. Exit code 1 says that something grew, or that there was an error.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from rich.console import Console
from rich.table import Table

from support import hermetic

_LOOK_SECONDS = 2.0


def main() -> int:
    """Soak; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=900.0, help="how long (default: 900)")
    parser.add_argument("--clients", type=int, default=16, help="how many (default: 16)")
    parser.add_argument("--edit-seconds", type=float, default=8.0, help="time between two edits (default: 8)")
    parser.add_argument("--json", action="store_true", help="print JSON in place of tables")
    chosen = parser.parse_args()
    home = hermetic.enter()
    try:
        with tempfile.TemporaryDirectory(prefix="soak-") as folder:
            found = soaked(Path(folder).resolve(), chosen.seconds, chosen.clients, chosen.edit_seconds)
    finally:
        if home is not None:
            hermetic.leave(home)
    if chosen.json:
        print(json.dumps(found, indent=1))
    else:
        _show(found)
    return 1 if found["errors"] or any(row["grew"] for row in found["machine"]) else 0


def soaked(folder: Path, seconds: float, many: int, edit_seconds: float) -> dict[str, Any]:
    """Soak in a new folder; return the rows of both tables, and what went wrong."""
    from soak.clients import Times, clients
    from soak.project import Editing, copied_project
    from soak.sampling import Sampled
    from soak.servers import started

    files = copied_project(folder / "project")
    times, sampled, ended = Times(), Sampled(), threading.Event()
    editing = Editing(files, edit_seconds, 1)
    servers = started(folder, folder / "project")
    try:
        asking = clients(servers, files, times, ended, many)
        for thread in (editing, *asking):
            thread.start()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(_LOOK_SECONDS)
            for server in servers:
                sampled.take(server.name, server.process.pid, server.folder)
            gone = [one.name for one in servers if one.process.poll() is not None]
            if gone:
                times.fail(gone[0], "running", "it has ended")
                break
        ended.set()
        editing.ended.set()
        for thread in asking:
            thread.join(60)
    finally:
        wrong = [line for server in reversed(servers) for line in server.end()]
    return {
        "files": len(files),
        "edits": editing.edits,
        "answers": [
            {"server": server, "question": question, **_percentiles(took)}
            for (server, question), took in sorted(times.seconds.items())
        ],
        "machine": [
            dict(zip(("server", "what", "first", "last", "most", "grew"), row, strict=True))
            for row in sampled.rows()
        ],
        "errors": [*times.errors, *wrong],
    }


def _percentiles(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(round(1000 * one, 1) for one in seconds)
    return {
        "count": len(ordered),
        "p50": ordered[len(ordered) // 2],
        "p99": ordered[int(0.99 * (len(ordered) - 1))],
        "worst": ordered[-1],
    }


def _show(found: dict[str, Any]) -> None:
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(f"{found['files']} files, {found['edits']} edits")
    answers = Table("server", "question", "count", "p50 ms", "p99 ms", "worst ms")
    for row in found["answers"]:
        answers.add_row(*map(str, row.values()))
    console.print(answers)
    machine = Table("server", "what (kB, or how many)", "first third", "last third", "most", "")
    for row in found["machine"]:
        grown = "GREW" if row["grew"] else ""
        machine.add_row(
            row["server"], row["what"], *(f"{row[name]:,.0f}" for name in ("first", "last", "most")), grown
        )
    console.print(machine)
    for error in found["errors"]:
        print(f"ERROR {error}")
    print(f"{len(found['errors'])} errors")


if __name__ == "__main__":
    sys.exit(main())
