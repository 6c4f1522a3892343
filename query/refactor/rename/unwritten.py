"""Places that name a symbol without writing it: expansions, and definitions made from its name."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from ...index.written import own_name
from ...syntax.names.meanings import NamedSymbol
from ..gathered import GatheredEdits
from ..project.makers import Makers
from . import sql
from .sql import DefinedAtRow, NamedWithRow, UsedOutsideRow, WithoutPlaceRow


def tell_unwritten(
    gathered: GatheredEdits, symbol: NamedSymbol, names: Collection[str], *, is_made: bool
) -> None:
    """Report the places that name a symbol without writing it, after all that is written has been gathered.

    ``names`` are those of all symbols that change; one that ``is_made`` of another has no form.
    """
    tell_uses(gathered, symbol, gathered.makers())
    _tell_made_names(gathered, symbol, names)
    if not is_made:
        _tell_definitions(gathered, symbol)


def tell_outside(gathered: GatheredEdits, rows: Iterable[UsedOutsideRow]) -> None:
    """Report files that are outside of the project, and are not changed."""
    for row in rows:
        path = gathered.project.index.local_path(row.path) or row.path
        if not Path(path).is_relative_to(gathered.project.folder):
            gathered.tell_line(path, row.line, "a use outside of the project")


def tell_uses(gathered: GatheredEdits, symbol: NamedSymbol, makers: Makers) -> None:
    """Report uses outside of the project, and those in it that the text does not name.

    The latter are not reported if ``makers`` make them, or if their form is edited.
    """
    project = gathered.project
    outside = project.index.rows(sql.USED_OUTSIDE, symbol=symbol.number, below=f"{project.folder}/")
    tell_outside(gathered, map(UsedOutsideRow._make, outside))
    for row in map(WithoutPlaceRow._make, project.index.rows(sql.WITHOUT_PLACE, symbol=symbol.number)):
        path = project.index.local_path(row.path) or row.path
        if Path(path).is_relative_to(project.folder) and not _is_made(gathered, path, row, makers):
            by = f"the expansion of {row.expansion.lower()}" if row.expansion else "code that no text shows"
            gathered.tell_line(path, row.line, f"{by} {row.relation} it")


def _is_made(gathered: GatheredEdits, path: str, row: WithoutPlaceRow, makers: Makers) -> bool:
    """Whether a use comes from text that is edited: in the form, what makes it, or what is inline in it."""
    if row.line is not None and gathered.is_edited(path, row.line):
        return True
    if row.expansion is not None and makers.makes(row.expansion):
        return True
    return row.line is not None and gathered.calls_edited(path, row.line)


def _tell_made_names(gathered: GatheredEdits, symbol: NamedSymbol, names: Collection[str]) -> None:
    """Definitions whose names no text has, and which are made from this one in a form that is edited."""
    project = gathered.project
    rows = project.index.rows(sql.NAMED_WITH, symbol=symbol.number, name=symbol.name)
    for row in map(NamedWithRow._make, rows):
        path = project.index.local_path(row.path) or row.path
        if row.name in names or row.line is None or not gathered.is_edited(path, row.line):
            continue
        if not any(one.has(row.name) for one in project.sources()):
            made = own_name(row.name, project.index.upcase)
            gathered.tell_line(path, row.line, f"{made} is made from its name")


def tell_class(gathered: GatheredEdits, symbol: NamedSymbol, why: str) -> None:
    """Report the definition of a class if it is not edited, and ``why`` that matters."""
    _tell_definitions(gathered, symbol, why, ("structure", "class", "condition"))


def _tell_definitions(
    gathered: GatheredEdits, symbol: NamedSymbol, why: str = "", kinds: Collection[str] = ()
) -> None:
    """Tell definitions, of some kinds or all, that neither their forms nor templates of edited text make."""
    index, makers = gathered.project.index, gathered.makers()
    for row in map(DefinedAtRow._make, index.rows(sql.DEFINED_AT, symbol=symbol.number)):
        path = index.local_path(row.path) or row.path
        if row.line is None or gathered.is_edited(path, row.line) or (kinds and row.kind not in kinds):
            continue
        if row.operator is None or not makers.makes(row.operator):
            told = why or f"the {row.kind} is made by a form that does not name it"
            gathered.tell_line(path, row.line, told)
