"""Sessions of real editors with the server: run one, and check all that both sides have said and shown."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from support.command import OBLIST
from support.editors.emporium import emporium
from support.editors.protocol_types import checked
from support.editors.steps import assert_as_expected, steps

HERE = Path(__file__).parent
_SECONDS = 120


def recorded_server(record: Path) -> list[str]:
    """The command of a server whose conversation is recorded."""
    return [sys.executable, str(HERE / "recorded.py"), str(record), OBLIST, "lsp"]


def hold_session(
    command: list[str], folder: Path, *, without: tuple[str, ...] = (), in_order: bool = True
) -> None:
    """Let an editor's script do the steps, and fail unless all is as it must be.

    The variable OBLIST_TASK names a file with the folder of the project, the command of the server, the steps
    and the file for what it shows: one JSON object per line, with the name of the step.
    """
    session = steps(without=without)
    record, shown, task = folder / "record", folder / "shown", folder / "task.json"
    told = [step.told() for step in session]
    server = recorded_server(record)
    task.write_text(
        json.dumps({"project": str(emporium()), "server": server, "steps": told, "shown": str(shown)})
    )
    done = subprocess.run(
        command,
        env={**os.environ, "OBLIST_TASK": str(task)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        cwd=folder,
        check=False,
    )
    said = f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    assert shown.exists(), said
    lines = [json.loads(line) for line in shown.read_text(encoding="utf-8").splitlines()]
    assert_as_expected(session, {line["name"]: line["seen"] for line in lines}, in_order=in_order)
    assert done.returncode == 0, said
    assert_in_order(record, len(session) - 3)


def assert_in_order(record: Path, least: int) -> None:
    """Fail unless the server said what the protocol allows, answered every request, and ended well."""
    entries = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    asked: dict[Any, str] = {}
    number = 0
    for entry in entries[:-1]:
        message = entry["message"]
        if entry["who"] == "client":
            if "id" in message and "method" in message:
                asked[message["id"]] = message["method"]
            continue
        number += 1
        checked(message, None if "method" in message else asked.pop(message["id"]))
        assert "Traceback" not in json.dumps(message)
    assert asked == {}, "these have no answer"
    assert number >= least
    assert entries[-1] == {"who": "end", "errors": "", "code": 0}
