"""The code that a forecast is about: its files, and what they use of a library."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ..index.named_texts import named_text
from ..index.present.files import present_file
from ..index.reading import Reading
from ..index.sql import SOURCE_TEXT
from ..questions.xref.references import relation_names
from ..questions.xref.sql import USES_IN_FILES, UseRow
from ..syntax.features import Features
from ..syntax.names.designators import designated
from ..syntax.nodes import Atom, Form
from ..syntax.printed import items
from ..syntax.reader import read
from ..syntax.tokens import Tokens
from ..syntax.walk.nodes import LIST
from . import sql
from .answer import BrokenLine
from .library import ForecastLibrary, numbers_of
from .sql import OwnFileRow, UsedNameRow

NO_CODE = frozenset(("exports", "imports", "mentions", "defines"))
"""Relations of uses that name a symbol, but need no definition of it."""
_MOST_LINES = 200
# The options of DEFPACKAGE, and of UIOP:DEFINE-PACKAGE, whose packages are used.
_USING = (":use", ":mix", ":use-reexport", ":mix-reexport")


class OwnPlace(NamedTuple):
    """A place in a file as it is now, with the text of its line and the system of the file."""

    path: str
    line: int
    column: int
    text: str
    system: str | None

    @property
    def before(self) -> str:
        """The text before it on its line."""
        return self.text[: self.column - 1]

    def broken(self, sort: str, message: str, length: int = 1) -> BrokenLine:
        """What breaks here."""
        return BrokenLine(self.path, self.line, self.column, length, sort, message, True, self.system, [])


class OwnUse(NamedTuple):
    """A place that names a symbol, and what the code there does with it."""

    symbol: int
    operator: str | None
    relation: str
    place: OwnPlace
    length: int
    file: int
    indexed: tuple[int, int]
    """Its line and column when the index was built."""

    def broken(self, sort: str, message: str) -> BrokenLine:
        """What breaks here."""
        return self.place.broken(sort, message, self.length)


class OwnCode:
    """The files of a project, optionally also those of other systems, and what they use of a library."""

    def __init__(self, index: Reading, library: ForecastLibrary, *, dependencies: bool) -> None:
        self.index = index
        rows = index.rows(sql.OWN_FILES, library=json.dumps(library.old_systems), dependencies=dependencies)
        self.files = {row.number: row for row in map(OwnFileRow._make, rows)}
        self.packages = sorted(numbers_of(index, library.old_packages))
        self._texts: dict[int, list[str]] = {}
        self._present: dict[str, list[str]] = {}
        self._tokens = Tokens(index.upcase)
        self._features = Features(index.facts.get("features", ""), self._tokens)

    def _local(self, path: str) -> str:
        return self.index.local_path(path) or path

    @cached_property
    def used(self) -> dict[int, set[int]]:
        """The symbols of the library that the files use, each with the numbers of the files."""
        found: dict[int, set[int]] = {}
        rows = self.index.rows(
            sql.USED_OF_PACKAGES, packages=json.dumps(self.packages), files=json.dumps([*self.files])
        )
        for symbol, file in rows:
            found.setdefault(symbol, set()).add(file)
        return found

    def paths(self, symbols: Collection[int] | None = None) -> list[str]:
        """The files here that use some symbols, by default any of the library."""
        used = self.used if symbols is None else {one: self.used[one] for one in symbols}
        numbers = sorted({file for files in used.values() for file in files})
        return [self._local(self.files[number].path) for number in numbers]

    @cached_property
    def uses(self) -> dict[int, list[OwnUse]]:
        """The places that name symbols of the library, by symbol, in the order of files and lines."""
        return self.uses_of(self.used)

    def uses_of(self, symbols: Iterable[int]) -> dict[int, list[OwnUse]]:
        """The places in the text that name some symbols; what macros make elsewhere is left out."""
        relations = relation_names(self.index)
        listed = json.dumps([*symbols])
        names = {
            row.symbol: row.name for row in map(UsedNameRow._make, self.index.rows(sql.HOMES, symbols=listed))
        }
        rows = self.index.rows(USES_IN_FILES, symbols=listed, files=json.dumps([*self.files]))
        found: dict[int, list[OwnUse]] = {}
        for row in map(UseRow._make, rows):
            if row.file is None or row.line is None or row.column is None:
                continue
            place = self.place(row.file, row.line, row.column)
            if place is not None:
                length = row.length or len(names[row.callee])
                where = row.file, (row.line, row.column)
                use = OwnUse(row.callee, row.operator, relations[row.relation], place, length, *where)
                found.setdefault(row.callee, []).append(use)
        for uses in found.values():
            uses.sort(key=lambda one: one.place)
        return found

    def texts_elsewhere(self, paths: Iterable[str]) -> dict[str, str]:
        """The texts that the index has of those of its files which are not on this machine."""
        numbers = {self._local(row.path): number for number, row in self.files.items()}
        return {path: "\n".join(self._lines(numbers[path])) for path in paths if not Path(path).exists()}

    def place(self, file: int, line: int, column: int | None) -> OwnPlace | None:
        """Where the present text has what was at a place when the index was built; None if it is gone."""
        path = self._local(self.files[file].path)
        present = present_file(self.index, path)
        if present is None:
            lines = self._lines(file)
            text = lines[line - 1] if line <= len(lines) else ""
            column = column or len(text) - len(text.lstrip()) + 1
        else:
            extent = present.extent(line, column)
            if extent is None:
                return None
            line, column, text = extent.line, extent.column, present.line(extent.line)
        return OwnPlace(path, line, column, text, self.files[file].system)

    def _lines(self, file: int) -> list[str]:
        if file not in self._texts:
            self._texts[file] = [text for (text,) in self.index.rows(SOURCE_TEXT, file=file)]
        return self._texts[file]

    def form_around(self, use: OwnUse) -> Form | None:
        """The form whose operator a use is; None if it is not an operator, or the form does not end."""
        if not use.place.before.rstrip().endswith("("):
            return None
        return self._form(use.place._replace(column=use.place.before.rindex("(") + 1))

    def type_of_call(self, use: OwnUse, form: Form, inner: Form) -> str | None:
        """The printed type of what a form within that around a use returns, if it is a call of a function.

        None also if nothing is known of the type of the value.
        """
        between = self._text_of(use)[: inner.items[0].start] if inner.items and inner.kind == LIST else ""
        if not between:
            return None
        line, column = use.indexed
        added = between.count("\n")
        if added:
            column = len(between) - between.rfind("\n")
        else:
            column += len(between) - form.items[0].start
        token = self._tokens.symbol(inner.items[0].text)
        if token is None:
            return None
        asked = {"file": use.file, "line": line + added, "column": column}
        rows = self.index.rows(sql.TYPE_AT, name=token.name, **asked)
        parts = items(rows[0][0]) if rows else []
        result = parts[2] if len(parts) == 3 else "T"
        values = items(result)[1:] if result.startswith("(VALUES") else [result]
        return values[0] if values and values[0] not in ("T", "*") and not values[0].startswith("&") else None

    def _text_of(self, use: OwnUse) -> str:
        """The text from the parenthesis before a use on."""
        return "\n".join(self._from(use.place))[use.place.before.rindex("(") :]

    def _form(self, place: OwnPlace) -> Form | None:
        """The form that begins at a place."""
        text = "\n".join(self._from(place))[place.column - 1 :]
        first = next(iter(read(text, self._features)), None)
        return first.node if first is not None and first.whole and isinstance(first.node, Form) else None

    def _from(self, place: OwnPlace) -> list[str]:
        """The lines of a file from a place on."""
        if place.path not in self._present:
            try:
                self._present[place.path] = named_text(self.index, place.path).split("\n")
            except OSError:
                self._present[place.path] = self.texts_elsewhere([place.path])[place.path].split("\n")
        return self._present[place.path][place.line - 1 : place.line + _MOST_LINES]

    def used_at(self, place: OwnPlace, names: Collection[str]) -> tuple[OwnPlace, int]:
        """Where the form that begins at a place, of a package, names one of those that it uses.

        Returns the place itself if the form does not, and the length of what is there.
        """
        form = self._form(place)
        for clause in form.items[2:] if form is not None else ():
            if not isinstance(clause, Form) or not clause.items or clause.items[0].text.lower() not in _USING:
                continue
            for item in clause.items[1:]:
                if isinstance(item, Atom) and designated(item, self._tokens) in names:
                    before = "\n".join(self._from(place))[place.column - 1 :][: item.start]
                    line = before.count("\n")
                    column = len(before) - (before.rfind("\n") + 1) + (1 if line else place.column)
                    text = self._from(place)[line]
                    there = OwnPlace(place.path, place.line + line, column, text, place.system)
                    return there, len(item.text)
        return place, 1
