"""Which toplevel forms of a project use what other toplevel forms define.

A form is identified by its file and the number that SBCL gave it. Every use in an index has those of the code
that makes the use.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ..index.reading import Reading
from ..syntax.lexemes import lexemes
from . import sql
from .sql import (
    STANDARD_DEFINERS,
    FormDefinitionRow,
    NamedAtToplevelRow,
    NamedSymbolRow,
    OperatorUseRow,
    ProjectFileRow,
    UsingFormRow,
)

_METHOD = "method"
_VALUE = frozenset(("variable", "global"))
_VARIABLES = frozenset(("variable", "constant", "symbol-macro", "global", "alien-variable"))
_SPECIALIZES, _INHERITS, _DECLARES = "specializes", "inherits", "declares"
CLASSES = frozenset(("class", "structure", "condition"))
"""The kinds of definitions that are classes."""
_TYPES = CLASSES | {"type"}
_PUTS = frozenset(("sets", "binds"))
_MAKES = frozenset(("instantiates", "names", "mentions"))
_EXPANDERS = frozenset(("macro", "compiler-macro", "setf-expander", "optimizer"))
_LOOK_UP = tuple(
    [("COMMON-LISP", name) for name in ("INTERN", "FIND-SYMBOL")]
    + [("UIOP/PACKAGE", name) for name in ("INTERN*", "FIND-SYMBOL*", "SYMBOL-CALL")]
    + [(home, name) for home in ("ALEXANDRIA", "ALEXANDRIA-1") for name in ("SYMBOLICATE", "FORMAT-SYMBOL")]
)
_BY_NAME = tuple(
    ("COMMON-LISP", name)
    for name in ("FUNCALL", "APPLY", "SYMBOL-FUNCTION", "FDEFINITION", "MAKE-INSTANCE", "SYMBOL-VALUE")
)
_CALLS_ITSELF = (("UIOP/PACKAGE", "SYMBOL-CALL"),)
_CHANGES_READING = tuple(
    [("COMMON-LISP", name) for name in ("SET-MACRO-CHARACTER", "SET-DISPATCH-MACRO-CHARACTER")]
    + [("EDITOR-HINTS.NAMED-READTABLES", name) for name in ("DEFREADTABLE", "IN-READTABLE")]
)


class CodeForm(NamedTuple):
    """A toplevel form: the number of its file, and its own in that file, from 0."""

    file: int
    number: int


class SymbolUse(NamedTuple):
    """A use of a symbol by a toplevel form, and its line.

    ``follows`` is whether what the symbol means is used: setting or binding a variable does not need its
    value, and the methods of a class do nothing without objects. ``makes`` is whether the use may create
    objects of the class of that name, ``inherits`` whether the form defines a subclass of it, and
    ``declares`` whether the form is a proclamation about the symbol.
    """

    symbol: int
    form: CodeForm
    line: int | None
    follows: bool
    makes: bool
    inherits: bool
    declares: bool


def files_below(index: Reading, folder: str) -> list[ProjectFileRow]:
    """The source files below a folder of this machine, with their paths here."""
    rows = map(ProjectFileRow._make, index.rows(sql.FILES))
    here = (row._replace(path=index.local_path(row.path) or row.path) for row in rows)
    return [row for row in here if row.path.startswith(f"{folder.rstrip(os.sep)}{os.sep}")]


class CodeGraph:
    """The forms of the files below a folder."""

    def __init__(self, index: Reading, folder: str) -> None:
        self.index = index
        self.files = {row.number: row for row in files_below(index, folder)}
        self._lines: defaultdict[int, dict[int, int]] = defaultdict(dict)

    @cached_property
    def definitions(self) -> dict[CodeForm, list[FormDefinitionRow]]:
        """What each form defines."""
        found: defaultdict[CodeForm, list[FormDefinitionRow]] = defaultdict(list)
        for row in map(FormDefinitionRow._make, self.index.rows(sql.DEFINITIONS, files=_listed(self.files))):
            found[CodeForm(row.file, row.form)].append(row)
            self._note(row.file, row.form, row.line)
        return found

    def lines(self, file: int) -> dict[int, int]:
        """A line of each form of a file, by the form's number, as far as one is known."""
        assert self.definitions is not None  # which are noted when they are read
        return self._lines[file]

    def _note(self, file: int, form: int, line: int | None) -> None:
        if line is not None:
            self._lines[file].setdefault(form, line)

    @cached_property
    def _kinds(self) -> dict[int, set[str]]:
        """The kinds of definitions that symbols have here."""
        found: defaultdict[int, set[str]] = defaultdict(set)
        for rows in self.definitions.values():
            for row in rows:
                if row.symbol is not None:
                    found[row.symbol].add(row.kind)
        return found

    @cached_property
    def own_classes(self) -> set[int]:
        """The symbols of the classes that the project defines."""
        return {symbol for symbol, kinds in self._kinds.items() if kinds & CLASSES}

    def is_foreign(self, symbol: int) -> bool:
        """Whether a symbol has methods here, but its generic function is not the project's."""
        return self._kinds.get(symbol) == {_METHOD}

    @cached_property
    def specializers(self) -> dict[int, list[int]]:
        """The classes that methods specialize on, by the numbers of their definitions."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for definition, symbol in self.index.rows(sql.SPECIALIZERS, files=_listed(self.files)):
            found[definition].append(symbol)
        return found

    @cached_property
    def _uses(self) -> dict[int, list[SymbolUse]]:
        """The uses of the symbols that the project defines."""
        names = {symbol for symbols in self._named_first.values() for symbol in symbols}
        return self._read_uses(self._kinds.keys() | names)

    @cached_property
    def _named_first(self) -> dict[CodeForm, set[int]]:
        """The symbols that follow operators other than the standard's: ``(defrule name ...)``."""
        found: defaultdict[CodeForm, set[int]] = defaultdict(set)
        systems = sorted({row.system for row in self.files.values() if row.system is not None})
        rows = self.index.rows(sql.NAMED_AT_TOPLEVEL, systems=json.dumps(systems))
        for row in map(NamedAtToplevelRow._make, rows):
            form = CodeForm(row.file, row.form)
            made = self.definitions.get(form, ())
            is_standard = any(one.defined_by in STANDARD_DEFINERS for one in made)
            if row.file in self.files and not is_standard and _is_operator(row.before or ""):
                found[form].add(row.symbol)
        return found

    def _read_uses(self, symbols: Collection[int]) -> dict[int, list[SymbolUse]]:
        found: dict[int, list[SymbolUse]] = {symbol: [] for symbol in symbols}
        for row in map(UsingFormRow._make, self.index.rows(sql.USERS, symbols=_listed(symbols))):
            if row.file not in self.files:
                continue
            self._note(row.file, row.form, row.line)
            found[row.symbol].append(self._use(row))
        return found

    def _use(self, row: UsingFormRow) -> SymbolUse:
        form, kinds = CodeForm(row.file, row.form), self._kinds.get(row.symbol, set())
        puts = row.relation in _PUTS and kinds <= _VALUE
        declares = row.relation == _DECLARES and form not in self.definitions and not kinds & _TYPES
        return SymbolUse(
            row.symbol,
            form,
            row.line,
            follows=row.relation != _SPECIALIZES and not puts and not declares,
            makes=row.relation in _MAKES,
            inherits=row.relation == _INHERITS,
            declares=declares,
        )

    def uses_of(self, symbol: int) -> list[SymbolUse]:
        """The uses of a symbol in the project."""
        if symbol not in self._uses:
            self._uses.update(self._read_uses([symbol]))
        return self._uses[symbol]

    @cached_property
    def uses_of_forms(self) -> dict[CodeForm, list[SymbolUse]]:
        """The uses that each form makes of what the project defines."""
        found: defaultdict[CodeForm, list[SymbolUse]] = defaultdict(list)
        for uses in self._uses.values():
            for use in uses:
                found[use.form].append(use)
        return found

    def operator_uses(self, symbols: Iterable[int]) -> Iterator[tuple[int, CodeForm, bool]]:
        """Yield the forms of the project that have symbols as operators, each with the symbol.

        The third item is whether the symbol is used outside of what standard forms define, so that the form
        itself may be a call of it.
        """
        for row in map(OperatorUseRow._make, self.index.rows(sql.OPERATOR_USES, symbols=_listed(symbols))):
            if row.file in self.files:
                self._note(row.file, row.form, row.line)
                yield row.symbol, CodeForm(row.file, row.form), bool(row.is_apart)

    def named(self, names: Sequence[tuple[str, str]]) -> dict[int, tuple[str, str]]:
        """The symbols of these packages and names, by their numbers."""
        rows = map(NamedSymbolRow._make, self.index.rows(sql.NAMED_SYMBOLS, names=json.dumps(names)))
        return {row.number: (row.package, row.name) for row in rows}

    def forms_calling(self, names: Sequence[tuple[str, str]]) -> set[CodeForm]:
        """The forms of sources that call any of these symbols."""
        files = {number for number, row in self.files.items() if not row.path.endswith(".asd")}
        rows = self.index.rows(sql.CALLERS, symbols=_listed(self.named(names)))
        return {CodeForm(file, form) for file, form in rows if file in files}

    @cached_property
    def looking_up(self) -> set[CodeForm]:
        """The forms that look up names at run time and do something with what they name.

        A macro that does so makes code, whose uses are known.
        """
        calling = self.forms_calling(_BY_NAME) | self.forms_calling(_CALLS_ITSELF)
        found = self.forms_calling(_LOOK_UP) & calling
        return {form for form in found if not self._only_expands(form, set())}

    def _only_expands(self, form: CodeForm, asked: set[CodeForm]) -> bool:
        """Whether a form defines macros only, or what only such forms use; ``asked`` were seen before."""
        rows = self.definitions.get(form, ())
        if rows and {row.kind for row in rows} <= _EXPANDERS:
            return True
        asked.add(form)
        users = {use.form for row in rows if row.symbol is not None for use in self.uses_of(row.symbol)}
        return bool(users - asked) and all(self._only_expands(one, asked) for one in users - asked)

    @cached_property
    def changing_reading(self) -> set[CodeForm]:
        """The forms that change how text is read."""
        return self.forms_calling(_CHANGES_READING)

    def made_by(self, form: CodeForm, *, is_test: bool = False) -> set[int]:
        """The symbols whose users a change to a form can reach; a test may be a function that others call."""
        rows = [row for row in self.definitions.get(form, ()) if row.symbol is not None]
        if is_test:
            return {row.symbol for row in rows if row.kind == "function" and row.symbol is not None}
        found, foreign, classes = set(self.registering.get(form, ())), set[int](), set[int]()
        for row in rows:
            assert row.symbol is not None
            # What calls PRINT-OBJECT and the like does not say so: who has an object of the class may.
            if row.kind == _METHOD and self.is_foreign(row.symbol):
                foreign.add(row.symbol)
                classes |= {one for one in self.specializers.get(row.number, ()) if one in self._kinds}
            else:
                found.add(row.symbol)
        return found | (classes or foreign)

    @cached_property
    def registering(self) -> dict[CodeForm, set[int]]:
        """The symbols by which others use what forms make, beside what SBCL knows as their definitions.

        They are the names that follow operators other than the standard's and, for a form that defines
        nothing, the names in its proclamations, and the variables that it may put something into: those that
        it uses, or that are used by the functions and macros that it uses.
        """
        found = defaultdict(set, {form: set(symbols) for form, symbols in self._named_first.items()})
        for uses in self._uses.values():
            for use in uses:
                if use.declares:
                    found[use.form].add(use.symbol)
        for symbol, variables in self._variables_within.items():
            for use in self.uses_of(symbol):
                if use.form not in self.definitions:
                    found[use.form] |= variables
        return found

    @cached_property
    def _variables_within(self) -> dict[int, set[int]]:
        """The variables of the project, each with itself, and the symbols whose code uses them."""
        variables = {symbol for symbol, kinds in self._kinds.items() if kinds & _VARIABLES}
        found = defaultdict(set, {symbol: {symbol} for symbol in variables})
        for symbol in variables:
            users = {use.form for use in self.uses_of(symbol)}
            for row in (row for form in users for row in self.definitions.get(form, ())):
                if row.symbol is not None and row.symbol != symbol:
                    found[row.symbol].add(symbol)
        return found


def _is_operator(before: str) -> bool:
    """Whether a text that a symbol stands after is the beginning of a form and its operator."""
    kinds = [one.kind for one in lexemes(before)]
    return kinds[:2] == ["open", "symbol"] and all(one in ("open", "quote") for one in kinds[2:])


def _listed(numbers: Iterable[int]) -> str:
    return json.dumps(sorted(numbers))
