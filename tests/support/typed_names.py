"""Names as a person would type them, whatever is in them."""

from __future__ import annotations


def piped(name: str) -> str:
    """A name between pipes: each character stands for itself (CLHS 2.3.4)."""
    return "|" + name.replace("\\", "\\\\").replace("|", "\\|") + "|"
