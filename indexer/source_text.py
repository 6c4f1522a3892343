"""Decode source files: the one rule on which all offsets are based; standard library only."""

from __future__ import annotations


def decoded(octets: bytes) -> str:
    """Decode a source file: as UTF-8, or as Latin-1 if it is not valid UTF-8.

    ``decode`` in lisp/dump/source/positions.lisp does the same.
    """
    try:
        return octets.decode("utf-8")
    except UnicodeDecodeError:
        return octets.decode("latin-1")
