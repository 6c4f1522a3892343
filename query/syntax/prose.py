"""The parts of a documentation string that are Lisp: examples, code in quotes, names in capitals.

No syntax for documentation is followed by everybody, so what is not certainly code stays prose. No part of
the text is left out or changed: a mark is an extent in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .lexemes import lexemes

EXAMPLE, QUOTED, NAME = "example", "quoted", "name"
_INDENTATION = re.compile(r"[ \t]*")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
# The beginning of an example: a form, perhaps after a prompt or a quote.
_FORM = re.compile(r"""(?:\*\s+|>\s+|[\w-]+>\s+)?['`#,@]*\((?!\s)[^\s.,;:\d]""")
# What may follow a form: a comment, or what it evaluates to.
_AFTER_FORM = re.compile(r"(?:;|=+>|->|→|⇒)")
_END = re.compile(r"[^.!?\s]\)+(?:\s*(?:;|=+>|->|→|⇒).*)?\Z")
_PLAIN = re.compile(r"\([\w',-]+(?:\s+[\w',-]+)*\)")
_MOST_WORDS = 5
# `like this', ``like this'' and `like this`, on one line.
_IN_QUOTES = re.compile(
    r"`{1,2}(?P<one>[^\s`'](?:[^`'\n]*[^\s`'])?)'{1,2}(?!\w)"
    r"|`{1,2}(?P<other>[^\s`](?:[^`\n]*[^\s`])?)`{1,2}(?!\w)"
)
# A name in capitals: a token with a letter and without one in lower case; what ends a sentence may follow.
_CAPITALS = re.compile(
    r"(?<![^\s(\[{'\"`,;/#])(?=[^A-Z\s]*+[A-Z])(?P<name>[A-Z0-9*+%&<>=/$^_~:-]++)"
    r"(?:(?=[.!?]++(?:\s|\Z))|(?![^\s)\]}'\"`,;]))"
)
# What begins an item of a list, and what sets columns apart.
_ITEM = re.compile(r"(?:[-*+•>|:=#;@]|\(?\w{1,2}[.):])(?:\s|$)|[:@;|<]")
_GAP = re.compile(r"[^.!?:\s]\s{2,}|\s{3,}|\t")
_FULL = 48  # characters of a line that is full
# In prose, these are words.
_WORDS = frozenset(
    ("A", "I", "AND", "OR", "NOT", "IF", "DO", "THE", "ALL", "NO", "ANY", "ONE", "BUT", "MUST")
)


class Mark(NamedTuple):
    """A part of a text that is Lisp: an example, code in quotes, or a name; without the quotes."""

    kind: str
    start: int
    end: int


class _Line(NamedTuple):
    start: int
    text: str
    indentation: int

    @property
    def content(self) -> str:
        return self.text.strip()


def marks(text: str) -> Iterator[Mark]:
    """Yield the parts of ``text`` that are Lisp, in its order; they do not overlap."""
    position = 0
    for start, end in _examples(text):
        yield from _in_prose(text, position, start)
        yield Mark(EXAMPLE, start, end)
        position = end
    yield from _in_prose(text, position, len(text))


def flowing(text: str) -> Iterator[tuple[int, int]]:
    """Yield the extents of the paragraphs whose lines were broken only because they were full."""
    examples = [*_examples(text), (len(text) + 1, len(text) + 1)]
    paragraph: list[_Line] = []
    for line in [*_lines(text), _Line(len(text), "", 0)]:
        while examples[0][1] < line.start:
            del examples[0]
        if line.content and not examples[0][0] < line.start + len(line.text) + 1:
            paragraph.append(line)
            continue
        if _flows(paragraph):
            yield paragraph[0].start, paragraph[-1].start + len(paragraph[-1].text)
        paragraph = []


def _flows(lines: list[_Line]) -> bool:
    """Whether these lines are one paragraph: no list, no table, no verse."""
    return (
        len(lines) > 1
        and all(len(one.content) >= _FULL for one in lines[:-1])
        and len({one.indentation for one in lines[1:]}) == 1
        and (lines[0].start == 0 or lines[0].indentation == lines[1].indentation)
        and not any(_ITEM.match(one.content) or _GAP.search(one.content) for one in lines)
    )


def _in_prose(text: str, start: int, end: int) -> Iterator[Mark]:
    position = start
    for match in _IN_QUOTES.finditer(text, start, end):
        yield from _names(text, position, match.start())
        group = match.lastgroup or ""
        yield Mark(QUOTED, *match.span(group))
        position = match.end(group)
    yield from _names(text, position, end)


def _names(text: str, start: int, end: int) -> Iterator[Mark]:
    for match in _CAPITALS.finditer(text, start, end):
        name = match["name"].rstrip(":")
        if len(name) > 1 and name not in _WORDS:
            yield Mark(NAME, match.start("name"), match.start("name") + len(name))


def _examples(text: str) -> Iterator[tuple[int, int]]:
    """Yield the extents of the lines that are examples: fenced, or indented forms."""
    lines = _lines(text)
    base = min((one.indentation for one in lines[1:] if one.content), default=0)
    number = 0
    while number < len(lines):
        if _FENCE.match(lines[number].text):
            end = next(
                (at for at in range(number + 1, len(lines)) if _FENCE.match(lines[at].text)), len(lines)
            )
            if end > number + 1:
                yield _extent(lines[number + 1 : end])
            number = end + 1
        elif (last := _end_of_example(lines, number, base)) is not None:
            yield _extent(lines[number:last])
            number = last
        else:
            number += 1


def _lines(text: str) -> list[_Line]:
    found, start = [], 0
    for line in text.split("\n"):
        match = _INDENTATION.match(line)
        found.append(_Line(start, line, len(match[0].expandtabs()) if match is not None else 0))
        start += len(line) + 1
    return found


def _extent(lines: list[_Line]) -> tuple[int, int]:
    """The extent of lines, with the indentation of the first, which aligns it with the others."""
    return lines[0].start, lines[-1].start + len(lines[-1].text.rstrip())


def _end_of_example(lines: list[_Line], number: int, base: int) -> int | None:
    """The number of the line after the example that begins at a line; None if none begins there.

    An example is indented more than the prose around it, or a paragraph of its own.
    """
    first = lines[number]
    apart = number > 0 and not lines[number - 1].content
    indented = number > 0 and first.indentation > base
    if not _FORM.match(first.content) or not (indented or apart):
        return None
    depth, end = 0, number
    while end < len(lines) and (depth > 0 or _continues(lines[end], first, end == number)):
        if depth > 0 and not lines[end].content:
            return None  # a paragraph ends inside of a form: this is no Lisp
        depth += _depth(lines[end].text)
        if depth < 0:
            return None
        end += 1
    if depth != 0 or not (indented or end == len(lines) or not lines[end].content):
        return None
    return None if _is_prose(lines[number:end], indented=indented) else end


def _is_prose(lines: list[_Line], *, indented: bool) -> bool:
    """Whether lines in parentheses are a remark: they are no more than words, or end like a sentence."""
    last = lines[-1].content
    if not (_END.search(last) or _AFTER_FORM.match(last)):
        return True
    text = " ".join(line.content for line in lines)
    return _PLAIN.fullmatch(text) is not None and (not indented or len(text.split()) > _MOST_WORDS)


def _continues(line: _Line, first: _Line, is_first: bool) -> bool:
    """Whether a line between forms belongs to the example that began with ``first``."""
    if is_first:
        return True
    return bool(
        line.content
        and line.indentation >= first.indentation
        and (_FORM.match(line.content) or _AFTER_FORM.match(line.content))
    )


def _depth(line: str) -> int:
    """The parentheses that a line opens and does not close."""
    kinds = [one.kind for one in lexemes(line)]
    return kinds.count("open") - kinds.count("close")
