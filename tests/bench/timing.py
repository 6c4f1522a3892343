"""How long something takes."""

from __future__ import annotations

import time
from collections.abc import Callable


def milliseconds(action: Callable[[], object]) -> float:
    """The time that ``action`` takes."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000
