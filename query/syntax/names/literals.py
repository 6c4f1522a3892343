"""String literals and their values."""

from __future__ import annotations


def string_value(text: str) -> str:
    """Return the value of a string literal."""
    inner = text[1:-1]
    if "\\" not in inner:
        return inner
    pieces, at = [], 0
    while at < len(inner):
        at += inner[at] == "\\"
        pieces.append(inner[at : at + 1])
        at += 1
    return "".join(pieces)


def value_offset(text: str, offset: int) -> int:
    """Return where the character at ``offset`` of a string's value stands in the string literal."""
    at = 1
    for _ in range(offset + 1):
        at += text[at : at + 1] == "\\"
        at += 1
    return at - 1
