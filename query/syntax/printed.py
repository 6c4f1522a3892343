"""Take printed Lisp apart: lists, symbols, and lambda lists, as an index stores them; pure."""

from __future__ import annotations

from collections.abc import Callable

from .features import Features
from .lambda_list import LambdaList, read_lambda_list
from .lexemes import lexemes
from .tokens import Tokens

# Printed symbols are in upper case already, or in pipes, so this changes nothing.
_TOKENS = Tokens(str.upper)
_NO_FEATURES = Features("", _TOKENS)


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


def with_symbols(text: str, change: Callable[[str], str]) -> str:
    """Return printed Lisp with ``change`` applied to each of its symbols."""
    pieces, end = [], 0
    for kind, piece, start in lexemes(text):
        pieces += [text[end:start], change(piece) if kind == "symbol" else piece]
        end = start + len(piece)
    return "".join(pieces) + text[end:]


def lower_symbols(text: str) -> str:
    """Return printed Lisp with its symbols in lower case, except inside pipes and strings."""
    return with_symbols(text, _lower)


def _lower(symbol: str) -> str:
    plain = symbol.isascii() and "|" not in symbol and "\\" not in symbol
    return symbol.lower() if plain else symbol


def printed_lambda_list(text: str) -> LambdaList:
    """Return the lambda list printed as ``text``; for a malformed one, as much as could be parsed."""
    return read_lambda_list(text, _TOKENS, _NO_FEATURES, partial=True) or LambdaList()
