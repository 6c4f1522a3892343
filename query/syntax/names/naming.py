"""What an atom names in the package that it is read in."""

from __future__ import annotations

from ..tokens import KEYWORD as KEYWORDS
from ..tokens import SymbolToken, Tokens
from .literals import string_value
from .meanings import LISP, NO_FACTS, Meanings, NamedSymbol, Symbol, SymbolFacts

SYMBOL, KEYWORD, UNINTERNED, STRING, ATOM = "symbol", "keyword", "uninterned", "string", "atom"
# Packages whose symbols ``word`` recognizes by name, besides the standard's and keywords.
_TOLD = ("SB-EXT", "SB-INT", "UIOP/PACKAGE")


class Naming:
    """What the text of an atom names in one package.

    ``kind`` is the sort of atom. ``value`` is the symbol that it names; ``symbol`` is the same but None for
    NIL, which is mostly an empty list. ``word`` tells the standard's symbols and keywords by name: ``DEFUN``,
    ``:TEST``; it is empty for most others. ``name`` is the name that it designates as a symbol of any kind,
    or as a string, and ``facts`` is what is known of its symbol.

    All but the kind is looked up when somebody asks for the first time: most atoms are never asked for.
    """

    __slots__ = ("_text", "_within", "facts", "kind", "name", "symbol", "value", "word")

    facts: SymbolFacts
    name: str | None
    symbol: Symbol | None
    value: Symbol | None
    word: str

    def __init__(self, text: str, within: Within | None) -> None:
        self.kind = _kind(text)
        self._text = text
        self._within = within

    def __getattr__(self, attribute: str) -> object:
        """Look up what has not been asked for; afterwards, Python finds it in its slot."""
        within = self._within
        if attribute == "facts":
            symbol = self.value
            self.facts = NO_FACTS if within is None or symbol is None else within.meanings.facts(symbol)
        elif attribute in Naming.__slots__:
            self.value, self.name = (None, None) if within is None else within.named(self.kind, self._text)
            is_nil = self.value is not None and self.value.name == "NIL" and self.value.package == LISP
            self.symbol = None if is_nil else self.value
            self.word = "" if self.symbol is None else _word(self.symbol)
        return object.__getattribute__(self, attribute)


class Within:
    """A package in which atoms are read; ``meanings`` knows its symbols."""

    def __init__(self, package: str, meanings: Meanings, tokens: Tokens) -> None:
        self.package = package
        self.meanings = meanings
        self._tokens = tokens

    def named(self, kind: str, text: str) -> tuple[Symbol | None, str | None]:
        """Return the symbol that an atom names, and the name that it designates."""
        if kind == STRING:
            return None, string_value(text)
        if kind == UNINTERNED:
            token = self._tokens.symbol(text[2:]) if text[2:] else None
            return None, token.name if token is not None else None
        token = self._tokens.symbol(text) if kind != ATOM else None
        if token is None:
            return None, None
        return named(token, self.package, self.meanings), token.name


def named(token: SymbolToken, package: str, meanings: Meanings) -> Symbol:
    """Return the symbol that a token names in a package; one without a number if it is unknown."""
    symbol = meanings.symbol(token, package)
    if symbol is not None:
        return symbol
    prefix = package if token.package is None else meanings.package(token.package, package) or token.package
    return NamedSymbol(prefix, token.name, None)


def _kind(text: str) -> str:
    if text[0] == '"':
        return STRING
    if text[0] == "#":
        return UNINTERNED if text.startswith("#:") else ATOM
    return KEYWORD if text[0] == ":" else SYMBOL


def _word(symbol: Symbol) -> str:
    if symbol.package == LISP:
        return symbol.name
    if symbol.package == KEYWORDS:
        return f":{symbol.name}"
    return f"{symbol.package}:{symbol.name}" if symbol.package in _TOLD else ""


NOTHING = Naming("#", None)
"""What an atom names that no walk has looked up."""
