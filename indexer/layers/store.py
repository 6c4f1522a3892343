"""The layers in the user's cache: a folder each, complete from the moment it has its name.

What has been damaged since is made again.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.metadata import version
from os.path import samestat
from pathlib import Path

from oblist.lisp.sbcl import Sbcl
from oblist.lisp.unfinished import drop_unfinished, unfinished_folder
from oblist.lisp.whole import is_whole, write_checksums

from ..disk import cache_errors
from ..format import FEATURE, FORMAT, user_cache_folder
from ..own_schema import schema
from .core_and_index import Layer, LayerFacts

_FOLDER = "layers"
_INDEX, _CORE, _FACTS = "layer.db", "layer.core", "layer.json"
_MAKING = "making-"


@dataclass(frozen=True, slots=True)
class StoredLayer:
    """A layer's folder, what is known of it, its size in bytes, and when it was last used."""

    folder: Path
    facts: LayerFacts
    size: int
    used: float


def key_of(*values: object) -> str:
    """A file name that differs for other JSON values."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:32]


def layer_folder(*key: object) -> Path:
    """The folder of the layer that ``key``, made of JSON values, identifies for this oblist."""
    return user_cache_folder() / _FOLDER / key_of(*made_by(), schema("index"), *key)


@cache
def made_by() -> tuple[object, ...]:
    """This oblist, as the layers that it makes know it: its version, and those of the index."""
    return version("oblist"), FORMAT, FEATURE


def find_layer(folder: Path, sbcl: Sbcl, code: Path) -> Layer | None:
    """The layer in ``folder``, if there is a whole one that is up to date; that it was used is noted."""
    drop_unfinished(folder.parent, _MAKING)
    layer = _stored(folder, sbcl, code)
    if layer is None or not layer.is_current() or not is_whole(folder):
        return None
    with suppress(OSError):
        os.utime(folder)
    return layer


def make_layer(folder: Path, sbcl: Sbcl, code: Path, make: Callable[[Path, Path], LayerFacts]) -> Layer:
    """Make the layer in ``folder``, in place of what is there.

    ``make`` writes an index and a core at the two paths that it is given, and returns the facts. Raises
    CacheError, and whatever ``make`` raises.
    """
    replaced = _identity(folder)
    with cache_errors(folder.parent), _work_folder(folder.parent) as work:
        facts = make(work / _INDEX, work / _CORE)
        _write_facts(work, facts)
        write_checksums(work)
        if _identity(folder) == replaced:  # else another process was first: its layer may be in use
            shutil.rmtree(folder, ignore_errors=True)
            with suppress(OSError):
                work.rename(folder)
    layer = _stored(folder, sbcl, code)
    if layer is None:
        raise FileNotFoundError(f"The cache folder {folder} was removed while it was in use.")
    return layer


@contextmanager
def _work_folder(parent: Path) -> Iterator[Path]:
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with unfinished_folder(parent, _MAKING) as work:
        yield work


@contextmanager
def in_use(find: Callable[[], Layer]) -> Iterator[Layer]:
    """The layer that ``find`` finds or makes, which is not removed from the cache meanwhile."""
    while True:
        layer = find()
        facts = layer.core.with_name(_FACTS)
        with suppress(FileNotFoundError):  # it was removed a moment ago
            lock = facts.open()
            fcntl.flock(lock, fcntl.LOCK_SH)
            if samestat(facts.stat(), os.fstat(lock.fileno())):
                break
    with lock:
        yield layer


def remove_layer(folder: Path) -> bool:
    """Remove the layer in ``folder`` from the cache, unless it is in use; returns whether it is gone."""
    with suppress(OSError), (folder / _FACTS).open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if folder.is_symlink():
            folder.unlink()
        shutil.rmtree(folder, ignore_errors=True)
    return not folder.exists()


def drop_layers(prefix: str, most: int) -> None:
    """Remove the layers whose names begin so, but those in use and the ``most`` used last."""
    with suppress(OSError):  # another process removes them too
        folders = (user_cache_folder() / _FOLDER).glob(f"{prefix}*")
        for folder in sorted(folders, key=lambda folder: -folder.stat().st_mtime_ns)[most:]:
            remove_layer(folder)


def note_why_not(folder: Path, facts: LayerFacts) -> None:
    """Note, for people to read, why the layer in ``folder`` could not be made, if there is none."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True)
        _write_facts(folder, facts)


def why_not(folder: Path) -> str:
    """What was noted about why the layer in ``folder`` could not be made; empty if nothing was."""
    facts = _facts(folder)
    return facts.why_not if facts else ""


def stored_layers() -> list[StoredLayer]:
    """All layers in the cache, and notes why some are not there."""
    found = []
    with suppress(OSError):
        for folder in (user_cache_folder() / _FOLDER).iterdir():
            facts = None if folder.name.startswith(_MAKING) else _facts(folder)
            if facts is not None:
                with suppress(OSError):  # dropped a moment ago
                    found.append(StoredLayer(folder, facts, _bytes(folder), folder.stat().st_mtime))
    return found


def _identity(folder: Path) -> int | None:
    with suppress(OSError):
        return folder.stat().st_ino
    return None


def _stored(folder: Path, sbcl: Sbcl, code: Path) -> Layer | None:
    facts = _facts(folder)
    return None if facts is None else Layer(folder / _INDEX, folder / _CORE, sbcl, code, facts)


def _facts(folder: Path) -> LayerFacts | None:
    try:
        return LayerFacts(**json.loads((folder / _FACTS).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _write_facts(folder: Path, facts: LayerFacts) -> None:
    noted = replace(facts, made_by=made_by())
    (folder / _FACTS).write_text(json.dumps(asdict(noted)), encoding="utf-8")


def _bytes(folder: Path) -> int:
    total = 0
    with suppress(OSError):
        for file in folder.rglob("*"):
            total += file.stat().st_size
    return total
