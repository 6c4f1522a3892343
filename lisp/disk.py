"""Recognize a full or read-only disk in what a program has printed, or by the room that is left."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path

_REASONS = tuple(os.strerror(number) for number in (errno.ENOSPC, errno.EDQUOT, errno.EROFS))
_FULL_BYTES = 1_000_000  # what is left of a disk that has no room for an image or an index


def printed_reason(printed: str) -> str | None:
    """The system's words for a disk that cannot be written, if a program has ``printed`` them."""
    return next((reason for reason in _REASONS if reason in printed), None)


def reason_if_full(folder: Path) -> str | None:
    """The system's words for a full disk, if that of ``folder`` has no room for an image or an index."""
    with suppress(OSError):
        if shutil.disk_usage(folder).free < _FULL_BYTES:
            return os.strerror(errno.ENOSPC)
    return None
