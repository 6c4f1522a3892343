"""Switching off the garbage collector while many objects are made that will not be freed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """A context without garbage collection: for work that makes many objects and no cycles, as imports do."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def lasting() -> Iterator[None]:
    """A context for objects that last as long as the process: the collector never scans them."""
    with without_collection():
        yield
        gc.freeze()
