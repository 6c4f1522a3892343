"""The bindings around a form, and how certain it is that the form is evaluated."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from ..world.packages import WorldSymbol

_NOTHING: frozenset[WorldSymbol] = frozenset()


class Doubt(IntEnum):
    """The degree of doubt about whether a form is code."""

    NONE = 0
    """It is evaluated: only standard operators and functions are around it."""
    BODY = 1
    """It is in the ``&body`` of a macro that is not standard."""
    ARGUMENT = 2
    """It is another argument of such a macro."""


class Scope:
    """The local functions and variables around a form. Scopes are immutable, and derived from each other."""

    __slots__ = ("doubt", "functions", "macros", "open", "variables")

    def __init__(
        self,
        functions: frozenset[WorldSymbol] = _NOTHING,
        macros: frozenset[WorldSymbol] = _NOTHING,
        variables: frozenset[WorldSymbol] = _NOTHING,
        doubt: Doubt = Doubt.NONE,
        open: bool = False,  # noqa: A002
    ) -> None:
        self.functions = functions
        self.macros = macros
        """The local macros, known or possible: how their forms are evaluated is unknown."""
        self.variables = variables
        self.doubt = doubt
        self.open = open
        """Whether a macro that is not standard may bind further variables."""

    def with_variables(self, names: Iterable[WorldSymbol]) -> Scope:
        """This scope, with more variables bound."""
        return Scope(self.functions, self.macros, self.variables.union(names), self.doubt, self.open)

    def with_functions(self, names: Iterable[WorldSymbol]) -> Scope:
        """This scope, with more functions bound."""
        names = frozenset(names)
        return Scope(self.functions | names, self.macros - names, self.variables, self.doubt, self.open)

    def with_macros(self, names: Iterable[WorldSymbol]) -> Scope:
        """This scope, with more macros bound."""
        return Scope(self.functions, self.macros.union(names), self.variables, self.doubt, self.open)

    def within_macro(self, mentioned: Iterable[WorldSymbol], doubt: Doubt) -> Scope:
        """The scope inside a macro that is not standard, which may bind any symbol in its form."""
        return Scope(
            self.functions, self.macros.union(mentioned), self.variables, max(self.doubt, doubt), open=True
        )
