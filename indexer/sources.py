"""Source files as the index stores them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path


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
    """Read the file at ``path``; None when it is not there or cannot be read.

    The text is decoded as lisp/dump/source/positions.lisp does it, so that offsets agree: as UTF-8, or as
    Latin-1 when it is not valid UTF-8.
    """
    try:
        octets = Path(path).read_bytes()
    except OSError:
        return None
    try:
        text = octets.decode("utf-8")
        if "\ufffd" in text:
            text = octets.decode("latin-1")
    except UnicodeDecodeError:
        text = octets.decode("latin-1")
    return Source(text, hashlib.sha256(octets).hexdigest(), len(octets))
