"""Lock files beside an index, which name their holders: one writer, and one follower.

The kernel drops a lock (flock) when its holder ends, however it ends; the next holder takes over the
file that a killed one leaves behind.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import LockedError, WatchedError

_LOOKS = 20
_LOOK_SECONDS = 0.01


def lock_path(index: Path) -> Path:
    """The path of the lock file of ``index``."""
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
    """Hold the lock for following with ``index``; raises WatchedError naming the holder when it is taken."""
    with _held(index.with_name(f".{index.name}.watch")) as holder:
        if holder is not None:
            raise WatchedError(index, holder)
        yield


@contextmanager
def _held(path: Path) -> Iterator[str | None]:
    """Hold the lock at ``path``; yields None, or the name of its current holder."""
    # Ctrl-C waits until the file would be removed.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    descriptor: int | str = ""
    try:
        try:
            descriptor = _acquire(path)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if isinstance(descriptor, str):
            yield descriptor
            return
        with suppress(OSError):  # the disk is full: what is to be written says so, and names it
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)
        yield None
    finally:
        if not isinstance(descriptor, str):
            with suppress(OSError):  # the folder may be gone, or read-only by now
                path.unlink()
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
    """The holder named in this open lock file; it writes its name a moment after taking the lock."""
    for _ in range(_LOOKS):
        if text := os.pread(descriptor, 200, 0):
            return text.decode("utf-8", "replace")
        time.sleep(_LOOK_SECONDS)
    return "another process"
