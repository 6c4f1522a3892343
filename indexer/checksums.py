"""Checksums of the pages of a finished index, which follow its last page.

SQLite ignores what follows the pages that the header counts (sqlite.org/fileformat2.html, 1.3.8), and drops
it when it rewrites the file. The trailer is ``_MAGIC``, the size of a page and the number of pages, a CRC-32
for each page, and the CRC-32 of all this; numbers have four bytes, the most significant first. It is
read by ``oblist check-index`` and by builds that would leave the file as it is; opening an index does not
read it.
"""

from __future__ import annotations

import struct
import zlib
from array import array
from collections.abc import Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import BinaryIO

_MAGIC = b"oblist checksums"
_NUMBERS = struct.Struct(">II")
_CRC = struct.Struct(">I")


def append_checksums(path: Path) -> None:
    """Write the checksums of the finished SQLite file ``path`` behind its pages; raises OSError."""
    with path.open("r+b") as file:
        page_bytes, pages = _layout(file)
        trailer = _MAGIC + _NUMBERS.pack(page_bytes, pages) + _packed(_crcs(file, page_bytes, pages))
        file.truncate(page_bytes * pages)
        file.seek(page_bytes * pages)
        file.write(trailer + _CRC.pack(zlib.crc32(trailer)))


def wrong_pages(path: Path) -> list[int] | None:
    """The numbers, from 1, of the pages that are not as they were written; None without whole checksums.

    Raises OSError.
    """
    with path.open("rb") as file:
        page_bytes, pages = _layout(file)
        file.seek(page_bytes * pages)
        trailer = file.read()
        known, end = trailer[: -_CRC.size], trailer[-_CRC.size :]
        head = _MAGIC + _NUMBERS.pack(page_bytes, pages)
        if not known.startswith(head) or _CRC.pack(zlib.crc32(known)) != end:
            return None
        stored = memoryview(known)[len(head) :]
        if len(stored) != pages * _CRC.size:
            return None
        found = memoryview(_packed(_crcs(file, page_bytes, pages)))
    return [
        page
        for page, at in enumerate(range(0, len(stored), _CRC.size), 1)
        if stored[at : at + _CRC.size] != found[at : at + _CRC.size]
    ]


def is_as_written(path: Path) -> bool:
    """Whether no page of the SQLite file ``path`` has changed since its checksums were written.

    Raises OSError.
    """
    return wrong_pages(path) == []


def _layout(file: BinaryIO) -> tuple[int, int]:
    """The size of a page in bytes and the number of pages, from the header of an SQLite file."""
    header = file.read(100)
    page_bytes = int.from_bytes(header[16:18], "big")
    return 65536 if page_bytes == 1 else page_bytes, int.from_bytes(header[28:32], "big")


def _crcs(file: BinaryIO, page_bytes: int, pages: int) -> Iterator[int]:
    with mmap(file.fileno(), 0, access=ACCESS_READ) as whole, memoryview(whole) as view:
        for start in range(0, page_bytes * pages, page_bytes):
            with view[start : start + page_bytes] as page:
                yield zlib.crc32(page)


def _packed(numbers: Iterator[int]) -> bytes:
    found = array("I", numbers)
    if _CRC.pack(1) != array("I", [1]).tobytes():
        found.byteswap()
    return found.tobytes()
