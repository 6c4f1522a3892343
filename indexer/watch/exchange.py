"""Replace a file by exchanging names where the kernel can: on ext4 that is faster than a rename."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

_HERE = -100  # AT_FDCWD: relative names are relative to the current folder (openat(2))
_EXCHANGE = 2  # RENAME_EXCHANGE of renameat2(2)


def put_in_place(new: Path, path: Path) -> None:
    """Give the file ``new`` the name ``path``; afterwards ``new`` is the old file, or gone.

    At any moment ``path`` is the old file or the new one. Before a rename onto a file, ext4 allocates
    all blocks of the new file (auto_da_alloc in ext4(5)), which takes a tenth of the time of a refresh;
    exchanging names does not. Where names cannot be exchanged, this renames. Raises OSError.
    """
    if not _exchange(new, path):
        new.replace(path)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange the names of two files; False when that cannot be done."""
    function = _renameat2()
    if function is None:
        return False
    return bool(function(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0)


@cache
def _renameat2() -> Callable[..., int] | None:
    """The C library's renameat2, which only Linux has."""
    function = getattr(ctypes.CDLL(None), "renameat2", None)
    if function is not None:
        function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    return function
