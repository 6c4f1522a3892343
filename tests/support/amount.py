"""The amount that a test looks at: a seeded sample, or everything in `make verify`."""

from __future__ import annotations

import os
from typing import TypeVar

_T = TypeVar("_T")


def amount(sample: _T, everything: _T) -> _T:
    """``everything`` where the Makefile asks for it, else ``sample``."""
    return everything if os.environ.get("TESTS_IN_FULL") else sample
