"""Run a language server between a client and itself, and record what both say: FILE COMMAND.

The file gets one JSON object a line: who said it (``client`` or ``server``) and the message. Its last line
has what the server wrote on its standard error, and its exit code. Nothing is changed on the way.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from typing import IO, Any


class Record:
    """The file that gets the messages of both sides."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._lock = threading.Lock()

    def write(self, **entry: Any) -> None:
        """Add an entry, whichever thread it comes from."""
        with self._lock:
            self._file.write(json.dumps(entry) + "\n")
            self._file.flush()


def pass_on(source: IO[bytes], target: IO[bytes], record: Record, who: str) -> None:
    """Copy messages until there are none, then close the target."""
    while True:
        head = b""
        while (line := source.readline()) not in (b"\r\n", b""):
            head += line
        if not line:
            break
        sizes = [one.split(b":")[1] for one in head.splitlines() if one.lower().startswith(b"content-length")]
        body = source.read(int(sizes[0]))
        record.write(who=who, message=json.loads(body))  # before there can be an answer
        with suppress(OSError):  # the other side has ended, which is recorded
            target.write(head + line + body)
            target.flush()
    with suppress(OSError):
        target.close()


def main(path: str, *command: str) -> int:
    """Run the command to its end."""
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123
        record = Record(file)
        server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        asking = (sys.stdin.buffer, server.stdin, record, "client")
        threading.Thread(target=pass_on, args=asking, daemon=True).start()
        answering = (server.stdout, sys.stdout.buffer, record, "server")
        thread = threading.Thread(target=pass_on, args=answering, daemon=True)
        thread.start()
        errors = server.stderr.read().decode("utf-8", "replace")
        code = server.wait()
        thread.join(10)
        record.write(who="end", errors=errors, code=code)
    return code


if __name__ == "__main__":
    # Not sys.exit, which fails while a thread still reads the input.
    os._exit(main(*sys.argv[1:]))
