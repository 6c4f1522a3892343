"""Read and decode source files: the one rule on which all offsets are based; standard library only."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MOST_BYTES = 64 * 1024 * 1024
"""The most bytes of a file that is read as a source where anybody may have named it."""
LISP_ENDINGS = (".lisp", ".lsp", ".cl", ".asd")
"""The endings, in lower case, of the names of files with Lisp."""

_NOT_REGULAR = "it is not a regular file"
# With O_PATH, where there is one, folders that may be entered but not listed are passed, too.
_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | getattr(os, "O_PATH", os.O_RDONLY)


def source_octets(path: str | Path, most: int | None = None) -> bytes:
    """The bytes of a source file, which must not have more than ``most``.

    Raises OSError also for what is not a regular file: nobody may ever write to a pipe that is called x.lisp,
    and a device may have no end.
    """
    return _octets(path, most, os.O_RDONLY, None)


def octets_below(folder: Path, path: Path, most: int | None = None) -> bytes:
    """The bytes of a source file below ``folder``, as source_octets has them; in neither path is a link.

    To check a path and then open it is not enough, since a folder on the way may become a link in between. So
    each is opened within the one before it, and a link is an error. Raises OSError.
    """
    *between, name = path.relative_to(folder).parts
    if ".." in (*between, name):
        raise OSError(None, "it is outside its root folder")
    place = os.open(folder, _FOLDER)
    try:
        for one in between:
            above, place = place, os.open(one, _FOLDER, dir_fd=place)
            os.close(above)
        return _octets(name, most, os.O_RDONLY | os.O_NOFOLLOW, place)
    finally:
        os.close(place)


def _octets(path: str | Path, most: int | None, flags: int, folder: int | None) -> bytes:
    try:
        # Without O_NONBLOCK, opening a pipe would wait for a writer.
        descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0), dir_fd=folder)
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
