"""The command line, run in this process."""

from __future__ import annotations

import contextlib
import io
import sys
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
    buffers = io.BytesIO(), io.BytesIO()
    output, errors = (io.TextIOWrapper(buffer, encoding="utf-8", newline="") for buffer in buffers)
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
        pytest.raises(SystemExit) as ended,
    ):
        patch.setattr(sys, "argv", ["oblist", *arguments])
        main()
    output.flush()
    errors.flush()
    code = ended.value.code
    assert code is None or isinstance(code, int)
    return Run(code or 0, *(buffer.getvalue().decode() for buffer in buffers))
