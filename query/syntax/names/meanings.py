"""What the walk asks about symbols and packages; an index answers."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ..tokens import SymbolToken

LISP = "COMMON-LISP"
SPECIAL, CONSTANT, SYMBOL_MACRO = "special", "constant", "macro"
MACRO, SPECIAL_OPERATOR, FUNCTION = "macro", "special-operator", "function"


class Symbol(Hashable, Protocol):
    """A symbol: its home package, its name, and its number in the index.

    A symbol that only the text has is without a number; its package is the one in which the text puts it.
    """

    @property
    def package(self) -> str | None:
        """The name of its home package; None without one."""

    @property
    def name(self) -> str:
        """Its name, in the case that it has."""

    @property
    def number(self) -> int | None:
        """Its number in the index."""


class NamedSymbol(NamedTuple):
    """A symbol that is equal to any other with the same package, name and number."""

    package: str | None
    name: str
    number: int | None


@dataclass(frozen=True, slots=True)
class SymbolFacts:
    """What an index knows about a symbol.

    ``indexed`` tells whether it has a definition or is exported. ``variable`` is special, constant or macro
    (a global symbol macro), ``operator`` is macro, special-operator or function; each is None if it is none
    of these. ``setf_operator`` is whether its setf function is defined, or a setf expander.
    """

    indexed: bool = False
    variable: str | None = None
    operator: str | None = None
    setf_operator: bool = False

    @property
    def always_global(self) -> bool:
        """Whether it always names a global or special variable, or a constant."""
        return self.variable in (SPECIAL, CONSTANT)


NO_FACTS = SymbolFacts()


class Meanings(Protocol):
    """Answers about symbols and packages. Each question may come again and again, so answers are kept."""

    def symbol(self, token: SymbolToken, package: str) -> Symbol | None:
        """Return the symbol that a token names in a package; None if either is not in the index."""

    def package(self, name: str, within: str) -> str | None:
        """Return the package that a name means in another package; None if it is not in the index."""

    def designated(self, name: str, package: str) -> Symbol | None:
        """Return the symbol with exactly this name that is accessible in a package, by its real name."""

    def facts(self, symbol: Symbol) -> SymbolFacts:
        """Return what is known about a symbol."""
