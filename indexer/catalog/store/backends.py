"""Where the store is: a folder, or a place that fsspec reads and writes, such as a bucket.

Names are relative, with slashes. What is written appears whole or not at all.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from ...build.publish import sync
from ...errors import IndexerError

_SCHEME = "://"


class StoreError(IndexerError):
    """The store cannot be reached, read or written."""


class Backend(Protocol):
    """What the store asks of the place where it is. All methods raise StoreError."""

    def read(self, name: str) -> bytes | None:
        """The contents of ``name``; None if there is no such file."""

    def write(self, name: str, contents: bytes) -> None:
        """Make or replace ``name``."""

    def put(self, new: Path, name: str) -> None:
        """Make or replace ``name`` with the file ``new``, which may be gone afterwards."""

    def get(self, name: str, path: Path) -> bool:
        """Copy ``name`` to ``path``; returns whether there is such a file."""

    def exists(self, name: str) -> bool:
        """Whether there is a file ``name``."""

    def names(self, folder: str) -> set[str]:
        """The names of the files in ``folder``."""

    def remove(self, name: str) -> None:
        """Remove ``name``, if it exists."""

    def address(self, name: str) -> str:
        """The absolute path or URL of ``name``."""


class Folder:
    """A store in a folder of this machine, or in one that machines share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, name: str) -> bytes | None:
        """See Backend."""
        try:
            return (self.folder / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _failed(self.folder / name, error) from error

    def write(self, name: str, contents: bytes) -> None:
        """See Backend."""
        with self._new(name) as new:
            new.write_bytes(contents)

    def put(self, new: Path, name: str) -> None:
        """See Backend."""
        with self._new(name) as beside:
            try:
                new.replace(beside)
            except OSError:  # on another file system
                shutil.copyfile(new, beside)
            sync(beside)

    def get(self, name: str, path: Path) -> bool:
        """See Backend."""
        try:
            shutil.copyfile(self.folder / name, path)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise _failed(self.folder / name, error) from error
        return True

    def exists(self, name: str) -> bool:
        """See Backend."""
        return (self.folder / name).exists()

    def names(self, folder: str) -> set[str]:
        """See Backend."""
        try:
            return {path.name for path in (self.folder / folder).iterdir() if path.name[0] != "."}
        except FileNotFoundError:
            return set()
        except OSError as error:
            raise _failed(self.folder / folder, error) from error

    def remove(self, name: str) -> None:
        """See Backend."""
        (self.folder / name).unlink(missing_ok=True)

    def address(self, name: str) -> str:
        """See Backend."""
        return str(self.folder / name)

    @contextmanager
    def _new(self, name: str) -> Iterator[Path]:
        """A new file, which becomes ``name`` at the end."""
        path = self.folder / name
        new = path.with_name(f".{uuid.uuid4().hex}.new")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            yield new
            new.replace(path)
        except OSError as error:
            raise _failed(path, error) from error
        finally:
            with suppress(OSError):
                new.unlink()


class Remote:
    """A store at a URL, through fsspec."""

    def __init__(self, url: str) -> None:
        import fsspec

        self._url = url
        with _errors_of(url):
            self._system, self._base = fsspec.core.url_to_fs(url)

    def read(self, name: str) -> bytes | None:
        """See Backend."""
        with _errors_of(self.address(name)):
            try:
                return bytes(self._system.cat_file(self._path(name)))
            except FileNotFoundError:
                return None

    def write(self, name: str, contents: bytes) -> None:
        """See Backend."""
        with _errors_of(self.address(name)):
            self._make_folder(name)
            self._system.pipe_file(self._path(name), contents)

    def put(self, new: Path, name: str) -> None:
        """See Backend."""
        with _errors_of(self.address(name)):
            self._make_folder(name)
            self._system.put_file(str(new), self._path(name))

    def get(self, name: str, path: Path) -> bool:
        """See Backend."""
        with _errors_of(self.address(name)):
            try:
                self._system.get_file(self._path(name), str(path))
            except FileNotFoundError:
                return False
            return True

    def exists(self, name: str) -> bool:
        """See Backend."""
        with _errors_of(self.address(name)):
            self._system.invalidate_cache()
            return bool(self._system.exists(self._path(name)))

    def names(self, folder: str) -> set[str]:
        """See Backend."""
        with _errors_of(self.address(folder)):
            self._system.invalidate_cache()
            try:
                found: list[Any] = self._system.ls(self._path(folder), detail=False)
            except FileNotFoundError:
                return set()
            return {str(path).rstrip("/").rpartition("/")[2] for path in found}

    def remove(self, name: str) -> None:
        """See Backend."""
        with _errors_of(self.address(name)):
            try:
                self._system.rm_file(self._path(name))
            except FileNotFoundError:
                return

    def address(self, name: str) -> str:
        """See Backend."""
        return f"{self._url.rstrip('/')}/{name}"

    def _path(self, name: str) -> str:
        return f"{self._base.rstrip('/')}/{name}"

    def _make_folder(self, name: str) -> None:
        """Make the folder of ``name``, where the system has folders."""
        self._system.makedirs(self._path(name).rpartition("/")[0], exist_ok=True)


def is_url(location: str) -> bool:
    """Whether a store's location is a URL; else it is a path."""
    return _SCHEME in location


@lru_cache(maxsize=8)
def backend_at(location: str) -> Backend:
    """The place of the store at ``location``, an absolute path or a URL; raises StoreError."""
    return Remote(location) if is_url(location) else Folder(Path(location))


@contextmanager
def _errors_of(address: str) -> Iterator[None]:
    """Turn whatever a file system of fsspec raises into a StoreError: each has errors of its own."""
    try:
        yield
    except FileNotFoundError as error:
        raise _failed(address, error) from error
    except StoreError:
        raise
    except Exception as error:
        raise _failed(address, error) from error


def _failed(address: object, error: Exception) -> StoreError:
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return StoreError(f"{address} in the store cannot be read or written: {reason}.")
