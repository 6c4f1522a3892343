"""Answers about symbols and packages from an open index, for the walk through code."""

from __future__ import annotations

from oblist.indexer.names import Token

from ..syntax.names.meanings import (
    CONSTANT,
    FUNCTION,
    MACRO,
    NO_FACTS,
    SPECIAL,
    SPECIAL_OPERATOR,
    SYMBOL_MACRO,
    NamedSymbol,
    Symbol,
    SymbolFacts,
)
from ..syntax.tokens import KEYWORD, SymbolToken
from . import sql
from .finding.resolve import FoundPackage, find_package, find_symbol
from .reading import Reading

# In SBCL's own sources, the name of the standard's package while SBCL is built.
_BUILDING, _STANDARD = "SB-XC", "COMMON-LISP"
_VARIABLES = {"constant": CONSTANT, "symbol-macro": SYMBOL_MACRO, "variable": SPECIAL}
_OPERATORS = {"MACRO": MACRO, "FUNCTION": FUNCTION, "GENERIC-FUNCTION": FUNCTION}
_SETF_FUNCTIONS = ("setf-function", "generic-function")
_MOST_KEPT = 200_000


class IndexMeanings:
    """Answers from one build of an index, each looked up only once: another build needs another object."""

    def __init__(self, index: Reading) -> None:
        self.index = index
        self._packages: dict[tuple[str, str], FoundPackage | None] = {}
        self._symbols: dict[tuple[SymbolToken, str], NamedSymbol | None] = {}
        self._designated: dict[tuple[str, str], NamedSymbol | None] = {}
        self._facts: dict[int, SymbolFacts] = {}
        self._defining: dict[int, bool] = {}

    def symbol(self, token: SymbolToken, package: str) -> NamedSymbol | None:
        """Return the symbol that a token names in a package; None if either is not in the index."""
        try:
            return self._symbols[token, package]
        except KeyError:
            if len(self._symbols) >= _MOST_KEPT:
                self._symbols.clear()
            row = self._package(token.package or package, package)
            found = self._symbols[token, package] = self._find(token.name, row)
            return found

    def package(self, name: str, within: str) -> str | None:
        """Return the package that a name means in another package; None if it is not in the index."""
        row = self._package(name, within)
        return row.name if row is not None else None

    def designated(self, name: str, package: str) -> NamedSymbol | None:
        """Return the symbol with exactly this name that is accessible in a package, by its real name."""
        try:
            return self._designated[name, package]
        except KeyError:
            if len(self._designated) >= _MOST_KEPT:
                self._designated.clear()
            number = self.index.package_numbers.get(package)
            row = FoundPackage(number, package) if number is not None else None
            found = self._designated[name, package] = self._find(name, row)
            return found

    def facts(self, symbol: Symbol) -> SymbolFacts:
        """Return what the index knows about a symbol."""
        number = symbol.number
        if number is None:
            return NO_FACTS
        try:
            return self._facts[number]
        except KeyError:
            if len(self._facts) >= _MOST_KEPT:
                self._facts.clear()
            facts = self._facts[number] = self._looked_up(symbol, number)
            return facts

    def defines(self, symbol: Symbol) -> bool:
        """Return whether a symbol is a macro that a definition in the index was made by."""
        if symbol.number is None or self.facts(symbol).operator != MACRO:
            return False
        if symbol.number not in self._defining:
            rows = self.index.rows(sql.DEFINES, symbol=symbol.number, name=self.index.fold(symbol.name))
            self._defining[symbol.number] = bool(rows)
        return self._defining[symbol.number]

    def _package(self, name: str, within: str) -> FoundPackage | None:
        try:
            return self._packages[name, within]
        except KeyError:
            if len(self._packages) >= _MOST_KEPT:
                self._packages.clear()
            current = find_package(self.index, Token(within, within, quoted=True))
            real = _STANDARD if name == _BUILDING else name
            found = self._packages[name, within] = find_package(
                self.index, Token(real, real, quoted=True), current.id if current else None
            )
            return found

    def _find(self, name: str, package: FoundPackage | None) -> NamedSymbol | None:
        found = find_symbol(self.index, package.id, name) if package is not None else None
        if found is None:
            return None
        home = self.index.package_names[found.home] if found.home is not None else None
        return NamedSymbol(home, found.name, found.number)

    def _looked_up(self, symbol: Symbol, number: int) -> SymbolFacts:
        rows = [sql.MeaningRow(*row) for row in self.index.rows(sql.MEANINGS, symbol=number)]
        if not rows:
            return NO_FACTS
        kinds = {row.kind for row in rows if row.operator is None}
        exported = bool(rows[0].exported) and symbol.package != KEYWORD
        operator = _OPERATORS.get(rows[0].type)
        if "special-operator" in kinds:
            operator = SPECIAL_OPERATOR
        return SymbolFacts(
            indexed=exported or any(row.kind is not None for row in rows),
            variable=next((name for kind, name in _VARIABLES.items() if kind in kinds), None),
            operator=operator,
            setf_operator="setf-expander" in kinds
            or any(row.operator == "SETF" and row.kind in _SETF_FUNCTIONS for row in rows),
        )
