"""Split Lisp text into lexemes, without a Lisp; pure.

The rules are the standard readtable's (CLHS 2.2 to 2.4). Nothing is read, interned or
evaluated: a lexeme is a piece of the text and its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_CONSTITUENT = r"""(?:[^\s()"';`,\\|]|\\.|\|(?:[^|\\]|\\.)*\|)"""
_LEXEME = re.compile(
    rf"""
      (?P<space>\s+|;[^\n]*)
    | (?P<block>\#\|)
    | (?P<string>"(?:[^"\\]|\\.)*"?)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<character>\#\\.{_CONSTITUENT}*)
    | (?P<uninterned>\#:{_CONSTITUENT}*)
    | (?P<feature>\#[+-])
    | (?P<number>\#\d*[xXbBoOrR]{_CONSTITUENT}*|\#\d*\*[01]*|\#\d+[=\#])
    | (?P<quote>'|`|,[@.]?|\#\d*[^\s()|";]|\#\d*)
    | (?P<symbol>{_CONSTITUENT}+)
    | (?P<stray>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_BLOCK_EDGE = re.compile(r"\#\||\|\#")
_NUMBER = re.compile(
    r"[+-]?(\d+\.?|\d+/\d+|\d*\.\d+([esfdl][+-]?\d+)?|\d+(\.\d*)?[esfdl][+-]?\d+)|\.+", re.IGNORECASE
)
_SILENT = ("space", "block")


class Lexeme(NamedTuple):
    """A piece of text: symbol, string, character, number, open, close, quote, feature, stray."""

    kind: str
    text: str
    start: int


def lexemes(text: str) -> Iterator[Lexeme]:
    """Yield the lexemes of ``text`` in order, without white space and comments."""
    position = 0
    while position < len(text):
        match = _LEXEME.match(text, position)
        assert match is not None and match.lastgroup is not None  # a stray is any character
        kind, position = match.lastgroup, match.end()
        if kind == "block":
            position = _block_end(text, position)
        if kind in _SILENT:
            continue
        if kind == "symbol" and _NUMBER.fullmatch(match[0]):
            kind = "number"
        yield Lexeme(kind, match[0], match.start())


def _block_end(text: str, position: int) -> int:
    """Return where the block comment that began before ``position`` ends; block comments nest."""
    depth = 1
    while depth:
        edge = _BLOCK_EDGE.search(text, position)
        if edge is None:
            return len(text)
        depth += 1 if edge[0] == "#|" else -1
        position = edge.end()
    return position


def symbols(text: str) -> list[str]:
    """Return the symbols in ``text``, as written there, each once.

    The symbols of feature expressions (``#+sbcl``) are left out: they are not part of what is read.
    """
    found: dict[str, None] = {}
    skipping, depth = False, 0
    for lexeme in lexemes(text):
        if lexeme.kind == "feature":
            skipping = True
        elif not skipping:
            if lexeme.kind == "symbol":
                found[lexeme.text] = None
        else:
            depth += (lexeme.kind == "open") - (lexeme.kind == "close")
            skipping = depth > 0
    return list(found)


def items(text: str) -> list[str]:
    """Return the items of a printed list: three for ``(A (EQL 5) T)``, none for anything but a list."""
    found, depth, start = [], 0, None
    for lexeme in lexemes(text):
        if lexeme.kind == "close":
            depth -= 1
        if depth == 1 and lexeme.kind == "close":
            found.append(text[start : lexeme.start + 1])
            start = None
        elif depth >= 1:
            start = lexeme.start if start is None else start
            if depth == 1 and lexeme.kind not in ("open", "quote"):
                found.append(text[start : lexeme.start + len(lexeme.text)])
                start = None
        if lexeme.kind == "open":
            depth += 1
    return found


def lower_symbols(text: str) -> str:
    """Return printed Lisp with its symbols in lower case, except inside pipes and strings."""
    pieces, end = [], 0
    for kind, piece, start in lexemes(text):
        plain = kind == "symbol" and piece.isascii() and "|" not in piece and "\\" not in piece
        pieces += [text[end:start], piece.lower() if plain else piece]
        end = start + len(piece)
    return "".join(pieces) + text[end:]
