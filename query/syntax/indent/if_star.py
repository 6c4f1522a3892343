"""The lines of IF*, which is not standard: its keywords end in one column, and forms follow them."""

from __future__ import annotations

import re

from .place import LinePlace

_KEYWORD = re.compile(r"elseif|then|else", re.IGNORECASE)
_FORM = re.compile(r"#'|'|\(")
_WORD = re.compile(r"[^\w\n]*\w+[ \t]*")
_KEYWORDS_END = 7


def if_star_column(place: LinePlace) -> int:
    """The column for a line within a form of IF*."""
    keyword = _KEYWORD.match(place.text, place.at)
    if keyword is not None:
        return place.base + _KEYWORDS_END - len(keyword[0])
    first = _past_word(place.text, place.inner.open)
    last = place.done[-1].start
    at = max(_line_start(place.text, last), first)
    if _KEYWORD.match(place.text, at):
        at, in_body = _past_word(place.text, at), True
    else:
        in_body = _FORM.match(place.text, at) is not None
    if place.starts_with(";") and not in_body:
        return place.column(first)
    return place.column(at if in_body else last)


def _past_word(text: str, at: int) -> int:
    found = _WORD.match(text, at)
    return found.end() if found is not None else at


def _line_start(text: str, at: int) -> int:
    """The offset of the first character on a line that is not blank."""
    start = text.rfind("\n", 0, at) + 1
    while start < len(text) and text[start] in " \t":
        start += 1
    return start
