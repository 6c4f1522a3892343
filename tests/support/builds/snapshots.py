"""Snapshots of images: the builds they belong to, and the processes that run them."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from support.patience import SOON


def build_id(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        ((found,),) = connection.execute("SELECT value FROM meta WHERE name = 'build_id'")
    return str(found)


def gone(before: set[int]) -> bool:
    """Whether all children except those in ``before`` end soon."""
    deadline = time.monotonic() + SOON
    while children() - before and time.monotonic() < deadline:
        time.sleep(0.02)
    return not children() - before


def children() -> set[int]:
    """The processes that run a snapshot of the cache in use."""
    found = set()
    cache = os.environ["XDG_CACHE_HOME"].encode()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                if cache in (folder / "cmdline").read_bytes():
                    found.add(int(folder.name))
    return found
