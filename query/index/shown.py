"""How names and texts from an index are shown. They come from others' code and may contain anything."""

from __future__ import annotations

import unicodedata

_UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def shown_name(text: str) -> str:
    """Return a name on one line, with control characters as ``\\n`` or ``\\xNN``."""
    if text.isprintable():
        return text
    return "".join(_escaped(char) if unicodedata.category(char) == "Cc" else char for char in text)


def for_terminal(text: str) -> str:
    """Return text that is safe for a terminal: the only control characters kept are newlines and tabs.

    Other control characters, bidirectional marks and invisible characters are escaped, because the text
    of an index comes from other people's code.
    """
    if text.isprintable():
        return text
    return "".join(
        _escaped(char) if char not in "\n\t" and unicodedata.category(char) in _UNPRINTABLE else char
        for char in text
    )


def _escaped(char: str) -> str:
    if char == "\n":
        return "\\n"
    code = ord(char)
    return f"\\x{code:02X}" if code < 256 else f"\\u{code:04X}"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number of things: ``1 caller``, ``2,000 callers``, ``3 classes``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def unindented(text: str, margin: int) -> str:
    """Return a form without the indentation that it has in its file: ``margin`` is that of its first line."""
    first, *others = text.split("\n")
    return "\n".join(
        [first, *(line[margin:] if not line[:margin].strip() else line.lstrip() for line in others)]
    )
