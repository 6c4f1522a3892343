"""Which toplevel forms of a project use what which others define.

A form is a file and a number, which SBCL gave it. Every use in an index has those of the code that makes it.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ..index.reading import Reading
from . import sql
from .sql import FormDefinitionRow, NamedSymbolRow, ProjectFileRow, UsingFormRow

_METHOD = "method"
_VARIABLES = frozenset(("variable", "constant", "symbol-macro", "global", "alien-variable"))
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


class Step(NamedTuple):
    """How a form was reached: from which one, and how many steps from the change; the line of the use."""

    before: CodeForm | None
    distance: int
    line: int | None
    sure: bool


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
        """A line of each form of a file of which one is known, by its number."""
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

    def users(self, symbols: Iterable[int]) -> Iterator[tuple[int, CodeForm, int | None]]:
        """Yield the forms of the project that use symbols, each with the symbol and the line."""
        for row in map(UsingFormRow._make, self.index.rows(sql.USERS, symbols=_listed(symbols))):
            if row.file in self.files:
                self._note(row.file, row.form, row.line)
                yield row.symbol, CodeForm(row.file, row.form), row.line

    def named(self, names: Sequence[tuple[str, str]]) -> dict[int, tuple[str, str]]:
        """The symbols of these packages and names, by their numbers."""
        rows = map(NamedSymbolRow._make, self.index.rows(sql.NAMED_SYMBOLS, names=json.dumps(names)))
        return {row.number: (row.package, row.name) for row in rows}

    def forms_calling(self, names: Sequence[tuple[str, str]]) -> set[CodeForm]:
        """The forms of sources that call any of these symbols."""
        files = {number for number, row in self.files.items() if not row.path.endswith(".asd")}
        rows = map(UsingFormRow._make, self.index.rows(sql.CALLERS, symbols=_listed(self.named(names))))
        return {CodeForm(row.file, row.form) for row in rows if row.file in files}

    @cached_property
    def looking_up(self) -> set[CodeForm]:
        """The forms that look up names at run time and do something with what they name.

        A macro that does so makes code, whose uses are known.
        """
        calling = self.forms_calling(_BY_NAME) | self.forms_calling(_CALLS_ITSELF)
        found = self.forms_calling(_LOOK_UP) & calling
        return {form for form in found if not self._only_expands(form)}

    def _only_expands(self, form: CodeForm) -> bool:
        kinds = {row.kind for row in self.definitions.get(form, ())}
        return bool(kinds) and kinds <= _EXPANDERS

    @cached_property
    def changing_reading(self) -> set[CodeForm]:
        """The forms that change how text is read."""
        return self.forms_calling(_CHANGES_READING)

    def made_by(self, form: CodeForm) -> set[int]:
        """The symbols whose users a change of a form can reach."""
        rows = [row for row in self.definitions.get(form, ()) if row.symbol is not None]
        if not rows:
            return self._registering.get(form, set())
        found, methods = set(), []
        for row in rows:
            assert row.symbol is not None
            # What calls PRINT-OBJECT and the like does not say so: who has an object of the class may.
            if row.kind == _METHOD and self._kinds[row.symbol] == {_METHOD}:
                methods.append(row.number)
            else:
                found.add(row.symbol)
        classes = {one for (one,) in self.index.rows(sql.CLASSES_OF_METHODS, definitions=_listed(methods))}
        own = {one for one in classes if one in self._kinds}
        foreign = {row.symbol for row in rows if row.number in methods and row.symbol is not None}
        return found | (own if own or not methods else foreign)

    @cached_property
    def _registering(self) -> dict[CodeForm, set[int]]:
        """The variables of the project that each form which defines nothing may put something into.

        They are those that it uses, or that the functions and macros that it uses do.
        """
        variables = [symbol for symbol, kinds in self._kinds.items() if kinds & _VARIABLES]
        through: defaultdict[int, set[int]] = defaultdict(set)
        found: defaultdict[CodeForm, set[int]] = defaultdict(set)
        for symbol, form, _ in self.users(variables):
            found[form].add(symbol)
            for row in self.definitions.get(form, ()):
                if row.symbol is not None and row.symbol != symbol:
                    through[row.symbol].add(symbol)
        for symbol, form, _ in self.users(through):
            found[form] |= through[symbol]
        return found

    def reached(
        self, seeds: Collection[CodeForm], symbols: Collection[int], ends: Collection[CodeForm]
    ) -> dict[CodeForm, Step]:
        """The forms that a change of some forms, and of the meaning of some symbols, can reach.

        The seeds are among them. Nothing is reached from ``ends``.
        """
        found = {form: Step(None, 0, None, True) for form in seeds}
        self._spread(found, list(seeds), set(symbols), ends)
        if found or symbols:
            perhaps = [form for form in self.looking_up if form not in found]
            found |= {form: Step(None, 1, None, False) for form in perhaps}
            self._spread(found, perhaps, set(), ends)
        return found

    def _spread(
        self,
        found: dict[CodeForm, Step],
        frontier: list[CodeForm],
        symbols: set[int],
        ends: Collection[CodeForm],
    ) -> None:
        """Add what uses what the forms of a frontier make, or some symbols, and what uses that."""
        before: dict[int, CodeForm] = {}
        done: set[int] = set()
        while frontier or symbols:
            for form in frontier:
                if form not in ends:
                    for symbol in self.made_by(form) - done:
                        before.setdefault(symbol, form)
                        symbols.add(symbol)
            frontier = []
            for symbol, form, line in self.users(symbols):
                if form not in found:
                    origin = before.get(symbol)
                    last = found[origin] if origin is not None else Step(None, 0, None, True)
                    found[form] = Step(origin, last.distance + 1, line, last.sure)
                    frontier.append(form)
            done |= symbols
            symbols = set()


def _listed(numbers: Iterable[int]) -> str:
    return json.dumps(sorted(numbers))
