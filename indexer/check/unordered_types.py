"""Types that differ only in the order of their alternatives or keyword arguments, which are equal.

SBCL orders the parts of OR, AND and MEMBER by hashes that differ from image to image, and keeps one list of
each set of keyword arguments, in the order in which the image had them first: two images may print one
derived type in two ways (SBCL 2.6).
"""

from __future__ import annotations

import re
from itertools import chain

_TOKEN = re.compile(r'[()]|"(?:[^"\\]|\\.)*"|(?:\\.|\|(?:[^|\\]|\\.)*\||[^\s()"])+', re.DOTALL)
_UNORDERED = {"OR", "AND", "MEMBER"}
_KEYWORDS_FOLLOW = "&KEY"
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
            lists[-2:] = [[*lists[-2], f"({' '.join(_sorted(lists[-1]))})"]]
        else:
            lists[-1].append(part)
    return " ".join(chain.from_iterable(lists))


def _sorted(parts: list[str]) -> list[str]:
    """The parts of a list, those from which on their order says nothing sorted."""
    if parts and parts[0] in _UNORDERED:
        ordered = 1
    elif _KEYWORDS_FOLLOW in parts:
        ordered = parts.index(_KEYWORDS_FOLLOW) + 1
    else:
        ordered = len(parts)
    return parts[:ordered] + sorted(parts[ordered:])
