"""Lines wrapped to the width of a terminal, never inside a word; pure but for the width."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise

from ..index.shown import for_terminal, shown_name
from ..questions.styled import Line, Segment

_LEAST = 20
_ROOM = 16  # that the indentation of a line that does not fit leaves for words, if the terminal is wide
_FULL = 45  # a shorter line of prose was meant to end there
_ITEMS = "-*+#(:0123456789"  # what begins an item of a list
_SPACES = re.compile("( +)")

TerminalLine = list[Segment]
"""What is on one line of the terminal."""


def terminal_width() -> int:
    """The number of columns of the terminal."""
    return max(_LEAST, shutil.get_terminal_size().columns)


def wrapped(lines: Iterable[Line], width: int) -> Iterator[TerminalLine]:
    """The rows that ``lines`` take: broken at spaces, with what goes on further right; a word stays whole.

    Control characters are escaped: the text of an index comes from other people's code.
    """
    for one in _flowing(lines, width):
        segments = [part._replace(text=for_terminal(shown_name(part.text))) for part in one.segments]
        if one.indent + sum(_columns(part.text) for part in segments) <= width:
            yield [Segment(" " * one.indent), *segments] if one.indent and segments else segments
        else:
            yield from _broken(segments, width, one.indent, one.hang)


def wrapped_text(lines: Iterable[Line], width: int) -> str:
    """The rows as mere text."""
    return "\n".join("".join(part.text for part in row) for row in wrapped(lines, width))


def _flowing(lines: Iterable[Line], width: int) -> Iterator[Line]:
    """The lines, with those of a paragraph that does not fit joined, so that none of its rows are short."""
    for (flows, _), group in groupby(lines, key=lambda one: (one.flows and bool(one.segments), one.indent)):
        same = list(group)
        if not flows or all(_columns(one.text) <= width for one in same):
            yield from same
            continue
        paragraph = same[0]
        for before, one in pairwise(same):
            if len(before.text.strip()) >= _FULL and one.text.lstrip()[0] not in _ITEMS:
                paragraph = paragraph._replace(segments=(*paragraph.segments, Segment(" "), *one.segments))
            else:
                yield paragraph
                paragraph = one
        yield paragraph


def _columns(text: str) -> int:
    """The number of columns that a text takes: some characters take two, and some none."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _broken(segments: list[Segment], width: int, indent: int, hang: int) -> Iterator[TerminalLine]:
    """The rows of a line that does not fit; a deep indentation is made less deep, to leave room for words."""
    most = max(width // 3, width - _ROOM)
    indent, further = min(indent, most), min(indent + hang, most)
    row, used = _begun(indent)
    empty, gap = True, Segment("")
    for space, word in _words(segments):
        columns = sum(_columns(part.text) for part in word)
        if not empty and used + len(space.text) + columns > width:
            yield row
            row, used = _begun(further)
            empty = True
        gap = Segment("") if empty else space
        row += [gap, *word] if gap.text else word
        used += len(gap.text) + columns
        empty = False
    yield row


def _begun(indent: int) -> tuple[TerminalLine, int]:
    return ([Segment(" " * indent)] if indent else []), indent


def _words(segments: list[Segment]) -> Iterator[tuple[Segment, TerminalLine]]:
    """The words of a line, each with the space before it; a word may have parts in several styles."""
    space, word = Segment(""), list[Segment]()
    for segment in segments:
        pieces = [segment.text] if segment.link else _SPACES.split(segment.text)
        for piece in pieces:
            if not piece:
                continue
            if piece.isspace() and not segment.link:
                if word:
                    yield space, word
                    space, word = segment._replace(text=piece), []
                else:
                    space = segment._replace(text=space.text + piece)
            else:
                word.append(segment._replace(text=piece))
    if word:
        yield space, word
