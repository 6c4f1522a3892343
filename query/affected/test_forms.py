"""The tests of a project: the toplevel forms that a framework's macro defines them with."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from ..index.written import SymbolRow
from . import sql
from .frameworks import FRAMEWORKS, OWN, TestFramework
from .graph import CodeForm, CodeGraph

_SEPARATORS = ("-", ".", "/", "_")


class ProjectTests:
    """The tests among the forms of a project."""

    def __init__(self, graph: CodeGraph, macros: Collection[int] = ()) -> None:
        """``macros`` are symbols whose forms define tests by themselves."""
        self.graph = graph
        self._macros = macros
        self._by_own_macro: set[CodeForm] = set()
        self._bare: dict[str, list[SymbolRow]] = {}

    @cached_property
    def forms(self) -> dict[CodeForm, TestFramework]:
        """The forms of tests, with their frameworks; macros of the project that make tests are followed."""
        graph, found = self.graph, dict[CodeForm, TestFramework]()
        names = {
            (package, macro): one for one in FRAMEWORKS for package in one.packages for macro in one.macros
        }
        wanted = {number: names[name] for number, name in graph.named(list(names)).items()}
        wanted |= dict.fromkeys(self._macros, OWN)
        done: set[int] = set()
        own: set[int] = set()
        while wanted:
            done |= set(wanted)
            following: dict[int, TestFramework] = {}
            for symbol, form, _ in graph.users(wanted):
                rows = graph.definitions.get(form, ())
                macros = {row.symbol for row in rows if row.kind == "macro" and row.symbol is not None}
                following |= dict.fromkeys(macros - done, wanted[symbol])
                own |= macros
                if not rows:
                    found.setdefault(form, wanted[symbol])
                    if symbol in own:
                        self._by_own_macro.add(form)
            wanted = following
        return found

    def made_by_macro(self, form: CodeForm, package: str, name: str) -> list[SymbolRow]:
        """The symbols that a macro of the project may have made of the name in a test's form.

        They have one more word at an end, as ``parse.compiled`` has for ``parse``, and nothing else defines
        them. None if the form is a framework's own.
        """
        if form not in self._by_own_macro:
            return []
        if package not in self._bare:
            rows = self.graph.index.rows(sql.BARE_SYMBOLS, package=package)
            self._bare[package] = [SymbolRow(*row) for row in rows]
        return [row for row in self._bare[package] if _has_one_more(row.name, name)]


def _has_one_more(longer: str, name: str) -> bool:
    if longer.startswith(name):
        more = longer[len(name) :]
        return more[:1] in _SEPARATORS and more[1:].isalnum()
    more = longer[: -len(name)] if longer.endswith(name) else ""
    return more[-1:] in _SEPARATORS and more[:-1].isalnum()
