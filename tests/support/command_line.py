"""The command line, run in this process, which costs a tenth of a process of its own."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from oblist.query.cli import main


class Run(NamedTuple):
    """How a command ended and what it wrote."""

    code: int
    output: str
    errors: str


def run_main(*arguments: str) -> Run:
    """Run ``oblist`` with ``arguments``; any exception but SystemExit is the test's failure."""
    done = oblist(*arguments)
    return Run(done.returncode, done.stdout, done.stderr)


def oblist(
    *arguments: str | Path, environment: dict[str, str] | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """The finished command, as ``support.command.oblist`` returns it."""
    words = ["oblist", *map(str, arguments)]
    buffers = io.BytesIO(), io.BytesIO()
    output, errors = (io.TextIOWrapper(buffer, encoding="utf-8", newline="") for buffer in buffers)
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
        pytest.raises(SystemExit) as ended,
    ):
        patch.setattr(sys, "argv", words)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        for name, value in (environment or {}).items():
            patch.setitem(os.environ, name, value)
        main()
    output.flush()
    errors.flush()
    code = ended.value.code
    assert code is None or isinstance(code, int)
    return subprocess.CompletedProcess(words, code or 0, *(buffer.getvalue().decode() for buffer in buffers))
