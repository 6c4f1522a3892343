"""The names of tests, as the runner of their framework takes them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ..index.meanings import IndexMeanings
from ..index.written import SymbolRow
from ..questions.classes.sql import CLASS_SYMBOL
from ..syntax.lexemes import lexemes
from ..syntax.names.defined import defined_name
from ..syntax.nodes import Atom, Form, Node
from ..syntax.tokens import Tokens
from . import sql
from .changed import TextForm
from .frameworks import TestFramework
from .graph import CodeForm
from .sql import STANDARD_DEFINERS
from .test_forms import ProjectTests

_SEPARATORS = "-./_"


class TestNames:
    """The names of the tests that the forms of a project define."""

    __test__ = False  # pytest takes it for a test

    def __init__(self, tests: ProjectTests, meanings: IndexMeanings, tokens: Tokens) -> None:
        self._tests, self._meanings, self._tokens = tests, meanings, tokens
        self._index = tests.graph.index
        self._bare: dict[str, list[SymbolRow]] = {}

    def of(self, form: CodeForm, text: TextForm, package: str) -> list[str]:
        """The names of the tests that a form defines; ``package`` is the one that its text is read in."""
        framework = self._tests.forms[form]
        functions = self._functions(form) if framework.defines_functions else []
        if functions:
            return functions
        named = [*_named(text.placed.toplevel.node, self._operators, framework)]
        found = [one for atom in named for one in self._made_of(form, atom.text, package)]
        return [*dict.fromkeys(found or self._put_together(text, package) or [text.first_name])]

    @cached_property
    def _operators(self) -> set[str]:
        rows = (self._row(number) for number in self._tests.operators)
        return {row.name.upper() for row in rows}

    def _row(self, symbol: int) -> SymbolRow:
        (row,) = self._index.rows(CLASS_SYMBOL, symbol=symbol)
        return SymbolRow(*row)

    def _functions(self, form: CodeForm) -> list[str]:
        """The functions of a form that the macro of a framework has made of a test."""
        return [
            self._row(row.symbol).written(self._index)
            for row in self._tests.graph.definitions.get(form, ())
            if row.kind == "function" and row.symbol is not None and row.defined_by not in STANDARD_DEFINERS
        ]

    def _made_of(self, form: CodeForm, name: str, package: str) -> list[str]:
        """The tests that are made of a name: what a macro of the project has made of it, or itself."""
        token = self._tokens.symbol(name)
        if token is None:
            return [name]
        if self._tests.is_by_own_macro(form):
            made = [row for row in self._made_in(package) if _has_one_more(row.name, token.name)]
            if made:
                return [row.written(self._index) for row in made]
        symbol = self._meanings.symbol(token, package)
        return [
            name if symbol is None or symbol.number is None else self._row(symbol.number).written(self._index)
        ]

    def _put_together(self, text: TextForm, package: str) -> list[str]:
        """The symbols that a local macro may have joined: a text has both their beginning and the rest."""
        words = (
            one.text for one in lexemes(text.placed.text) if one.kind in ("symbol", "uninterned", "string")
        )
        parts = {part.upper() for word in words for part in _parts(word)}
        found = []
        for row in self._made_in(package):
            ends = [place for place, letter in enumerate(row.name) if letter in _SEPARATORS]
            if any(row.name[:end] in parts and row.name[end + 1 :] in parts for end in ends):
                found.append(row.written(self._index))
        return found

    def _made_in(self, package: str) -> list[SymbolRow]:
        """The symbols of a package that nothing defines."""
        if package not in self._bare:
            rows = self._index.rows(sql.BARE_SYMBOLS, package=package)
            self._bare[package] = [SymbolRow(*row) for row in rows]
        return self._bare[package]


def _named(node: Node, operators: set[str], framework: TestFramework) -> Iterator[Atom]:
    """Yield the atoms that name tests in a form: those after the operators, wherever these are in it."""
    if not isinstance(node, Form):
        return
    items = node.items
    if len(items) > 1 and node.kind == "(" and items[0].text.rpartition(":")[2].upper() in operators:
        place = items[1]
        if framework.parent_first and isinstance(place, Form) and len(place.items) > 1:
            place = place.items[1]
        atom, _ = defined_name(place)
        if atom is not None:
            yield atom
    for one in items:
        yield from _named(one, operators, framework)


def _parts(word: str) -> list[str]:
    """A word without what it begins with in the text, and what is in it before a directive of FORMAT."""
    plain = word.removeprefix("#:").strip(':"')
    return [plain, plain.partition("~")[0].rstrip(_SEPARATORS)]


def _has_one_more(longer: str, name: str) -> bool:
    """Whether a name is another with one more word at an end, as ``parse.compiled`` is of ``parse``."""
    if longer.startswith(name):
        more = longer[len(name) :]
        return more[:1] in tuple(_SEPARATORS) and more[1:].isalnum()
    more = longer[: -len(name)] if longer.endswith(name) else ""
    return more[-1:] in tuple(_SEPARATORS) and more[:-1].isalnum()
