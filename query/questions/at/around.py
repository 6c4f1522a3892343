"""The definitions around and in a form: as the index has them, or as the walk sees them in a changed file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...index.written import SymbolRow
from ...syntax.walk.files import WalkedForm
from ...syntax.walk.results import WalkedDefinition
from ..definition.ask import package_read_in
from . import sql
from .source import AskedSource
from .sql import AroundRow, ToplevelRow

_SETF = re.compile(r"\(\s*(?:cl:|common-lisp:)?setf\s+$", re.IGNORECASE)


class PlacedDefinition(NamedTuple):
    """A definition as one types its name, the operator of its form, and the form's extent in the text.

    ``symbol`` is the number of its symbol, if the index has it, ``operator`` SETF or CAS of such a name.
    """

    written: str
    defined_by: str | None
    start: int
    end: int
    symbol: int | None
    operator: str | None


def definitions_near(
    source: AskedSource, forms: Iterable[WalkedForm], start: int, end: int
) -> list[PlacedDefinition]:
    """Return the definitions that overlap some text, the innermost first.

    Of one form that makes several definitions, what the form names comes first.
    """
    walked = [one for form in forms for one in form.walked.definitions]
    if source.present is not None:
        found = [_walked(source, one) for one in walked if one.macro]
        found = [one for one in found if one.start < end and one.end > start]
    else:
        named = {(one.form_start, one.symbol.number) for one in walked if one.macro}
        rows = source.index.rows(sql.AROUND, file=source.file.number, start=start, end=end)
        placed = list(map(AroundRow.of, rows))
        placed.sort(key=lambda one: (one.start, one.symbol.number) not in named)
        found = list(dict.fromkeys(_indexed(source, one) for one in placed))
    return sorted(found, key=lambda one: -one.start)


def toplevel_forms(source: AskedSource, line: int) -> Iterator[tuple[str, str]]:
    """The toplevel form around a line at its place in blank text, and the package that it is read in.

    Nothing if the index does not know it, or there is something else on its lines.
    """
    rows = source.index.rows(sql.TOPLEVEL, file=source.file.number, line=line)
    for row in map(ToplevelRow._make, rows):
        last = source.text.find("\n", row.end)
        rest = source.text[row.end : last if last >= 0 else len(source.text)]
        if source.lines.start(row.line) == row.start and not rest.strip():
            yield from _alone(source, row.line, row.start, row.end)


def hidden_forms(source: AskedSource, at: int) -> Iterator[tuple[str, str]]:
    """The same for the outermost definition around an offset."""
    rows = source.index.rows(sql.AROUND, file=source.file.number, start=at, end=at + 1)
    for one in sorted(map(AroundRow.of, rows), key=lambda one: one.start):
        yield from _alone(source, source.lines.place(one.start)[0], one.start, one.end)


def _alone(source: AskedSource, line: int, start: int, end: int) -> Iterator[tuple[str, str]]:
    package = package_read_in(source.index, source.file.number, line)
    if package is not None:
        yield " " * start + source.text[start:end], package.name


def _indexed(source: AskedSource, row: AroundRow) -> PlacedDefinition:
    name = row.symbol.written(source.index, row.operator)
    return PlacedDefinition(name, row.defined_by, row.start, row.end, row.symbol.number, row.operator)


def _walked(source: AskedSource, one: WalkedDefinition) -> PlacedDefinition:
    operator = "SETF" if _SETF.search(source.text[one.form_start : one.start]) else None
    number = one.symbol.number
    text = source.text[one.start : one.start + one.length]
    name = f"(setf {text})" if operator else text
    for row in source.index.rows(sql.SYMBOLS, symbols=json.dumps([number])) if number is not None else ():
        name = SymbolRow(*row).written(source.index, operator)
    return PlacedDefinition(name, one.macro.lower(), one.form_start, one.form_end, number, operator)
