"""The layers in the user's cache: a folder each, complete from the moment it has its name."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from oblist.lisp.sbcl import Sbcl

from ..format import user_cache_folder
from .core_and_index import Facts, Layer

_SIZE_VARIABLE = "OBLIST_CACHE_SIZE"
_MOST_BYTES = 4_000_000_000
_IN_USE_SECONDS = 600.0  # from the last time that a layer was asked for
_FOLDER = "layers"
_INDEX, _CORE, _FACTS = "layer.db", "layer.core", "layer.json"
_MAKING = "making-"


def layer_folder(*key: object) -> Path:
    """The folder of the layer that ``key``, made of JSON values, identifies."""
    name = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:32]
    return user_cache_folder() / _FOLDER / name


def find_layer(folder: Path, sbcl: Sbcl, code: Path) -> Layer | None:
    """The layer in ``folder``, if there is one that is up to date; that it was used is noted."""
    _drop_unfinished(folder.parent)
    layer = _stored(folder, sbcl, code)
    if layer is None or not layer.is_current():
        return None
    with suppress(OSError):
        os.utime(folder)
    return layer


def make_layer(folder: Path, sbcl: Sbcl, code: Path, make: Callable[[Path, Path], Facts]) -> Layer:
    """Make the layer in ``folder``, in place of what is there.

    The least recently used layers beyond the limit are dropped. ``make`` writes an index and a core at the
    two paths that it is given, and returns the facts. Raises whatever ``make`` raises, and OSError.
    """
    replaced = _identity(folder)
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f"{_MAKING}{os.getpid()}-", dir=folder.parent))
    try:
        facts = make(work / _INDEX, work / _CORE)
        (work / _FACTS).write_text(json.dumps(asdict(facts)), encoding="utf-8")
        if _identity(folder) == replaced:  # else another process was first: its layer may be in use
            shutil.rmtree(folder, ignore_errors=True)
            with suppress(OSError):
                work.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    _prune(folder.parent)
    layer = _stored(folder, sbcl, code)
    if layer is None:
        raise FileNotFoundError(f"The cache folder {folder} was removed while it was in use.")
    return layer


def _identity(folder: Path) -> int | None:
    with suppress(OSError):
        return folder.stat().st_ino
    return None


def _stored(folder: Path, sbcl: Sbcl, code: Path) -> Layer | None:
    try:
        facts = Facts(**json.loads((folder / _FACTS).read_text(encoding="utf-8")))
        return Layer(folder / _INDEX, folder / _CORE, sbcl, code, facts)
    except (OSError, ValueError, TypeError):
        return None


def _prune(layers: Path) -> None:
    """Drop the least recently used layers beyond the limit, but none that may be in use."""
    folders = [path for path in layers.iterdir() if not path.name.startswith(_MAKING)]
    folders.sort(key=_last_used, reverse=True)
    total = 0
    for folder in folders:
        total += _bytes(folder)
        if total > most_bytes() and time.time() - _last_used(folder) > _IN_USE_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def most_bytes() -> int:
    """The bytes that all layers may have together: 4 GB, or what the variable OBLIST_CACHE_SIZE says."""
    said = os.environ.get(_SIZE_VARIABLE, "")
    return int(said) if said.isdigit() else _MOST_BYTES


def _last_used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0  # another process has dropped it


def _bytes(folder: Path) -> int:
    total = 0
    with suppress(OSError):
        for file in folder.iterdir():
            total += file.stat().st_size
    return total


def _drop_unfinished(layers: Path) -> None:
    """Remove the leftovers of processes that were killed while they made a layer."""
    for left in layers.glob(f"{_MAKING}*"):
        if not _is_running(left.name.split("-")[1]):
            shutil.rmtree(left, ignore_errors=True)


def _is_running(process: str) -> bool:
    return process.isdigit() and Path(f"/proc/{process}").exists()
