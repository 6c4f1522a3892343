"""A hover as a marker has it: without Markdown's fences."""

from __future__ import annotations

import re

from support.markers.asking import Asking
from support.markers.notation import Question

_FENCE = re.compile(r"`{3,}")
_AT_LENGTH = ("- ", "Type: ")


def hover_lines(asking: Asking, question: Question, *, briefly: bool) -> list[str]:
    """The lines of a hover; briefly, without types and definitions, and one line of documentation."""
    answer = asking.at(question, "textDocument/hover")
    if answer is None:
        return []
    lines: list[str] = []
    fenced = first = False
    for line in answer["contents"]["value"].split("\n"):
        if _FENCE.match(line):
            fenced = first = not fenced
        elif fenced:
            if first or not briefly:
                lines.append(line)
            first = False
        elif line and not (briefly and line.startswith(_AT_LENGTH)):
            lines.append(asking.shown.message(line))
    # The line that binds a local name is shown already.
    lines = [one.replace(f"on line «{lines[0]}»", "on that line") for one in lines]
    position, range_ = asking.position(question), answer["range"]
    start, end = ((range_[one]["line"], range_[one]["character"]) for one in ("start", "end"))
    inside = start <= (position.line, position.character) <= end
    return lines if inside else [f"at {asking.shown.cut(asking.uri, range_)}", *lines]
