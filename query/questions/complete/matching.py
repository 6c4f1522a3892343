"""How a name begins with what has been typed."""

from __future__ import annotations

import re
from collections.abc import Callable

MATCHES = ("name", "name", "words", "initials")
"""What a text may be the beginning of, the most likely first; the second is a name without its decoration."""
_BETWEEN = "-/.*+%&"  # what separates the words of a name, or decorates it


def matcher(text: str) -> Callable[[str], int | None]:
    """Return what tells which of MATCHES a name is, by number, or None; text and names are in one case.

    ``m-v-b`` has the beginnings of the words of MULTIPLE-VALUE-BIND, as SLIME's compound completion, and
    ``mvb`` their initials. Decoration, as in ``*PRINT-BASE*``, need not be typed.
    """
    between = re.escape(_BETWEEN)
    undecorated = text.lstrip(_BETWEEN) if text.strip(_BETWEEN) else text
    parts = [re.escape(part) for part in re.split("[-/.]", text.strip("*+%&")) if part]
    by_words = None
    if len(parts) > 1:
        word = f"[^{between}]*"
        by_words = re.compile(f"[{between}]*" + f"{word}[{between}]+".join(parts)).match
    by_initials = None
    if len(text) > 1 and text.isalnum():
        by_initials = re.compile(
            f"[{between}]*" + f"[^{between}]*[{between}]+".join(map(re.escape, text))
        ).match

    def match(name: str) -> int | None:
        if name.startswith(text):
            return 0
        if undecorated == text and name.lstrip(_BETWEEN).startswith(text):
            return 1
        if by_words is not None and by_words(name):
            return 2
        return 3 if by_initials is not None and by_initials(name) else None

    return match
