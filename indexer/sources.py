"""Source files as the index stores them."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass

from .source_text import decoded, source_octets


@dataclass(frozen=True, slots=True)
class Source:
    """A source file as it was read: its text, and the SHA-256, CRC-32 and size of its bytes."""

    text: str
    sha256: str
    crc32: str
    size: int

    def lines(self) -> list[str]:
        """The lines without their newlines; only the newline character ends a line."""
        return self.text.split("\n")


def read_source(path: str) -> Source | None:
    """Read the file at ``path``; None when it cannot be read, or is not a regular file."""
    try:
        octets = source_octets(path)
    except OSError:
        return None
    return source_of(octets)


def source_of(octets: bytes) -> Source:
    """The source file that has these bytes."""
    return Source(
        text=decoded(octets),
        sha256=hashlib.sha256(octets).hexdigest(),
        crc32=f"{zlib.crc32(octets):08x}",
        size=len(octets),
    )
