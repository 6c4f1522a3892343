"""The tests of a project: the toplevel forms that a framework's macro defines them with."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from .frameworks import FRAMEWORKS, OWN, TestFramework
from .graph import CodeForm, CodeGraph


class ProjectTests:
    """The tests among the forms of a project."""

    def __init__(self, graph: CodeGraph, macros: Collection[int] = ()) -> None:
        """``macros`` are symbols whose forms define tests by themselves."""
        self.graph = graph
        self._macros = macros
        self._by_own_macro: set[CodeForm] = set()
        self._operators: set[int] = set()

    @cached_property
    def forms(self) -> dict[CodeForm, TestFramework]:
        """The forms of tests, with their frameworks; macros of the project that make tests are followed."""
        graph, found = self.graph, dict[CodeForm, TestFramework]()
        names = {
            (package, macro): one for one in FRAMEWORKS for package in one.packages for macro in one.macros
        }
        wanted = {number: names[name] for number, name in graph.named(list(names)).items()}
        wanted |= dict.fromkeys(self._macros, OWN)
        done = self._operators
        own: set[int] = set()
        while wanted:
            done |= set(wanted)
            following: dict[int, TestFramework] = {}
            for symbol, form, is_apart in graph.operator_uses(wanted):
                rows = graph.definitions.get(form, ())
                macros = {row.symbol for row in rows if row.kind == "macro" and row.symbol is not None}
                following |= dict.fromkeys(macros - done, wanted[symbol])
                own |= macros
                if is_apart and not macros:
                    found.setdefault(form, wanted[symbol])
                    if symbol in own:
                        self._by_own_macro.add(form)
            wanted = following
        return found

    @cached_property
    def operators(self) -> set[int]:
        """The symbols of the macros that make tests, those of the project among them."""
        assert self.forms is not None  # which are noted when these are found
        return self._operators

    def is_by_own_macro(self, form: CodeForm) -> bool:
        """Whether a macro of the project makes a test of this form."""
        return form in self._by_own_macro
