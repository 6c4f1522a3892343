"""Source files as the index stores them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from .source_text import decoded


@dataclass(frozen=True, slots=True)
class Source:
    """A source file as it was read: its text, and the SHA-256 and size of its bytes."""

    text: str
    sha256: str
    size: int

    def lines(self) -> list[str]:
        """The lines without their newlines; only the newline character ends a line."""
        return self.text.split("\n")


def read_source(path: str) -> Source | None:
    """Read the file at ``path``; None when it does not exist or cannot be read."""
    try:
        octets = Path(path).read_bytes()
    except OSError:
        return None
    return Source(decoded(octets), hashlib.sha256(octets).hexdigest(), len(octets))
