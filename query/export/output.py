"""Output of exports: written to a temporary file and renamed, so that nobody reads half of it."""

from __future__ import annotations

import os
import plistlib
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from oblist.indexer.target import TargetError, head, target
from oblist.lisp.unfinished import drop_unfinished, file_beside, unfinished_folder

from ..errors import ExportError

STANDARD_OUTPUT = Path("-")
# These are written to as they are, wherever they lead: the shell has opened them already.
_DESCRIPTORS = {"/dev/stdout": 1, "/dev/stderr": 2, "/dev/fd/1": 1, "/dev/fd/2": 2}
_NULL = os.makedev(1, 3)
_PROPERTIES = Path("Contents") / "Info.plist"
_SEARCH_INDEX = Path("Contents") / "Resources" / "docSet.dsidx"
_NEW, _OLD = "new", "old"
_OTHER_PATH = "choose another path with --output."


@dataclass(frozen=True, slots=True)
class Destination:
    """Where an export of ``index`` goes.

    With ``overwrite``, it replaces any regular file except the index; without, only an earlier such export.
    """

    path: Path
    index: Path
    overwrite: bool = False


@contextmanager
def new_file(destination: Destination, what: str, is_export: Callable[[bytes], bool]) -> Iterator[IO[bytes]]:
    """A file to write that replaces the one at ``destination`` on success. Raises ExportError.

    ``what`` names the export, such as ``a tags file``; ``is_export`` tells from its first bytes whether an
    existing file is one. A symbolic link stays and its target is replaced; a pipe, a terminal, the standard
    output and /dev/null are written to directly.
    """
    path = destination.path
    if path == STANDARD_OUTPUT:
        output = sys.stdout.buffer
        yield output
        output.flush()
        return
    with _told(path):
        if _is_stream(path):
            with _opened_stream(path) as file:
                yield file
            return
        file_to_replace = _file_to_replace(destination, what, is_export)
        number, name = file_beside(file_to_replace)
        try:
            with os.fdopen(number, "wb") as file:
                yield file
            name.chmod(0o666 & ~_umask())
            _file_to_replace(destination, what, is_export)
            name.replace(file_to_replace)
        finally:
            with suppress(OSError):
                name.unlink()


def _file_to_replace(destination: Destination, what: str, is_export: Callable[[bytes], bool]) -> Path:
    """The file to replace: ``path``, or the target of a link. Raises ExportError if it must stay."""
    path, index = destination.path, destination.index
    if path.exists() and index.exists() and path.samefile(index):
        raise ExportError(f"{path} is the index being exported: {_OTHER_PATH}")
    try:
        return target(path, what, lambda file: is_export(head(file)), overwrite=destination.overwrite)
    except TargetError as error:
        raise ExportError(str(error)) from error


@contextmanager
def new_docset(destination: Destination) -> Iterator[Path]:
    """A folder to fill that replaces ``destination`` on success; only a docset is ever replaced."""
    path = destination.path
    if path == STANDARD_OUTPUT:
        raise ExportError("A docset is a folder: name one with --output.")
    with _told(path):
        with suppress(FileNotFoundError):
            path.stat()  # raises OSError for a loop of links, where resolve() raises RuntimeError
        if path.is_symlink() and not path.exists():
            raise ExportError(f"{path} is a link to {path.readlink()}, which does not exist: {_OTHER_PATH}")
        old = path.resolve()
        if old.exists() and not _is_docset(old):
            raise ExportError(f"{path} exists and is not a docset: {_OTHER_PATH}")
        _clear_up(old)
        with unfinished_folder(old.parent, f".{old.name}.") as folder:
            try:
                yield folder / _NEW
                if old.exists():
                    old.rename(folder / _OLD)
                (folder / _NEW).rename(old)
            finally:
                _put_back(folder / _OLD, old)


def _clear_up(docset: Path) -> None:
    """Remove what exports that were killed have left beside a docset, but not its last copy."""
    for left in docset.parent.glob(f".{docset.name}.*"):
        _put_back(left / _OLD, docset)
    drop_unfinished(docset.parent, f".{docset.name}.")


def _put_back(kept: Path, docset: Path) -> None:
    if kept.exists() and not docset.exists():
        kept.rename(docset)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Raise ExportError, with the system's reason, if ``path`` cannot be written."""
    try:
        yield
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror}.") from error


def _is_stream(path: Path) -> bool:
    """Whether ``path`` is to be written to directly: a pipe, a terminal, /dev/stdout, /dev/null."""
    if str(path) in _DESCRIPTORS:
        return True
    try:
        status = path.stat()
    except FileNotFoundError:
        return False
    if stat.S_ISFIFO(status.st_mode):
        return True
    return stat.S_ISCHR(status.st_mode) and (status.st_rdev == _NULL or _is_terminal(path))


def _is_terminal(path: Path) -> bool:
    descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        return os.isatty(descriptor)
    finally:
        os.close(descriptor)


def _opened_stream(path: Path) -> IO[bytes]:
    """The stream at ``path``, opened for writing; a file that the shell has opened is not truncated."""
    descriptor = _DESCRIPTORS.get(str(path))
    return path.open("wb") if descriptor is None else os.fdopen(os.dup(descriptor), "wb")


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
