"""What is bound around a form, and how certain it is that the form is evaluated."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from ..world.packages import WorldSymbol

_NOTHING: frozenset[WorldSymbol] = frozenset()


class Doubt(IntEnum):
    """How far a form may be something else than code."""

    NONE = 0
    """It is evaluated: only standard operators and functions stand around it."""
    BODY = 1
    """It is in the ``&body`` of a macro that is not standard."""
    ARGUMENT = 2
    """It is some other argument of such a macro."""


class Scope:
    """Local functions and variables around a form. Scopes are not changed, but made from each other."""

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
        """Local macros, and what may be one: nothing is known of how their forms are evaluated."""
        self.variables = variables
        self.doubt = doubt
        self.open = open
        """Whether variables may be bound that nobody has seen: by a macro that is not standard."""

    def with_variables(self, names: Iterable[WorldSymbol]) -> Scope:
        """This scope, with variables bound."""
        return Scope(self.functions, self.macros, self.variables.union(names), self.doubt, self.open)

    def with_functions(self, names: Iterable[WorldSymbol]) -> Scope:
        """This scope, with functions bound."""
        names = frozenset(names)
        return Scope(self.functions | names, self.macros - names, self.variables, self.doubt, self.open)

    def with_macros(self, names: Iterable[WorldSymbol]) -> Scope:
        """This scope, with macros bound."""
        return Scope(self.functions, self.macros.union(names), self.variables, self.doubt, self.open)

    def within_macro(self, mentioned: Iterable[WorldSymbol], doubt: Doubt) -> Scope:
        """The scope inside a macro that is not standard: it may bind whatever its form mentions."""
        return Scope(
            self.functions, self.macros.union(mentioned), self.variables, max(self.doubt, doubt), open=True
        )
