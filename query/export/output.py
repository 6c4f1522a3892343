"""Writing what is exported: beside its place, then renamed, so that nobody reads half of it."""

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
_ELSEWHERE = "name another with --output."


@contextmanager
def new_file(path: Path, index: Path) -> Iterator[IO[bytes]]:
    """A file to write that takes the place of ``path`` when all went well. Raises ExportError.

    A link stays, and what it leads to is written; a pipe or a terminal is written to as it is, and so is
    STANDARD_OUTPUT. Neither ``index``, the index that is exported, nor any other database is replaced.
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
    """A folder to fill that takes the place of ``path``, which must be a docset if it is there."""
    if path == STANDARD_OUTPUT:
        raise ExportError("A docset is a folder: name one with --output.")
    with _told(path):
        with suppress(FileNotFoundError):
            path.stat()  # which says of links in a circle what they are; resolve() raises RuntimeError
        target = path.resolve()
        if target.exists() and not _is_docset(target):
            raise ExportError(f"{path} is there, and is no docset: {_ELSEWHERE}")
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
    """What the system says against writing ``path``, as an ExportError."""
    try:
        yield
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror}.") from error


def _is_stream(path: Path, index: Path) -> bool:
    """Whether ``path`` is there and only to be written to; raises ExportError if it must not be written."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        return True
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "no file"
        raise ExportError(f"{path} is {what}: {_ELSEWHERE}")
    if index.exists() and path.samefile(index):
        raise ExportError(f"{path} is the index that is exported: {_ELSEWHERE}")
    if read_file_header(path) is not None:
        raise ExportError(f"{path} is there, and is a database: {_ELSEWHERE}")
    return False


def _is_docset(path: Path) -> bool:
    """Whether the folder ``path`` has what Dash knows a docset by."""
    # Applications have an Info.plist as well, and a broken one may make plistlib raise anything.
    with suppress(Exception):
        properties = plistlib.loads((path / _PROPERTIES).read_bytes())
        return properties["isDashDocset"] is True and (path / _SEARCH_INDEX).is_file()
    return False


def _umask() -> int:
    """The file mode creation mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def shown_path(path: str, folder: Path) -> str:
    """``path`` relative to ``folder`` when it lies below it, else as it is."""
    with suppress(ValueError):
        return Path(path).relative_to(folder).as_posix()
    return path
