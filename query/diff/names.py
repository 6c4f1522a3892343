"""Names by which a comparison tells symbols apart: ``PACKAGE::NAME``, exported or not."""

from __future__ import annotations


def double_colon(symbol: str) -> str:
    """A symbol as printed, with two colons after its package; unchanged if it has no package or has pipes."""
    package, colon, name = symbol.partition(":")
    return f"{package}::{name.lstrip(':')}" if package and colon and "|" not in symbol else symbol
