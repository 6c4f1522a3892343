"""Replace a file by another at once, where the kernel can: rename makes ext4 write the new one out first."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

_HERE = -100  # AT_FDCWD: relative names are relative to the present folder (openat(2))
_EXCHANGE = 2  # RENAME_EXCHANGE of renameat2(2)


def put_in_place(new: Path, path: Path) -> None:
    """Let the file ``new`` take the name ``path``; afterwards ``new`` is the old file, or gone.

    Whoever opens ``path`` gets the old file or the new one. A rename onto a file has ext4 allocate all
    of the new one's blocks before (auto_da_alloc in ext4(5)), which takes as long as a tenth of a
    refresh; exchanging the names does not. Where names cannot be exchanged it is a rename. Raises
    OSError.
    """
    if not _exchange(new, path):
        new.replace(path)


def _exchange(one: Path, other: Path) -> bool:
    """Let two files have each other's names; False when that cannot be done."""
    function = _renameat2()
    if function is None:
        return False
    return bool(function(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0)


@cache
def _renameat2() -> Callable[..., int] | None:
    """The C library's renameat2, which is Linux's."""
    function = getattr(ctypes.CDLL(None), "renameat2", None)
    if function is not None:
        function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    return function
