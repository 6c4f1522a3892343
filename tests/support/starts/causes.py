"""On whose behalf processes are started."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from support.starts.programs import CAUSE

# The folder of what is built once for many tests, by build_cache.py.
SHARED = "shared"


class Cause(NamedTuple):
    """On whose behalf something is started: its row in the table, the test or fixture, and the worker."""

    folder: str
    name: str
    worker: str

    @classmethod
    def of(cls, folder: str, name: str) -> Cause:
        return cls(folder, name, os.environ.get("PYTEST_XDIST_WORKER", "main"))


@contextmanager
def started_for(cause: Cause) -> Iterator[None]:
    """Count what this process and its children start as started for ``cause``."""
    before = os.environ.get(CAUSE)
    os.environ[CAUSE] = "\t".join(cause)
    try:
        yield
    finally:
        if before is None:
            del os.environ[CAUSE]
        else:
            os.environ[CAUSE] = before
