"""Answers within a budget of characters, for readers with small windows.

An answer that is too long is given without documentation, then as counts; it is never cut in the middle
of a line. The budget bounds the text; the structured content, which repeats names of fields, may have
twice as many characters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from .render import shown_name
from .tool_results import json_bytes
from .tool_shapes import CountsAnswer
from .tools import Reply

DEFAULT_BUDGET = 20_000
LEAST_BUDGET = 500
_STRUCTURED = 2  # times as many characters
_COUNT_CHARACTERS = 30  # what a line of counts takes besides the name, at most

Grade = Callable[[], Reply]


def fitting(grades: Sequence[Grade], budget: int) -> Reply:
    """The first of ``grades``, from the whole answer to its counts, that is within ``budget``.

    Each that leaves something out says so in a note. The last is taken in any case, cut between lines.
    """
    for grade in grades:
        reply = grade()
        if len(reply.text) <= budget and len(json_bytes(reply.structured)) <= budget * _STRUCTURED:
            return reply
    return replace(reply, text=whole_lines(reply.text, budget))


def whole_lines(text: str, budget: int) -> str:
    """As many lines of ``text`` as fit, the first one in any case, and how many more there are."""
    if len(text) <= budget:
        return text
    lines = text.split("\n")
    kept, room = 1, budget - len(lines[0]) - _COUNT_CHARACTERS
    while kept < len(lines) and len(lines[kept]) + 1 <= room:
        room -= len(lines[kept]) + 1
        kept += 1
    return "\n".join([*lines[:kept], f"... and {len(lines) - kept} more lines"])


def without_documentation(reply: Reply, budget: int) -> Reply:
    """``reply``, from whose answer the documentation was taken, with a note that says so."""
    note = f"Documentation was left out to stay within max_chars={budget}."
    return replace(reply, notes=[*reply.notes, note])


def counted(
    heading: str, question: str, noun: str, counted_by: str, names: Iterable[str], hint: str, budget: int
) -> Reply:
    """The grade of counts: how many of ``names`` are equal, the most first, as many lines as fit.

    ``heading`` is the first line of the text; ``noun`` what is counted; ``hint`` how to get at
    the answer itself.
    """
    counts = Counter(names)
    first = [heading, "", f"Too long for max_chars={budget}: {noun} by {counted_by}."]
    last = f"To see them: {hint}."
    room = budget - sum(len(line) + 1 for line in first) - len(last) - 2 * _COUNT_CHARACTERS
    lines, shown = [], {}
    for name, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        line = f"  {shown_name(name)}: {number}"
        if len(line) + 1 > room:
            break
        room -= len(line) + 1
        lines.append(line)
        shown[name] = number
    left_out = len(counts) - len(shown)
    more = [f"  ... and {left_out} more"] if left_out else []
    answer = CountsAnswer(
        question=question,
        total=counts.total(),
        counted_by=counted_by,
        counts=shown,
        left_out=left_out,
        hint=hint,
    )
    return Reply("\n".join([*first, *lines, *more, last]), answer)
