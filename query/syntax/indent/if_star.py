"""The lines of IF*, which is not standard: its keywords end in one column, and forms follow them."""

from __future__ import annotations

import re

from .place import LinePlace

_KEYWORD = re.compile(r"elseif|then|else", re.IGNORECASE)
_FORM = re.compile(r"#'|'|\(")
_KEYWORDS_END = 7


def if_star_column(place: LinePlace) -> int:
    """The column for a line within a form of IF*."""
    keyword = _KEYWORD.match(place.text, place.at)
    if keyword is not None:
        return place.base + _KEYWORDS_END - len(keyword[0])
    first = place.past_word(place.inner.open)
    last = place.done[-1].start
    at = max(place.line_start(last), first)
    if _KEYWORD.match(place.text, at):
        at, in_body = place.past_word(at), True
    else:
        in_body = _FORM.match(place.text, at) is not None
    if place.starts_with(";") and not in_body:
        return place.column(first)
    return place.column(at if in_body else last)
