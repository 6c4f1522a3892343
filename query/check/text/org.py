"""The Lisp in an Org file: source blocks and inline code, with its places (Org syntax, 3.6 and 4.9)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .segments import LISP_NAMES, CodeSegment, blocks, within

_BEGIN = re.compile(r"^[ \t]*+#\+begin_(\w++)[ \t]*+(\S*)[^\n]*\n", re.MULTILINE | re.IGNORECASE)
_END = re.compile(r"^[ \t]*+#\+end_(\w++)[ \t\r]*+$", re.MULTILINE | re.IGNORECASE)
# =verbatim= and ~code~, with the characters allowed around them.
_INLINE = re.compile(r"(?<![^\s('\"{-])([=~])(\S|\S[^\n]{0,200}?\S)\1(?![^\s)'\"}.,;:!?-])")
_SOURCE = re.compile(r"(?<![\w-])src_([\w-]{1,40}+)(?:\[[^\]\n]{0,200}\])?\{([^}\n]{0,500})\}")
_FIXED_WIDTH = re.compile(r"^[ \t]*(?:#|:)(?: [^\n]*)?$", re.MULTILINE)


def org_segments(text: str) -> Iterator[CodeSegment]:
    """The Lisp code in ``text``: blocks, then inline code, each in order."""
    found = list(blocks(text, _BEGIN, _END))
    for block in found:
        if block.opening[1].lower() == "src" and block.opening[2].lower() in LISP_NAMES:
            first, end = block.content
            yield CodeSegment(first, text[first:end], inline=False)
    spans = [(block.opening.start(), block.end) for block in found]
    lines = [match.span() for match in _FIXED_WIDTH.finditer(text)]
    silent = spans + [line for line in lines if not within(line[0], spans)]
    silent.sort()
    for match in _INLINE.finditer(text):
        if not within(match.start(), silent):
            yield CodeSegment(match.start(2), match[2], inline=True)
    for match in _SOURCE.finditer(text):
        if match[1].lower() in LISP_NAMES and not within(match.start(), silent):
            yield CodeSegment(match.start(2), match[2], inline=False)
