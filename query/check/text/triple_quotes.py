"""Strings in three quotes, as pythonic-string-reader and others read them, written as standard strings."""

from __future__ import annotations

import re

_CUSTOM = re.compile(r"\(\s*(?:[\w-]+:)?in-readtable\b", re.IGNORECASE)
_QUOTES = '"""'
_STRING = re.compile(r'"""(.*?)"""', re.DOTALL)
_SPECIAL = re.compile(r'[\\"]')


def without_triple_quotes(text: str) -> str:
    """``text`` with its strings in three quotes as standard ones of the same length.

    Only in a file that says that it has a readtable of its own; elsewhere it is two strings.
    """
    if _QUOTES not in text or _CUSTOM.search(text) is None:
        return text
    return _STRING.sub(lambda match: f'"  {_SPECIAL.sub(" ", match[1])}  "', text)
