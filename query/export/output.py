"""Output of exports: written to a temporary file and renamed, so that nobody reads half of it."""

from __future__ import annotations

import os
import plistlib
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from oblist.indexer.format import read_file_header

from ..errors import ExportError

STANDARD_OUTPUT = Path("-")
_PROPERTIES = Path("Contents") / "Info.plist"
_SEARCH_INDEX = Path("Contents") / "Resources" / "docSet.dsidx"
_ELSEWHERE = "choose another path with --output."


@contextmanager
def new_file(path: Path, index: Path) -> Iterator[IO[bytes]]:
    """A file to write that replaces ``path`` on success. Raises ExportError.

    A symbolic link stays and its target is replaced; a pipe, a terminal and STANDARD_OUTPUT are written to
    directly. Neither ``index``, the index being exported, nor any other database is ever replaced.
    """
    if path == STANDARD_OUTPUT:
        output = sys.stdout.buffer
        yield output
        output.flush()
        return
    with _told(path):
        if _is_stream(path, index):
            with path.open("wb") as file:
                yield file
            return
        target = path.resolve()
        number, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(number, "wb") as file:
                yield file
            Path(name).chmod(0o666 & ~_umask())
            Path(name).replace(target)
        finally:
            with suppress(OSError):
                Path(name).unlink()


@contextmanager
def new_docset(path: Path) -> Iterator[Path]:
    """A folder to fill that replaces ``path`` on success; an existing ``path`` must be a docset."""
    if path == STANDARD_OUTPUT:
        raise ExportError("A docset is a folder: name one with --output.")
    with _told(path):
        with suppress(FileNotFoundError):
            path.stat()  # raises OSError for a loop of links, where resolve() raises RuntimeError
        target = path.resolve()
        if target.exists() and not _is_docset(target):
            raise ExportError(f"{path} exists and is not a docset: {_ELSEWHERE}")
        folder = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        try:
            yield folder / "new"
            if target.exists():
                target.rename(folder / "old")
            (folder / "new").rename(target)
        finally:
            if (folder / "old").exists() and not target.exists():
                (folder / "old").rename(target)
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Raise ExportError, with the system's reason, if ``path`` cannot be written."""
    try:
        yield
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror}.") from error


def _is_stream(path: Path, index: Path) -> bool:
    """Whether ``path`` is a pipe or device to write to directly. Raises ExportError if it must stay."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        return True
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise ExportError(f"{path} is {what}: {_ELSEWHERE}")
    if index.exists() and path.samefile(index):
        raise ExportError(f"{path} is the index being exported: {_ELSEWHERE}")
    if read_file_header(path) is not None:
        raise ExportError(f"{path} is a database: {_ELSEWHERE}")
    return False


def _is_docset(path: Path) -> bool:
    """Whether the folder ``path`` has the files by which Dash recognizes a docset."""
    # Applications have an Info.plist, too, and plistlib may raise anything on a broken one.
    with suppress(Exception):
        properties = plistlib.loads((path / _PROPERTIES).read_bytes())
        return properties["isDashDocset"] is True and (path / _SEARCH_INDEX).is_file()
    return False


def _umask() -> int:
    """The file mode creation mask, which can be read only by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def shown_path(path: str, folder: Path) -> str:
    """``path`` relative to ``folder`` if it is below it, else unchanged."""
    with suppress(ValueError):
        return Path(path).relative_to(folder).as_posix()
    return path
