"""Terminals: real ones, made for a test, on which a command runs and a person types."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from oblist.query.cli import main
from support.command import OBLIST

SECONDS = 100


class Shown(NamedTuple):
    """How a command ended, and what its terminal got from it."""

    code: int
    output: str

    @property
    def lines(self) -> list[str]:
        return self.output.rstrip("\n").split("\n")


def _terminal(width: int, height: int) -> tuple[int, int]:
    """Both ends of a new terminal of that size: ours, and that of the program."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
    return ours, its


def _text(octets: bytes) -> str:
    return octets.decode().replace("\r\n", "\n")


def shown(*arguments: str | Path, width: int, environment: dict[str, str] | None = None) -> Shown:
    """Run a command in this process, with a terminal as its standard output; errors go nowhere."""
    ours, its = _terminal(width, 24)
    found = bytearray()

    def read() -> None:
        with contextlib.suppress(OSError):  # the end of a terminal
            while chunk := os.read(ours, 65536):
                found.extend(chunk)

    reader = threading.Thread(target=read)
    reader.start()
    with pytest.MonkeyPatch.context() as patch:
        # Python asks its first standard output for the size, which is pytest's here.
        for name, value in {"COLUMNS": str(width), "OBLIST_PAGER": "", **(environment or {})}.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["oblist", *map(str, arguments)])
        with (
            io.TextIOWrapper(io.FileIO(its, "w"), encoding="utf-8", write_through=True) as output,
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(io.TextIOWrapper(io.BytesIO())),
            pytest.raises(SystemExit) as ended,
        ):
            main()
    reader.join(SECONDS)
    os.close(ours)
    code = ended.value.code
    assert code is None or isinstance(code, int)
    return Shown(code or 0, _text(bytes(found)))


def run_on_terminal(
    *arguments: str | Path,
    width: int = 80,
    height: int = 24,
    environment: dict[str, str] | None = None,
    typed: Sequence[tuple[bytes, bytes]] = (),
) -> Shown:
    """Run a command as a person does, with a terminal of its own; it may start a pager there.

    ``typed`` has what the person waits for, and then types.
    """
    ours, its = _terminal(width, height)
    # The terminal itself knows its size; pytest says that of its own.
    inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    output, waiting, deadline = b"", list(typed), time.monotonic() + SECONDS
    with subprocess.Popen(
        ["setsid", "--ctty", OBLIST, *map(str, arguments)],  # so that Ctrl-C becomes a signal
        env={**inherited, "TERM": "xterm-256color", **(environment or {})},
        stdin=its,
        stdout=its,
        stderr=its,
    ) as process:
        os.close(its)
        begin = 0
        with contextlib.suppress(OSError):  # the end of a terminal
            while time.monotonic() < deadline:
                if select.select([ours], [], [], 0.1)[0]:
                    output += os.read(ours, 65536)
                if waiting and waiting[0][0] in output[begin:]:
                    begin = len(output)
                    os.write(ours, waiting.pop(0)[1])
            process.kill()
    os.close(ours)
    return Shown(process.returncode, _text(output))
