"""Keys of atoms: two texts of atoms have equal keys if the standard reader makes equal objects of them.

Equal is what is EQL, and strings with the same characters; the packages of symbols do not count.
"""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Hashable
from fractions import Fraction

from ..names.literals import string_value
from ..tokens import KEYWORD, Tokens, is_number

ObjectKey = tuple[Hashable, ...]
_RADIXES = {"b": 2, "o": 8, "x": 16}
_LAST_RADIX = 36
_EXPONENTS = "esfdl"
_DOUBLE = "dl"
# CLHS 13.1.7, and the names by which SBCL knows them besides those of Unicode.
_CHARACTERS = {
    **{"space": " ", "newline": "\n", "linefeed": "\n", "tab": "\t", "page": "\f", "return": "\r"},
    **{"backspace": "\b", "rubout": "\x7f", "delete": "\x7f", "del": "\x7f", "nul": "\0", "null": "\0"},
    **{"escape": "\x1b", "esc": "\x1b", "bel": "\a", "bell": "\a"},
}


class UnreadableError(ValueError):
    """The text has no object that can be told without a Lisp."""


def atom_key(text: str, tokens: Tokens) -> ObjectKey:
    """Return the key of the object that the atom ``text`` is; raises UnreadableError."""
    if text[0] == '"':
        return "string", string_value(text)
    if text[0] == "#":
        return _sharp_key(text, tokens)
    if is_number(text):
        return ("dots", text) if text.strip(".") == "" else _number_key(text)
    token = tokens.symbol(text)
    if token is None:
        raise UnreadableError(text)
    return symbol_key(token.name, keyword=token.package == KEYWORD)


def symbol_key(name: str, *, keyword: bool = False) -> ObjectKey:
    """Return the key of a symbol."""
    return "keyword" if keyword else "symbol", name


def _sharp_key(text: str, tokens: Tokens) -> ObjectKey:
    if text.startswith("#\\"):
        return "character", _character(text[2:])
    if text.startswith("#:"):
        token = tokens.symbol(text[2:]) if text[2:] else None
        if token is None or token.package is not None:
            raise UnreadableError(text)
        return symbol_key(token.name)
    if text.startswith("#*"):
        return "bits", text[2:]
    return _radix_key(text)


def _character(name: str) -> str:
    """Return the character of this name; a name that is not known here, in lower case."""
    if len(name) == 1:
        return name
    if name.lower() in _CHARACTERS:
        return _CHARACTERS[name.lower()]
    try:
        return unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return name.lower()


def _radix_key(text: str) -> ObjectKey:
    """Return the key of a rational such as ``#xFF`` or ``#36rZ/2``."""
    letter = next((one for one in text[1:].lower() if not one.isdigit()), "")
    radix_digits, _, digits = text[1:].lower().partition(letter or "#")
    try:
        radix = int(radix_digits) if letter == "r" else _RADIXES[letter]
        if not 1 < radix <= _LAST_RADIX or "_" in digits or digits != digits.strip():
            raise UnreadableError(text)
        numerator, slash, denominator = digits.partition("/")
        return _rational_key(int(numerator, radix), int(denominator, radix) if slash else 1)
    except (KeyError, ValueError, ZeroDivisionError) as error:
        raise UnreadableError(text) from error


def _number_key(text: str) -> ObjectKey:
    """Return the key of a number in decimal notation."""
    text = text.lower()
    marker = next((one for one in text if one in _EXPONENTS), "")
    try:
        if not marker and "." not in text.removesuffix("."):
            numerator, slash, denominator = text.removesuffix(".").partition("/")
            return _rational_key(int(numerator), int(denominator) if slash else 1)
        value = float(text.replace(marker, "e") if marker else text)
        if marker and marker in _DOUBLE:
            return "double-float", repr(value)  # which tells -0.0 from 0.0
        (single,) = struct.unpack("f", struct.pack("f", value))
        return "single-float", repr(single)
    except (ValueError, ZeroDivisionError, OverflowError) as error:
        raise UnreadableError(text) from error


def _rational_key(numerator: int, denominator: int) -> ObjectKey:
    return "rational", Fraction(numerator, denominator)
