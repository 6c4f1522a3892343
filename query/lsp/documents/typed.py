"""What is being typed at a place in a text: a symbol, or part of a string, a comment or a character."""

from __future__ import annotations

from typing import NamedTuple

from ...syntax.lexemes import lexemes, tokens_in


class Typed(NamedTuple):
    """The beginning of a symbol, which ends where the cursor is; whether a parenthesis is right before it.

    It may be empty: then nothing has been typed yet.
    """

    start: int
    text: str
    operator: bool


def typed_at(text: str, offset: int, begin: int) -> Typed | None:
    """Return the symbol that ends at ``offset``; None in strings, comments and characters.

    ``begin`` is the start of the toplevel form around it; outside of forms, of its line.
    """
    line = text.rfind("\n", 0, offset) + 1
    found = next((span for span in tokens_in(text, line) if span[0] < offset <= span[1]), None)
    start = offset if found is None else found[0]
    if found is not None and text[start] == "#":
        return None
    if not _is_code(text[begin:offset], typed=found is not None):
        return None
    quoted = start > 1 and text[start - 2] == "'"
    return Typed(start, text[start:offset], text[start - 1 : start] == "(" and not quoted)


def _is_code(before: str, *, typed: bool) -> bool:
    """Whether a text ends in code: with a symbol, if one is ``typed`` there."""
    kind, end = "", 0
    for one in lexemes(before):
        kind, end = one.kind, one.start + len(one.text)
    if typed:
        return kind == "symbol" and end == len(before)
    rest = before[end:]
    return kind != "stray" and "#|" not in rest and ";" not in rest.rpartition("\n")[2]
