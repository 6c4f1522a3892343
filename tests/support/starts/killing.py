"""Kill a process at each of its steps: before everything that it does to the files of a folder."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_CHANGES = (
    "os.rename",
    "os.remove",
    "os.mkdir",
    "os.rmdir",
    "os.chmod",
    "os.link",
    "os.symlink",
    "os.truncate",
)


def killed_at_each_step(folder: Path, run: Callable[[], object], look: Callable[[], object]) -> int:
    """Call ``run`` in a process that is killed before its first change in ``folder``, then before its second.

    That goes on until it comes to its end. After each, ``look`` is called. Returns the number of kills.
    """
    for number in count():
        child = os.fork()
        if child == 0:
            status = 1
            try:
                _kill_before(folder, number)
                run()
                status = 0
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        look()
        if not os.WIFSIGNALED(status):
            assert os.waitstatus_to_exitcode(status) == 0
            return number
    raise AssertionError


def _kill_before(folder: Path, number: int) -> None:
    left = number

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event == "open":
            changes = isinstance(arguments[2], int) and bool(arguments[2] & _WRITING)
        else:
            changes = event in _CHANGES
        if changes and any(str(folder) in str(one) for one in arguments):
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1

    sys.addaudithook(watch)
