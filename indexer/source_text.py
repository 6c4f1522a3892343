"""Read and decode source files: the one rule on which all offsets are based; standard library only."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MOST_BYTES = 64 * 1024 * 1024
"""The most bytes of a file that is read as a source where anybody may have named it."""
_NOT_REGULAR = "it is not a regular file"


def source_octets(path: str | Path, most: int | None = None) -> bytes:
    """The bytes of a source file, which must not have more than ``most``.

    Raises OSError also for what is not a regular file: nobody may ever write to a pipe that is called x.lisp,
    and a device may have no end.
    """
    try:
        # Without O_NONBLOCK, opening a pipe would wait for a writer.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket, or a device that is not there
            raise OSError(error.errno, _NOT_REGULAR) from error
        raise
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(None, _NOT_REGULAR)
        octets = file.read() if most is None else file.read(most + 1)
    if most is not None and len(octets) > most:
        raise OSError(None, f"it is larger than {most // 1024 // 1024} MB")
    return octets


def decoded(octets: bytes) -> str:
    """Decode a source file: as UTF-8, or as Latin-1 if it is not valid UTF-8.

    ``decode`` in lisp/dump/source/positions.lisp does the same.
    """
    try:
        return octets.decode("utf-8")
    except UnicodeDecodeError:
        return octets.decode("latin-1")
