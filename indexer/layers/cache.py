"""What takes room in the user's cache: layers, and images that values come from. One budget for all."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from oblist.lisp.build_records import BuildRecords

from ..format import user_cache_folder
from .store import StoredLayer, made_by, remove_layer, stored_layers

_SIZE_VARIABLE = "OBLIST_CACHE_SIZE"
_MOST_BYTES = 4_000_000_000
_IN_USE_SECONDS = 600.0  # from the last time that a layer was asked for


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """One saved image or layer.

    ``size`` is in bytes that it alone takes, ``used`` in seconds since the epoch; ``useless`` is why nothing
    can use it, or None.
    """

    kind: str
    what: str
    path: Path
    size: int
    used: float
    sbcl: str
    useless: str | None


def most_bytes() -> int:
    """The bytes that all may have together: 4 GB, or what the variable OBLIST_CACHE_SIZE says."""
    said = os.environ.get(_SIZE_VARIABLE, "")
    return int(said) if said.isdigit() else _MOST_BYTES


def entries() -> list[CacheEntry]:
    """All saved images and layers, the most recently used first; RuntimeError without a home folder."""
    cache = user_cache_folder()
    images = [
        CacheEntry(
            "image",
            f"values of {one.record.index}",
            one.path,
            0 if one.shared else one.size,
            one.used,
            one.record.sbcl_version,
            one.why_useless,
        )
        for one in BuildRecords(cache).saved()
    ]
    layers = [_layer_entry(one, cache) for one in stored_layers()]
    return sorted([*images, *layers], key=lambda one: one.used, reverse=True)


def _layer_entry(one: StoredLayer, cache: Path) -> CacheEntry:
    facts = one.facts
    useless = facts.why_not
    if not useless and (tuple(facts.made_by) != made_by() or not (cache / facts.code).is_dir()):
        useless = "it was made by another version of SBCL or oblist"
    return CacheEntry("layer", facts.what, one.folder, one.size, one.used, facts.sbcl, useless or None)


def prune(most: int | None = None) -> list[CacheEntry]:
    """Remove what nothing can use, then what was used least recently; returns what was removed.

    What remains has less than ``most`` bytes, by default ``most_bytes``; a layer that may be in use stays.
    """
    most = most_bytes() if most is None else most
    removed, size = [], 0
    for one in entries():
        size += 0 if one.useless else one.size
        in_use = one.kind == "layer" and time.time() - one.used < _IN_USE_SECONDS
        if (one.useless or size >= most) and not in_use and _removed(one):
            removed.append(one)
    return removed


def _removed(one: CacheEntry) -> bool:
    """Remove an entry; returns whether it is gone, which a layer in use is not."""
    if one.kind == "layer":
        return remove_layer(one.path)
    one.path.unlink(missing_ok=True)
    return True
