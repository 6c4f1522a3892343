"""Folders that are only used as they were written: checksums find what a disk or a power cut has damaged."""

from __future__ import annotations

import json
from pathlib import Path
from zlib import crc32

CHECKSUMS = "checksums.json"
_PIECE_BYTES = 1 << 20
_MOST_KNOWN = 64

_known: dict[tuple[int, ...], int] = {}  # of files read lately


def write_checksums(folder: Path) -> None:
    """Write the checksums of the finished files below ``folder`` into it. Raises OSError."""
    found = {str(path.relative_to(folder)): _checksum(path) for path in folder.rglob("*") if path.is_file()}
    (folder / CHECKSUMS).write_text(json.dumps(found), encoding="utf-8")


def is_whole(folder: Path) -> bool:
    """Whether ``folder`` has all files that ``write_checksums`` found there, and none has changed."""
    try:
        stored = json.loads((folder / CHECKSUMS).read_text(encoding="utf-8"))
        return all(_checksum(folder / name) == checksum for name, checksum in stored.items())
    except (OSError, ValueError, AttributeError):
        return False


def _checksum(path: Path) -> int:
    """The CRC-32 of the file at ``path``, which is read again only after it has changed. Raises OSError.

    The file is known by its state, not by its path: the folder gets its name when it is complete.
    """
    status = path.stat()
    state = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    found = _known.get(state)
    if found is None:
        found = 0
        with path.open("rb") as file:
            while piece := file.read(_PIECE_BYTES):
                found = crc32(piece, found)
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[state] = found
    return found
