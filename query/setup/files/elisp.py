"""Whether a file of Emacs Lisp ends outside of every form, so that something can be added to it."""

from __future__ import annotations

import re

from ..errors import BrokenFileError
from .part import place_of

# Comments, strings, characters such as ?( and ?\C-\), and brackets (Elisp manual, "Basic Char Syntax").
_TOKEN = re.compile(
    r';[^\n]*|"(?:[^"\\]|\\.)*"|\?(?:\\[CMSHAs]-)*(?:\\.|[^\\\s])|\\.|\(|\)|\[|\]|"', re.DOTALL
)
_OPENING = {")": "(", "]": "["}


def refuse_unfinished(text: str) -> None:
    """Raise BrokenFileError if a bracket or string is not closed, or a bracket closes nothing."""
    open_at: list[tuple[str, int]] = []
    for matched in _TOKEN.finditer(text):
        found, position = matched[0], matched.start()
        if found == '"':
            raise BrokenFileError("the string that begins here is not closed", *place_of(text, position))
        if found in "([":
            open_at.append((found, position))
        elif found in ")]":
            if not open_at or open_at[-1][0] != _OPENING[found]:
                raise BrokenFileError(f"this {found} closes nothing", *place_of(text, position))
            open_at.pop()
    if open_at:
        opening, position = open_at[-1]
        raise BrokenFileError(f"this {opening} is not closed", *place_of(text, position))
