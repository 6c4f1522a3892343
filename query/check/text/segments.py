"""The parts of a document or documentation string that are Lisp: blocks and inline code."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

LISP_NAMES = frozenset({"lisp", "common-lisp", "commonlisp", "common_lisp", "cl", "sbcl"})
# Fenced code, and code between backquotes, or between a backquote and a quote as in older documentation.
_FENCE = re.compile(r"^[ \t]*+(```+|~~~+)[ \t]*+([\w+-]*)[^\n]*\n", re.MULTILINE)
_FENCE_END = re.compile(r"^[ \t]*+(```+|~~~+)[ \t\r]*+$", re.MULTILINE)
_INLINE = re.compile(r"(?<!`)`([^`'\n]{1,200})[`'](?!`)")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CodeSegment:
    """Code in a text: its offset, from 0, and its text, character for character.

    ``inline`` code may just mention a call, so only its symbols with a package prefix are judged.
    """

    start: int
    text: str
    inline: bool


@dataclass(frozen=True, slots=True)
class Block:
    """A block of lines between two delimiters: the match of the opening one, and offsets."""

    opening: re.Match[str]
    content: tuple[int, int]
    end: int


def blocks(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> Iterator[Block]:
    """The blocks of a text; a block ends where group 1 of ``closing`` equals that of ``opening``.

    Blocks that are never closed do not count. Takes time proportional to the length of the text.
    """
    closings: dict[str, list[re.Match[str]]] = {}
    for match in closing.finditer(text):
        closings.setdefault(match[1].lower(), []).append(match)
    end = 0
    for match in opening.finditer(text):
        if match.start() < end:
            continue
        there = closings.get(match[1].lower(), [])
        at = bisect_left(there, match.end(), key=re.Match.start)
        if at < len(there):
            end = there[at].end()
            yield Block(match, (match.end(), there[at].start()), end)


def within(offset: int, spans: list[tuple[int, int]]) -> bool:
    """Whether an offset is in one of ``spans``, which are sorted and disjoint."""
    at = bisect_right(spans, (offset, sys.maxsize)) - 1
    return at >= 0 and offset < spans[at][1]


def docstring_segments(start: int, text: str) -> Iterator[CodeSegment]:
    """The code in a documentation string; ``text`` is its source, quotes included, at offset ``start``."""
    if "`" not in text and "~~~" not in text:
        return
    plain = " " + _ESCAPED.sub(r" \1", text[1:-1]) + " "  # of the same length, so that offsets do not change
    fenced = []
    for block in blocks(plain, _FENCE, _FENCE_END):
        fenced.append((block.opening.start(), block.end))
        if block.opening[2].lower() in LISP_NAMES:
            first, end = block.content
            yield CodeSegment(start + first, plain[first:end], inline=False)
    for match in _INLINE.finditer(plain):
        if not within(match.start(), fenced):
            yield CodeSegment(start + match.start(1), match[1], inline=True)
