"""Compiled files, shared by machines through the store.

SBCL writes the paths of sources into compiled files, and libraries may write any others, so machines share
them only if their folders are called the same: the name in the store tells.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterable

from ..store.results import Store, key_of
from .scratch import Scratch


def share_compiled(key: str, store: Store, scratch: Scratch) -> int:
    """Put the files compiled for the release ``key`` into the store; returns how many bytes they are."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=3) as archive:
        archive.add(scratch.fasls(key), ".")
    store.place.write(_name(key, scratch), packed.getvalue())
    return packed.tell()


def fetch_compiled(keys: Iterable[str], store: Store, scratch: Scratch) -> None:
    """Fetch what others have compiled for the releases ``keys`` and this machine has not.

    What is not in the store is compiled again.
    """
    for key in keys:
        folder = scratch.fasls(key)
        if folder.is_dir():
            continue
        contents = store.place.read(_name(key, scratch))
        if contents is None:
            continue
        with scratch.alone(key), scratch.work() as work:
            if folder.is_dir():
                continue
            new = work / "fasls"
            with tarfile.open(fileobj=io.BytesIO(contents), mode="r:gz") as archive:
                archive.extractall(new, filter="tar")
            new.rename(folder)


def _name(key: str, scratch: Scratch) -> str:
    return f"compiled/{key}-{key_of(str(scratch.folder))[:8]}.tar.gz"
