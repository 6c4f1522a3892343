"""Slices that are not on this machine: fetched from the store that the user names, and kept in the cache.

A catalog says where its slices are, but what is read from a file must not decide which servers this machine
talks to. So only the store that the variable OBLIST_STORE names is ever asked.
"""

from __future__ import annotations

import hashlib
import os
import re
import uuid
from contextlib import suppress
from pathlib import Path

from oblist.indexer.extras import MissingExtraError, require
from oblist.indexer.format import STORE_VARIABLE, user_cache_folder

from ..errors import ReleaseError

_SLICE = re.compile(r"/slices/([A-Za-z0-9+._-]+\.db)")
_MOST_KEPT = 100


def is_remote(slice_: str) -> bool:
    """Whether a slice's place is a URL."""
    return "://" in slice_


def fetched(url: str) -> Path:
    """The slice at ``url``, fetched unless the cache has it; raises ReleaseError if that cannot be."""
    store = os.environ.get(STORE_VARIABLE, "").rstrip("/")
    name = _SLICE.fullmatch(url.removeprefix(store)) if store else None
    if name is None:
        raise ReleaseError(
            f"Its slice is at {url}. To fetch it, set {STORE_VARIABLE} to the address of that store."
        )
    folder = user_cache_folder() / "slices" / hashlib.sha256(store.encode()).hexdigest()[:16]
    path = folder / name[1]
    if path.exists():
        with suppress(OSError):
            os.utime(path)
        return path
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _fetch(url, path)
    _drop_old(folder)
    return path


def _fetch(url: str, path: Path) -> None:
    try:
        require(f"Fetching {url}", "cluster", "fsspec")
    except MissingExtraError as error:
        raise ReleaseError(str(error)) from error
    import fsspec

    new = path.with_name(f".{uuid.uuid4().hex}.new")
    try:
        system, place = fsspec.core.url_to_fs(url)
        system.get_file(place, str(new))
        new.replace(path)
    except Exception as error:  # each file system has errors of its own
        reason = str(error) or type(error).__name__
        raise ReleaseError(f"The slice {url} cannot be fetched: {reason}.") from error
    finally:
        new.unlink(missing_ok=True)


def _drop_old(folder: Path) -> None:
    """Keep the slices that were used last."""
    with suppress(OSError):  # another process may drop them too
        kept = sorted(folder.glob("*.db"), key=lambda path: -path.stat().st_mtime_ns)
        for path in kept[_MOST_KEPT:]:
            path.unlink()
