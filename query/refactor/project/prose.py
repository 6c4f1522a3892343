"""Names in text that is not code: comments, strings and documents."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from ...check.files import is_document
from ...syntax.lexemes import lexemes
from .texts import ProjectText

_BEFORE, _AFTER = r"(?<![\w*+%$&!?<>=/.:-])", r"(?![\w*+%$&!?<>=/-])"


def prose_names(one: ProjectText, name: str) -> Iterator[tuple[int, str]]:
    """Yield where a text that is not code has a name, as it is written there.

    A string that is just the name is left out: it may be a designator.
    """
    code = [] if is_document(one.path) else _code(one.text)
    starts = [start for start, _ in code]
    for match in re.finditer(f"{_BEFORE}{re.escape(name)}{_AFTER}", one.text, re.IGNORECASE):
        number = bisect_right(starts, match.start()) - 1
        in_code = number >= 0 and code[number][0] <= match.start() < code[number][1]
        around = one.text[match.start() - 1 : match.start()] + one.text[match.end() : match.end() + 1]
        if not in_code and around != '""':
            yield match.start(), match[0]


def _code(text: str) -> list[tuple[int, int]]:
    """The extents of what is read, but for strings."""
    return [(start, start + len(piece)) for kind, piece, start in lexemes(text) if kind != "string"]
