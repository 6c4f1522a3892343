"""Writing what is exported: beside its place, then renamed, so that nobody reads half of it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ..errors import ExportError

_DOCSET_MARK = Path("Contents") / "Info.plist"


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write that takes the place of ``path`` when all went well. Raises ExportError."""
    try:
        number, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror}.") from error
    try:
        with os.fdopen(number, "wb") as file:
            yield file
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            Path(name).unlink()


@contextmanager
def new_docset(path: Path) -> Iterator[Path]:
    """A folder to fill that takes the place of ``path``, which must be a docset if it is there."""
    if path.exists() and not (path / _DOCSET_MARK).is_file():
        raise ExportError(f"{path} is there, and is no docset: name another with --output.")
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror}.") from error
    try:
        yield folder / "new"
        if path.exists():
            path.rename(folder / "old")
        (folder / "new").rename(path)
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        if (folder / "old").exists() and not path.exists():
            (folder / "old").rename(path)
        shutil.rmtree(folder, ignore_errors=True)


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
