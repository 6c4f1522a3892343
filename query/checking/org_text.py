"""The Lisp in an Org file: source blocks and inline code, where it stands (Org syntax, 3.6 and 4.9)."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator

from .segments import LISP_NAMES, Segment

_BLOCK = re.compile(
    r"^[ \t]*#\+begin_(\w+)[ \t]*(\S*)[^\n]*\n(.*?)^[ \t]*#\+end_\1[ \t]*$",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
# =verbatim= and ~code~, with what may stand around them.
_INLINE = re.compile(r"(?<![^\s('\"{-])([=~])(\S|\S[^\n]{0,200}?\S)\1(?![^\s)'\"}.,;:!?-])")
_SOURCE = re.compile(r"src_([\w-]+)(?:\[[^\]\n]*\])?\{([^}\n]*)\}")
_FIXED_WIDTH = re.compile(r"^[ \t]*(?:#|:)(?: [^\n]*)?$", re.MULTILINE)


def org_segments(text: str) -> Iterator[Segment]:
    """The code in ``text`` that is Lisp: blocks, then inline code, each in order."""
    blocks = list(_BLOCK.finditer(text))
    for match in blocks:
        if match[1].lower() == "src" and match[2].lower() in LISP_NAMES:
            yield Segment(match.start(3), match[3], inline=False)
    silent = [match.span() for match in (*blocks, *_FIXED_WIDTH.finditer(text))]
    silent.sort()
    for match in _INLINE.finditer(text):
        if not _within(match.start(), silent):
            yield Segment(match.start(2), match[2], inline=True)
    for match in _SOURCE.finditer(text):
        if match[1].lower() in LISP_NAMES and not _within(match.start(), silent):
            yield Segment(match.start(2), match[2], inline=False)


def _within(offset: int, spans: list[tuple[int, int]]) -> bool:
    at = bisect_right(spans, (offset, sys.maxsize)) - 1
    return at >= 0 and offset < spans[at][1]
