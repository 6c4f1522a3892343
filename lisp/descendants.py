"""Processes that end with all that they have started, in whatever session that is.

Every process that is started here has a mark in its environment, which what it starts inherits: who started
it, and which of its processes this is. By that mark they are found when it ends. Whoever ends one later also
ends what has the mark of a process that is gone, since that was killed before it could do so. A program that
takes the mark out of its environment is found only as long as its parents are alive. Without Linux's /proc,
only the group of a process ends with it.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import IO

_VARIABLE = "OBLIST_STARTED_BY"
_ASSIGNMENT = f"{_VARIABLE}=".encode()
_PROCESSES = Path("/proc")
_MOST_ROUNDS = 20  # what is ended may be starting others
_numbers = count(1)


class OwnedProcess(subprocess.Popen[bytes]):
    """A process in a session of its own, whose descendants can be found by a mark."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        folder: Path | None,
        *,
        output: int | IO[bytes],
        errors: int | IO[bytes],
        descriptors: Sequence[int] = (),
    ) -> None:
        """Start ``command`` in ``folder``, with these open ``descriptors`` and no input. Raises OSError."""
        self.mark = f"{_owner(os.getpid())}-{next(_numbers)}"
        super().__init__(
            command,
            env={**environment, _VARIABLE: self.mark},
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            pass_fds=descriptors,
            start_new_session=True,
        )


def stop(process: subprocess.Popen[bytes], grace_seconds: float = 0.0) -> None:
    """End ``process`` and every process it started.

    With ``grace_seconds`` it gets a SIGTERM first, so that it can flush its output.
    """
    if grace_seconds and process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(grace_seconds)
    below = list(_below(process.pid)) if process.poll() is None else []
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for number, mark in below:
        _kill(number, mark)
    own = process.mark if isinstance(process, OwnedProcess) else ""
    _end(lambda mark: mark == own or _is_of_the_dead(mark))


@cache
def end_orphans() -> None:
    """End what processes of ours that were killed have left running; that is done once in each process."""
    _end(_is_of_the_dead)


def _end(is_meant: Callable[[str], bool]) -> None:
    for _ in range(_MOST_ROUNDS):
        found = [(number, mark) for number, mark in _marked() if is_meant(mark)]
        if not found:
            return
        for number, mark in found:
            _kill(number, mark)


def _marked() -> Iterator[tuple[int, str]]:
    """The processes that have a mark, but this one, each with its mark."""
    with suppress(OSError), os.scandir(_PROCESSES) as entries:
        for entry in entries:
            if entry.name.isdecimal() and int(entry.name) != os.getpid() and (mark := _mark(int(entry.name))):
                yield int(entry.name), mark


def _mark(number: int) -> str:
    """The mark of a process; empty without one, and for a process of another user."""
    # Path takes three times as long, and all processes are looked at whenever an SBCL ends.
    with suppress(OSError), open(f"{_PROCESSES}/{number}/environ", "rb", buffering=0) as file:  # noqa: PTH123
        if os.fstat(file.fileno()).st_uid == os.getuid() and _ASSIGNMENT in (variables := file.read()):
            _, _, rest = (b"\0" + variables).partition(b"\0" + _ASSIGNMENT)
            return rest.partition(b"\0")[0].decode("ascii", "replace")
    return ""


def _below(process: int) -> Iterator[tuple[int, str]]:
    """All descendants of a process whose parents are alive, each with its mark."""
    with suppress(OSError):
        for thread in (_PROCESSES / str(process) / "task").iterdir():
            for number in map(int, (thread / "children").read_text().split()):
                yield number, _mark(number)
                yield from _below(number)


def _kill(number: int, mark: str) -> None:
    """Kill a process, if it still has the ``mark``: its number may be another's by now."""
    with suppress(OSError):
        descriptor = os.pidfd_open(number)
        try:
            if _mark(number) == mark:
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        finally:
            os.close(descriptor)


def _is_of_the_dead(mark: str) -> bool:
    owner, _, _ = mark.rpartition("-")
    process, _, _ = owner.partition("-")
    return process.isdecimal() and _owner(int(process)) != owner


def _owner(process: int) -> str:
    """A name for a process that no later one with its number has."""
    with suppress(OSError):
        # The name of the program comes before, in parentheses, and may have any characters.
        facts = (_PROCESSES / str(process) / "stat").read_bytes().rpartition(b")")[2].split()
        if facts[0] != b"Z":
            return f"{process}-{facts[19].decode()}"
    return str(process)
