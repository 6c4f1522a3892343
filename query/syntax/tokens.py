"""Tokens as the standard reader interprets them (CLHS 2.2, 2.3): numbers, keywords, qualified symbols."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple
from unicodedata import normalize

from oblist.indexer.names import lowered

# Decimal integers, ratios and floats (CLHS 2.3.1), and tokens of dots only (2.3.3).
_NUMBER = re.compile(
    r"[+-]?(?:\d+\.?|\d+/\d+|\d*\.\d+(?:[esfdl][+-]?\d+)?|\d+(?:\.\d*)?[esfdl][+-]?\d+)|\.+", re.IGNORECASE
)
_PARTS = re.compile(
    r"(?P<plain>[^:|\\]+)|(?P<colons>:+)|\\(?P<one>.)|\|(?P<many>(?:[^|\\]|\\.)*)\|", re.DOTALL
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)

KEYWORD = "KEYWORD"
# The values of READTABLE-CASE (CLHS 23.1.2).
CASES = UPCASE, INVERT, PRESERVE, DOWNCASE = "upcase", "invert", "preserve", "downcase"
_MOST_KNOWN = 500_000


def is_number(token: str) -> bool:
    """Return whether a token is a number, or consists of dots only."""
    return _NUMBER.fullmatch(token) is not None


class SymbolToken(NamedTuple):
    """A symbol as named by a token: ``package`` is None without a prefix, ``colons`` is 0, 1 or 2."""

    package: str | None
    colons: int
    name: str


class _Stretch(NamedTuple):
    """A part of a token that is escaped, or one that is not."""

    text: str
    escaped: bool = False


class Tokens:
    """A cache of parsed tokens.

    ``upcase`` upcases as the indexed image does (``CaseFolding.upcase``). ``case`` is the READTABLE-CASE by
    which tokens are read.
    """

    def __init__(self, upcase: Callable[[str], str], case: str = UPCASE) -> None:
        self._upcase = upcase
        self.case = case
        self._known: dict[str, SymbolToken | None] = {}
        self._others: dict[str, Tokens] = {}

    def in_case(self, case: str) -> Tokens:
        """Return the cache of tokens that are read by another READTABLE-CASE."""
        if case == self.case:
            return self
        if case not in self._others:
            self._others[case] = Tokens(self._upcase, case)
        return self._others[case]

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
        """Return ``text`` as the standard reader has it in a symbol's name: upcased, in form NFKC."""
        return text.upper() if text.isascii() else self._upcase(text)

    def _taken_apart(self, text: str) -> SymbolToken | None:
        first = text[0]
        if first in '"#' or (not first.isalpha() and is_number(text)):
            return None
        if "|" in text or "\\" in text:
            return self._with_escapes(text)
        if ":" not in text:
            return SymbolToken(None, 0, self._read(text))
        package, _, name = text.partition(":")
        colons = 1
        if name.startswith(":"):
            colons, name = 2, name[1:]
        if not name or ":" in name or (not package and colons == 2):
            return None
        return SymbolToken(self._read(package) if package else KEYWORD, colons, self._read(name))

    def _with_escapes(self, text: str) -> SymbolToken | None:
        """Parse a token with backslashes or pipes (CLHS 2.1.4.5, 2.1.4.6, 2.2)."""
        colons, position = 0, 0
        parts: list[list[_Stretch]] = [[]]
        while position < len(text):
            match = _PARTS.match(text, position)
            if match is None:
                return None
            position = match.end()
            if match["colons"]:
                if colons or len(match["colons"]) > 2:
                    return None
                colons = len(match["colons"])
                parts.append([])
            elif match["plain"]:
                parts[-1].append(_Stretch(match["plain"]))
            else:
                kept = match["one"] or _ESCAPED.sub(r"\1", match["many"] or "")
                parts[-1].append(_Stretch(kept, escaped=True))
        names = list(map(self._joined, parts))
        if not colons:
            return SymbolToken(None, 0, names[0])
        if not names[0] and colons == 2:
            return None
        return SymbolToken(names[0] or KEYWORD, colons, names[1])

    def _read(self, text: str) -> str:
        """Return the name of a package or symbol that is written without escapes."""
        return self.cased(text) if self.case == UPCASE else self._joined([_Stretch(text)])

    def _joined(self, stretches: Sequence[_Stretch]) -> str:
        """Return the name of a package or symbol that consists of these stretches of a token."""
        change = self._change([one.text for one in stretches if not one.escaped])
        return "".join(one.text if one.escaped else change(one.text) for one in stretches)

    def _change(self, texts: list[str]) -> Callable[[str], str]:
        """Return how to read each of the ``texts``, what is not escaped in a name."""
        if self.case == UPCASE:
            return self.cased
        if self.case == DOWNCASE:
            return self._downcased
        if self.case == INVERT:
            written = "".join(map(_normalized, texts))
            if written == self.cased(written):
                return self._downcased
            if written == self._downcased(written):
                return self.cased
        return _normalized

    def _downcased(self, text: str) -> str:
        return "".join(lowered(char, self._upcase) for char in _normalized(text))


def _normalized(text: str) -> str:
    return normalize("NFKC", text)
