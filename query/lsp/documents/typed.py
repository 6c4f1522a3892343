"""What is being typed at a place in a text: a symbol, or part of a string, a comment or a character."""

from __future__ import annotations

from typing import NamedTuple

from ...syntax.lexemes import lexemes, tokens_in


class Typed(NamedTuple):
    """The beginning of a symbol, which ends where the cursor is; whether a parenthesis is right before it."""

    start: int
    text: str
    operator: bool


def typed_at(text: str, offset: int, begin: int) -> Typed | None:
    """Return the symbol that ends at ``offset``; None in strings, comments and characters, and without one.

    ``begin`` is the start of the toplevel form around it; outside of forms, of its line.
    """
    line = text.rfind("\n", 0, offset) + 1
    found = next((span for span in tokens_in(text, line) if span[0] < offset <= span[1]), None)
    if found is None or text[found[0]] == "#" or not _is_code(text[begin:offset]):
        return None
    start = found[0]
    quoted = start > 1 and text[start - 2] == "'"
    return Typed(start, text[start:offset], text[start - 1 : start] == "(" and not quoted)


def closed(text: str) -> str:
    """Return a text that ends within forms, with these closed."""
    depth = 0
    for one in lexemes(text):
        depth = max(0, depth + (one.kind == "open") - (one.kind == "close"))
    return text + ")" * depth


def _is_code(before: str) -> bool:
    """Whether the end of a text is in no string, no comment and no character."""
    last = None
    for one in lexemes(before):
        last = one
    if last is None or last.start + len(last.text) < len(before):
        return False
    return last.kind == "symbol"
