"""Take printed Lisp apart: lists, symbols, and lambda lists, as an index stores them; pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

from oblist.indexer.names import lowered

from .features import Features
from .lambda_list import KEY, OPTIONAL, REQUIRED, REST, LambdaList, read_lambda_list
from .lexemes import lexemes
from .tokens import Tokens

# Printed symbols are in upper case already, or in pipes; Python would change the letter in STRAßE.
_TOKENS = Tokens(str)
_NO_FEATURES = Features("", _TOKENS)
_Case = Callable[[str], str]


_NOT_PLAIN = re.compile(r"""["'`,;|#\\\\]""")
_PLAIN_PIECE = re.compile(r"[()]|[^\s()]+")


def items(text: str) -> list[str]:
    """Return the items of a printed list: three for ``(A (EQL 5) T)``, none for anything but a list."""
    if _NOT_PLAIN.search(text) is None:
        return _plain_items(text)
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


def _plain_items(text: str) -> list[str]:
    """Do as ``items`` does for a text of parentheses and symbols only, in a third of the time."""
    found, depth, start = [], 0, 0
    for piece in _PLAIN_PIECE.finditer(text):
        if piece[0] == "(":
            start = piece.start() if depth == 1 else start
            depth += 1
        elif piece[0] == ")":
            depth -= 1
            if depth == 1:
                found.append(text[start : piece.end()])
        elif depth == 1:
            found.append(piece[0])
    return found


def with_symbols(text: str, change: Callable[[str], str]) -> str:
    """Return printed Lisp with ``change`` applied to each of its symbols."""
    pieces, end = [], 0
    for kind, piece, start in lexemes(text):
        pieces += [text[end:start], change(piece) if kind == "symbol" else piece]
        end = start + len(piece)
    return "".join(pieces) + text[end:]


def lower_symbols(text: str, upcase: _Case) -> str:
    """Return printed Lisp with its symbols in lower case, except inside pipes and strings.

    ``upcase`` is the index's: only what the reader folds back is changed.
    """
    return _lower_ascii(text) if text.isascii() else with_symbols(text, partial(_lower, upcase))


@lru_cache(maxsize=4096)
def _lower_ascii(text: str) -> str:
    return with_symbols(text, partial(_lower, str.upper))


def _lower(upcase: _Case, symbol: str) -> str:
    return symbol if "|" in symbol or "\\" in symbol else lowered(symbol, upcase)


_PREFIXES = {"quote": "'", "function": "#'"}
_QUOTATION = 2  # the items of a list that has a prefix for it
_DEFAULTS = 2  # the depth of a default form: in the list of a parameter in the lambda list


def as_typed(text: str, upcase: _Case, *, lambda_list: bool = False) -> str:
    """Return a printed form as one writes it: ``'request`` for ``(QUOTE REQUEST)``, in lower case.

    ``upcase`` is the index's. In a lambda list, ``(FUNCTION LIST)`` may be parameters: there, only default
    forms are rewritten.
    """
    pieces = list(lexemes(lower_symbols(text, upcase)))
    # For each open list: its parenthesis, its items, and whether QUOTE and FUNCTION are operators in it.
    outermost: tuple[str, list[str], bool] = ("", [], not lambda_list)
    stack = [outermost]
    prefix = ""
    for kind, piece, _ in pieces:
        if kind == "quote":
            prefix += piece
        elif kind == "open":
            above = stack[-1]
            is_form = above[2] or (lambda_list and len(stack) > _DEFAULTS and bool(above[1]))
            stack.append((prefix + piece, [], is_form))
            prefix = ""
        elif kind == "close" and len(stack) > 1:
            begin, found, is_form = stack.pop()
            stack[-1][1].append(_list_as_typed(begin, found, is_form=is_form))
        else:
            stack[-1][1].append(prefix + piece)
            prefix = ""
    return " ".join(outermost[1]) if len(stack) == 1 and not prefix else lower_symbols(text, upcase)


def _list_as_typed(begin: str, found: list[str], *, is_form: bool) -> str:
    if is_form and begin.endswith("(") and not begin.endswith("#(") and len(found) == _QUOTATION:
        short = _PREFIXES.get(found[0])
        if short is not None:
            return f"{begin[:-1]}{short}{found[1]}"
    return f"{begin}{' '.join(found)})"


def printed_lambda_list(text: str) -> LambdaList:
    """Return the lambda list printed as ``text``; for a malformed one, as much as could be parsed."""
    return read_lambda_list(text, _TOKENS, _NO_FEATURES, partial=True) or LambdaList()


class ArgumentTypes(NamedTuple):
    """The types of the arguments in a FUNCTION type specifier; those of keywords by keyword, ``:TEST``."""

    required: list[str]
    optional: list[str]
    rest: str | None
    keywords: dict[str, str]


def argument_types(text: str) -> ArgumentTypes:
    """Return the types in a printed list of argument types (CLHS FUNCTION, system class).

    It looks like a lambda list, but ``(OR STRING NULL)`` after &optional is a type, not a parameter OR.
    """
    found: dict[str, list[str]] = {section: [] for section in (REQUIRED, OPTIONAL, REST, KEY)}
    section = REQUIRED
    for item in items(text):
        if item.startswith("&"):
            section = item if item in found else section
        else:
            found[section].append(item)
    rest = found[REST][0] if found[REST] else None
    keywords = dict(items(one)[:2] for one in found[KEY])
    return ArgumentTypes(found[REQUIRED], found[OPTIONAL], rest, keywords)


_STANDARD = "common-lisp:"


def bare_standard(text: str) -> str:
    """Return names as one types them with those of the standard bare: ``(setf car)``, ``t``, ``foo:bar``."""
    return with_symbols(text, _bare) if _STANDARD in text else text


def _bare(symbol: str) -> str:
    is_standard = symbol.startswith(_STANDARD) and not symbol.startswith(f"{_STANDARD}:")
    return symbol.removeprefix(_STANDARD) if is_standard else symbol


def double_colon(symbol: str) -> str:
    """A symbol as printed, with two colons after its package; unchanged if it has no package or has pipes."""
    package, colon, name = symbol.partition(":")
    return f"{package}::{name.lstrip(':')}" if package and colon and "|" not in symbol else symbol
