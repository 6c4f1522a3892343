"""The bindings around a form, and whether it is known to be evaluated."""

from __future__ import annotations

from collections.abc import Iterable

from ..world.packages import WorldSymbol

_NOTHING: frozenset[WorldSymbol] = frozenset()


class Scope:
    """The local functions and variables around a form. Scopes are immutable, and derived from each other."""

    __slots__ = ("doubt", "functions", "macros", "open", "variables")

    def __init__(
        self,
        functions: frozenset[WorldSymbol] = _NOTHING,
        macros: frozenset[WorldSymbol] = _NOTHING,
        variables: frozenset[WorldSymbol] = _NOTHING,
        doubt: bool = False,
        open: bool = False,  # noqa: A002
    ) -> None:
        self.functions = functions
        self.macros = macros
        """The local macros, known or possible: how their forms are evaluated is unknown."""
        self.variables = variables
        self.doubt = doubt
        """Whether a macro that is not standard is around the form: nobody but that macro knows what it is."""
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

    def with_any_variable(self) -> Scope:
        """This scope, with any variable bound."""
        return Scope(self.functions, self.macros, self.variables, self.doubt, open=True)

    def within_macro(self) -> Scope:
        """The scope inside a macro that is not standard, which may bind and do anything."""
        return Scope(self.functions, self.macros, self.variables, doubt=True, open=True)
