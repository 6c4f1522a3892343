"""The names that a structure makes from its own, which change with it (CLHS DEFSTRUCT)."""

from __future__ import annotations

from collections.abc import Iterator

from ...syntax.names.meanings import NamedSymbol, Symbol
from ..errors import RefactorError
from ..project.texts import ProjectTexts
from . import sql
from .sql import MadeRow


def derived_names(project: ProjectTexts, symbol: Symbol, new: str) -> Iterator[tuple[NamedSymbol, str]]:
    """Yield what a structure of that name makes, with its new name: ``MAKE-`` and the name, and so on.

    A name that some text of the project has where the structure is defined was given to it there, and stays.
    """
    name = symbol.name
    for row in map(MadeRow._make, project.index.rows(sql.MADE_BY_STRUCTURE, symbol=symbol.number)):
        made = NamedSymbol(row.package, row.name, row.symbol)
        if row.name in (f"MAKE-{name}", f"COPY-{name}", f"{name}-P"):
            yield made, row.name.replace(name, new, 1)
        elif row.name.startswith(f"{name}-"):
            yield made, f"{new}{row.name.removeprefix(name)}"


def refuse_accessor(project: ProjectTexts, symbol: Symbol) -> None:
    """Raise RefactorError for an accessor that a structure makes: no text names it where it is defined."""
    for slot, structure in project.index.rows(sql.ACCESSOR_OF, symbol=symbol.number):
        raise RefactorError(
            f"{symbol.name} is made by the structure {structure}, from its name and that of the slot {slot}; "
            "rename the structure, or give the slot another accessor"
        )
