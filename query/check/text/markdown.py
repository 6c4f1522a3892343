"""The Lisp in a Markdown file: fenced code and inline code, with its places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...index.present.lines import TextLines
from .segments import LISP_NAMES, CodeSegment

if TYPE_CHECKING:
    from markdown_it.token import Token

_BARE_RETURN = re.compile(r"\r(?!\n)")


def markdown_segments(text: str) -> Iterator[CodeSegment]:
    """The Lisp code in ``text``, in order (CommonMark 4.5, 6.1)."""
    from markdown_it import MarkdownIt

    text = _BARE_RETURN.sub("\n", text)  # CommonMark ends lines there too; offsets do not change
    lines = TextLines(text)
    raw = text.split("\n")
    around: tuple[int, int] = (0, 0)
    position = 0
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.map is not None and tuple(token.map) != around:
            around = (token.map[0], token.map[1])
            position = max(position, lines.start(around[0] + 1)) if around[0] < len(lines) else len(text)
        if token.type == "fence" and _language(token.info) in LISP_NAMES:
            yield _fenced(token, raw, lines)
        elif token.type == "inline" and "`" in token.content:  # in a table, the places are those of its row
            end = lines.start(around[1] + 1) if around[1] < len(lines) else len(text)
            for child in token.children or []:
                found = (
                    _span(text, child.markup, child.content, position, end)
                    if child.type == "code_inline"
                    else None
                )
                if found is not None:
                    start, position = found
                    yield CodeSegment(start, child.content, inline=True)


def _language(info: str) -> str:
    """The language of a fence: its first word, as ``lisp``, ``{.lisp}`` or ``lisp,ignore``."""
    words = info.replace(",", " ").replace("{", " ").replace("}", " ").split()
    return words[0].lstrip(".").lower() if words else ""


def _fenced(token: Token, raw: list[str], lines: TextLines) -> CodeSegment:
    """The text of the block, with blanks in place of each line's prefix (in lists and quotations)."""
    assert token.map is not None
    first = token.map[0] + 1
    content = token.content.removesuffix("\n").split("\n")
    padded = []
    for line, source in zip(content, raw[first:], strict=False):
        ending = source.removesuffix("\r")
        kept = line if ending.endswith(line) else ending.lstrip(" \t>")
        padded.append(" " * (len(ending) - len(kept)) + kept + " " * (len(source) - len(ending)))
    return CodeSegment(lines.start(first + 1) if first < len(raw) else 0, "\n".join(padded), inline=False)


def _span(text: str, ticks: str, content: str, position: int, end: int) -> tuple[int, int] | None:
    """The start of ``content`` in a code span, and the end of the span; None if it spans lines."""
    while True:
        start = text.find(ticks + content + ticks, position, end)
        padded = text.find(ticks + " " + content + " " + ticks, position, end)
        if start < 0 and padded < 0:
            return None
        if start < 0 or 0 <= padded < start:
            return padded + len(ticks) + 1, padded + 2 * len(ticks) + len(content) + 2
        after = start + 2 * len(ticks) + len(content)
        if text[start - 1 : start] != "`" and text[after : after + 1] != "`":
            return start + len(ticks), after
        position = start + 1
