"""Which tests can run which toplevel forms of a project.

A test runs what its code uses, and what that uses in turn. A method runs only where its generic function is
called and objects of the classes that it specializes on can exist: where something that the test runs makes
one, or names the class or one below it. Compilers decide in the same way which methods can be called at all
(rapid type analysis).

A set of tests is an integer with a bit for each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from .graph import CLASSES, CodeForm, CodeGraph
from .sql import FormDefinitionRow

_GENERIC, _METHOD, _STRUCTURE = "generic-function", "method", "structure"


class _Definer(NamedTuple):
    """A form that defines something.

    It does something for what uses any of the symbols, or for everything if there are none, and only where
    there are objects of the classes.
    """

    form: CodeForm
    symbols: tuple[int, ...]
    classes: frozenset[int] = frozenset()


class TestReach:
    """The tests that can run each form, as bits."""

    __test__ = False  # pytest takes it for a test

    def __init__(self, graph: CodeGraph, tests: Collection[CodeForm]) -> None:
        self.bits: defaultdict[CodeForm, int] = defaultdict(int)
        """The tests that can run each form."""
        self.tests = {form: 1 << number for number, form in enumerate(tests)}
        self._graph = graph
        self._users: defaultdict[int, int] = defaultdict(int)
        """The tests that can run something that uses a symbol."""
        self._makers: defaultdict[int, int] = defaultdict(int)
        """The tests that can run something that makes objects of a class."""
        self._above: defaultdict[int, set[int]] = defaultdict(set)
        """The superclasses in the project."""
        self._definers: defaultdict[int, list[_Definer]] = defaultdict(list)
        self._waiting: defaultdict[int, list[_Definer]] = defaultdict(list)
        """The methods that do nothing without objects of a class."""
        self._structures: dict[CodeForm, list[int]] = {}
        for form, rows in graph.definitions.items():
            self._note_form(form, rows, is_test=form in self.tests)
        for form, symbols in graph.registering.items():
            if form not in self.tests:
                self._note(_Definer(form, tuple(symbols)))
        self._frontier: list[CodeForm] = []
        self._spread()

    def of_forms(self, forms: Collection[CodeForm]) -> int:
        """The tests that can run any of some forms."""
        found = 0
        for form in forms:
            found |= self.bits.get(form, 0)
        return found

    def of_users(self, symbols: Collection[int]) -> int:
        """The tests that can run something that uses any of some symbols."""
        return self.of_forms([use.form for symbol in symbols for use in self._graph.uses_of(symbol)])

    def _note(self, definer: _Definer) -> None:
        for symbol in definer.symbols:
            self._definers[symbol].append(definer)
        for symbol in definer.classes:
            self._waiting[symbol].append(definer)

    def _note_form(self, form: CodeForm, rows: list[FormDefinitionRow], *, is_test: bool) -> None:
        if is_test:
            functions = (row.symbol for row in rows if row.kind == "function" and row.symbol is not None)
            self._note(_Definer(form, tuple(functions)))
            return
        classes = [row.symbol for row in rows if row.kind in CLASSES and row.symbol is not None]
        self._structures[form] = [
            row.symbol for row in rows if row.kind == _STRUCTURE and row.symbol is not None
        ]
        above = {use.symbol for use in self._graph.uses_of_forms.get(form, ()) if use.inherits}
        for symbol in classes:
            self._above[symbol] |= above
        methods = {row.symbol for row in rows if row.kind == _METHOD}
        for row in rows:
            if row.symbol is None or (classes and row.kind in (_METHOD, _GENERIC)):
                continue  # readers and writers do nothing without an object of the class
            if row.kind == _METHOD:
                self._note(self._method(form, row.number, row.symbol))
            elif row.kind != _GENERIC or row.symbol not in methods or row.defined_by == "defgeneric":
                self._note(_Definer(form, (row.symbol,)))

    def _method(self, form: CodeForm, definition: int, symbol: int) -> _Definer:
        specializers = self._graph.specializers.get(definition, ())
        classes = frozenset(one for one in specializers if one in self._graph.own_classes)
        # Nobody knows what calls PRINT-OBJECT and the like.
        is_called_unseen = classes and self._graph.is_foreign(symbol)
        return _Definer(form, () if is_called_unseen else (symbol,), classes)

    # The sets only grow, so this ends.

    def _spread(self) -> None:
        for form, bit in self.tests.items():
            self._add(form, bit)
        while self._frontier:
            form = self._frontier.pop()
            bits = self.bits[form]
            for symbol in self._structures.get(form, ()):
                self._add_makers(symbol, bits)
            for use in self._graph.uses_of_forms.get(form, ()):
                if use.makes and use.symbol in self._graph.own_classes:
                    self._add_makers(use.symbol, bits)
                if use.follows and bits & ~self._users[use.symbol]:
                    self._users[use.symbol] |= bits
                    self._run(self._definers.get(use.symbol, ()))

    def _add(self, form: CodeForm, bits: int) -> None:
        if bits & ~self.bits[form]:
            self.bits[form] |= bits
            self._frontier.append(form)

    def _add_makers(self, symbol: int, bits: int) -> None:
        if bits & ~self._makers[symbol]:
            self._makers[symbol] |= bits
            self._run(self._waiting.get(symbol, ()))
            for above in self._above.get(symbol, ()):
                self._add_makers(above, bits)

    def _run(self, definers: Collection[_Definer]) -> None:
        for definer in definers:
            bits = 0 if definer.symbols else -1
            for symbol in definer.symbols:
                bits |= self._users[symbol]
            for symbol in definer.classes:
                bits &= self._makers[symbol]
            self._add(definer.form, bits)
