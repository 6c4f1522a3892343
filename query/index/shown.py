"""How names and texts of an index are shown; they are other people's, and may hold anything."""

from __future__ import annotations

import unicodedata

_UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def shown_name(text: str) -> str:
    """A name on one line: control characters as ``\\n`` or ``\\xNN``."""
    if text.isprintable():
        return text
    return "".join(_escaped(char) if unicodedata.category(char) == "Cc" else char for char in text)


def for_terminal(text: str) -> str:
    """Text that does nothing to a terminal: only newlines and tabs are left of what steers one.

    Control characters, bidirectional marks and other invisible ones are shown escaped: the text
    of an index is other people's text.
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
