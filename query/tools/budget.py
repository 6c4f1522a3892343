"""Answers within a budget of characters, for readers with small context windows.

An answer that is too long is given without documentation, or else with fewer items, or else as counts. No
line is cut in the middle, except one that repeats a long question. The budget bounds the text; structured
content, where it is wanted, repeats field names and may have twice as many characters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..catalog.elsewhere import with_elsewhere
from ..index.not_found import NotFound, not_found_text
from ..index.shown import counted, shown_name
from .answer import CountsAnswer
from .results import json_bytes
from .running.call import wants_objects
from .vocabulary import Reply

DEFAULT_BUDGET = 20_000
LEAST_BUDGET = 500
MOST_BUDGET = 1_000_000
_STRUCTURED = 2  # times as many characters as the text may have
_COUNT_CHARACTERS = 30  # the most that a line of counts takes, besides the name
_ECHO_CHARACTERS = 200  # the most characters of a question that an answer repeats

Grade = Callable[[], Reply]


def fitting(grades: Sequence[Grade], budget: int) -> Reply:
    """The first of ``grades`` that fits into ``budget``; they go from the whole answer to its counts.

    A grade that leaves something out says so in a note. The last grade is cut between lines if need be.
    """
    for grade in grades:
        reply = grade()
        if _load(reply, budget) <= 1:
            return reply
    return replace(reply, text=whole_lines(reply.text, budget))


def _load(reply: Reply, budget: int) -> float:
    """The part of ``budget`` that a reply takes; more than 1 does not fit."""
    text = len(reply.text)
    if not (reply.always or wants_objects()):
        return text / budget
    return max(text, len(json_bytes(reply.structured)) / _STRUCTURED) / budget


def most_that_fit(grade: Callable[[int], Reply], count: int, budget: int, *, least: int) -> Reply:
    """The reply of ``grade`` with as many of ``count`` items as fit, but with ``least`` at least.

    Making a reply takes longer than all else, so each try is where the line through the last two would fit.
    """
    best = grade(count)
    if (too_much := _load(best, budget)) <= 1 or count <= least:
        return best
    most, load, over = least, 0.0, count
    best = grade(least)
    while over - most > 1:
        guess = most + int((over - most) * (1 - load) / (too_much - load))
        tried = min(max(guess, most + 1), over - 1)
        reply = grade(tried)
        now = _load(reply, budget)
        if now <= 1:
            most, load, best = tried, now, reply
        else:
            over, too_much = tried, now
    return best


def budget_of(arguments: Mapping[str, Any]) -> int:
    """The number of characters that the answer may have."""
    return min(int(arguments.get("max_chars", DEFAULT_BUDGET)), MOST_BUDGET)


def not_found(answer: NotFound, budget: int, asked: str) -> Reply:
    """The reply when the name ``asked`` was not found, with what the catalog has of it.

    It is an answer, not a failure.
    """
    answer = with_elsewhere(answer, asked)
    short = shortened_negative(answer)
    grades = (answer, replace(short, suggestions=answer.suggestions, elsewhere=answer.elsewhere), short)
    return fitting([partial(_negative, grade) for grade in grades], budget)


def _negative(answer: NotFound) -> Reply:
    return Reply(not_found_text(answer), answer)


def shortened_negative(answer: NotFound) -> NotFound:
    """``answer`` without suggestions and what is elsewhere, and with the name in its message shortened."""
    reason = shortened(answer.reason) if answer.reason else None
    return replace(answer, message=shortened(answer.message), reason=reason, suggestions=[], elsewhere=None)


def shortened(text: str, most: int = _ECHO_CHARACTERS) -> str:
    """``text`` within ``most`` characters: a longer text loses its middle.

    For messages that repeat a question, which may be of any length and whose end carries the reason.
    """
    shown = shown_name(text)
    if len(shown) <= most:
        return text
    tail = most * 2 // 5
    return f"{shown[: most - tail - 3]}...{shown[-tail:]}"


def whole_lines(text: str, budget: int) -> str:
    """As many lines of ``text`` as fit, but always the first, then a line with the number of lines cut."""
    if len(text) <= budget:
        return text
    first, *others = text.split("\n")
    lines = [first if len(first) <= budget - _COUNT_CHARACTERS else shortened(first), *others]
    if not others:
        return lines[0]
    kept, room = 1, budget - len(lines[0]) - _COUNT_CHARACTERS
    while kept < len(lines) and len(lines[kept]) + 1 <= room:
        room -= len(lines[kept]) + 1
        kept += 1
    cut = len(lines) - kept
    return "\n".join([*lines[:kept], f"... and {counted(cut, 'more line')}"])


def left_out(what: str, budget: int) -> str:
    """The note that ``what``, which includes a verb, was left out."""
    return f"{what} left out to stay within max_chars={budget}."


def counts_reply(
    heading: str, question: str, noun: str, counted_by: str, counts: Counter[str], hint: str, budget: int
) -> Reply:
    """The reply with ``counts`` by name, the largest first, in as many lines as fit.

    ``heading`` is the first line of the text, ``noun`` is what is counted, and ``hint`` says how to get the
    answer itself.
    """
    first = [shortened(heading), "", f"Too long for max_chars={budget}. Number of {noun} by {counted_by}:"]
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
    others = len(counts) - len(shown)
    more = [f"  ... and {others} more"] if others else []
    answer = CountsAnswer(
        question=shortened(question),
        total=counts.total(),
        counted_by=counted_by,
        counts=shown,
        left_out=others,
        hint=hint,
    )
    return Reply("\n".join([*first, *lines, *more, last]), answer)
