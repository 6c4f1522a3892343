"""Switching off the garbage collector while much is made that nothing will free."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Make without looking for garbage: for what makes many objects and no cycles, as imports do."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def lasting() -> Iterator[None]:
    """Make what lasts as long as the process: the collector does not look through it, now or later."""
    with without_collection():
        yield
        gc.freeze()
