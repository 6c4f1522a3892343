"""Types that differ only in the order of their alternatives, which are equal.

SBCL orders the parts of OR, AND and MEMBER by hashes that differ from image to image, so two images may print
one derived type in two ways (SBCL 2.6).
"""

from __future__ import annotations

import re
from itertools import chain

_TOKEN = re.compile(r'[()]|"(?:[^"\\]|\\.)*"|(?:\\.|\|(?:[^|\\]|\\.)*\||[^\s()"])+', re.DOTALL)
_UNORDERED = {"OR", "AND", "MEMBER"}
_FUNCTION_TYPE = "(FUNCTION "


def in_any_order(value: object) -> object:
    """Return the text of a function type with unordered parts sorted; any other value as it is."""
    if not isinstance(value, str) or not value.startswith(_FUNCTION_TYPE):
        return value
    lists: list[list[str]] = [[]]
    for part in _TOKEN.findall(value):
        if part == "(":
            lists.append([])
        elif part == ")" and len(lists) > 1:
            head, *rest = lists.pop() or [""]
            rest = sorted(rest) if head in _UNORDERED else rest
            lists[-1].append(f"({' '.join([head, *rest])})")
        else:
            lists[-1].append(part)
    return " ".join(chain.from_iterable(lists))
