"""One writer per index, and one follower: lock files beside it that name their holders.

The kernel drops a lock (flock) when its holder ends, however it ends; the file that a killed
holder leaves behind is taken over by the next.
"""

from __future__ import annotations

import fcntl
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import LockedError, WatchedError

_LOOKS = 20
_LOOK_SECONDS = 0.01


def lock_path(index: Path) -> Path:
    """Where the lock of ``index`` is."""
    return index.with_name(f".{index.name}.lock")


@contextmanager
def hold_lock(index: Path) -> Iterator[None]:
    """Hold the lock of ``index``; raises LockedError naming the holder when it is taken."""
    with _held(lock_path(index)) as holder:
        if holder is not None:
            raise LockedError(index, holder)
        yield


@contextmanager
def hold_watch(index: Path) -> Iterator[None]:
    """Be the one who follows with ``index``; raises WatchedError naming the one who does."""
    with _held(index.with_name(f".{index.name}.watch")) as holder:
        if holder is not None:
            raise WatchedError(index, holder)
        yield


@contextmanager
def _held(path: Path) -> Iterator[str | None]:
    """Hold the lock at ``path``: None, or who holds it already."""
    descriptor = _acquire(path)
    if isinstance(descriptor, str):
        yield descriptor
        return
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)
        yield None
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _acquire(path: Path) -> int | str:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _name_in(descriptor)
            os.close(descriptor)
            return holder
        # The holder before us may have removed the file between our open and our lock.
        try:
            if path.stat().st_ino == os.fstat(descriptor).st_ino:
                return descriptor
        except FileNotFoundError:
            pass
        os.close(descriptor)


def _name_in(descriptor: int) -> str:
    """Who holds the lock whose file is open here: the name is written a moment after the lock is taken."""
    for _ in range(_LOOKS):
        if text := os.pread(descriptor, 200, 0):
            return text.decode("utf-8", "replace")
        time.sleep(_LOOK_SECONDS)
    return "another process"
