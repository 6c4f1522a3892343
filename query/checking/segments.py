"""Stretches of a file that are Lisp: a whole source, a fenced block, inline code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LISP_NAMES = frozenset({"lisp", "common-lisp", "commonlisp", "common_lisp", "cl", "sbcl"})
# Fenced code, and code between backquotes, or a backquote and a quote as in older documentation.
_FENCE = re.compile(
    r"^[ \t]*(```+|~~~+)[ \t]*([\w+-]*)[^\n]*\n(.*?)^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE
)
_INLINE = re.compile(r"(?<!`)`([^`'\n]{1,200})[`'](?!`)")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Segment:
    """Code in a text: where it starts, from 0, and what it says, character for character.

    ``inline`` code may be a mere mention: of its calls only keywords are judged.
    """

    start: int
    text: str
    inline: bool


def docstring_segments(start: int, text: str) -> Iterator[Segment]:
    """The code in a documentation string; ``text`` is its source, quotes included, at offset ``start``."""
    if "`" not in text and "~~~" not in text:
        return
    plain = " " + _ESCAPED.sub(r" \1", text[1:-1]) + " "  # as long as before, so that places stay
    fenced = []
    for match in _FENCE.finditer(plain):
        fenced.append(match.span())
        if match[2].lower() in LISP_NAMES:
            yield Segment(start + match.start(3), match[3], inline=False)
    for match in _INLINE.finditer(plain):
        if not any(begin <= match.start() < end for begin, end in fenced):
            yield Segment(start + match.start(1), match[1], inline=True)
