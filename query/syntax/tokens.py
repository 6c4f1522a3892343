"""Tokens as the standard reader interprets them (CLHS 2.2, 2.3): numbers, keywords, qualified symbols."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

# Decimal integers, ratios and floats (CLHS 2.3.1), and tokens of dots only (2.3.3).
_NUMBER = re.compile(
    r"[+-]?(?:\d+\.?|\d+/\d+|\d*\.\d+(?:[esfdl][+-]?\d+)?|\d+(?:\.\d*)?[esfdl][+-]?\d+)|\.+", re.IGNORECASE
)
_PARTS = re.compile(
    r"(?P<plain>[^:|\\]+)|(?P<colons>:+)|\\(?P<one>.)|\|(?P<many>(?:[^|\\]|\\.)*)\|", re.DOTALL
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)

KEYWORD = "KEYWORD"
_MOST_KNOWN = 500_000


def is_number(token: str) -> bool:
    """Return whether a token is a number, or consists of dots only."""
    return _NUMBER.fullmatch(token) is not None


class SymbolToken(NamedTuple):
    """A symbol as named by a token: ``package`` is None without a prefix, ``colons`` is 0, 1 or 2."""

    package: str | None
    colons: int
    name: str


class Tokens:
    """A cache of parsed tokens.

    ``upcase`` upcases as the indexed image does (``CaseFolding.upcase``).
    """

    def __init__(self, upcase: Callable[[str], str]) -> None:
        self._upcase = upcase
        self._known: dict[str, SymbolToken | None] = {}

    def symbol(self, text: str) -> SymbolToken | None:
        """Return the symbol that the token names; None for a number, a dot, or an invalid token."""
        try:
            return self._known[text]
        except KeyError:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            token = self._known[text] = self._taken_apart(text)
            return token

    def cased(self, text: str) -> str:
        """Return ``text`` as it appears in a symbol's name: normalized to NFKC and upcased, as SBCL does."""
        return text.upper() if text.isascii() else self._upcase(text)

    def _taken_apart(self, text: str) -> SymbolToken | None:
        first = text[0]
        if first in '"#' or (not first.isalpha() and is_number(text)):
            return None
        if "|" in text or "\\" in text:
            return self._with_escapes(text)
        if ":" not in text:
            return SymbolToken(None, 0, self.cased(text))
        package, _, name = text.partition(":")
        colons = 1
        if name.startswith(":"):
            colons, name = 2, name[1:]
        if not name or ":" in name or (not package and colons == 2):
            return None
        return SymbolToken(self.cased(package) if package else KEYWORD, colons, self.cased(name))

    def _with_escapes(self, text: str) -> SymbolToken | None:
        """Parse a token with backslashes or pipes (CLHS 2.1.4.5, 2.1.4.6, 2.2)."""
        parts, colons, position = [""], 0, 0
        while position < len(text):
            match = _PARTS.match(text, position)
            if match is None:
                return None
            position = match.end()
            if match["colons"]:
                if colons or len(match["colons"]) > 2:
                    return None
                colons = len(match["colons"])
                parts.append("")
            elif match["plain"]:
                parts[-1] += self.cased(match["plain"])
            else:
                parts[-1] += match["one"] or _ESCAPED.sub(r"\1", match["many"] or "")
        if not colons:
            return SymbolToken(None, 0, parts[0])
        if not parts[0] and colons == 2:
            return None
        return SymbolToken(parts[0] or KEYWORD, colons, parts[1])
