"""The names that a structure makes from its own, which change with it (CLHS DEFSTRUCT)."""

from __future__ import annotations

from collections.abc import Iterator

from ...syntax.names.meanings import NamedSymbol, Symbol
from ..project.texts import ProjectTexts
from . import sql
from .sql import MadeRow


def derived_names(project: ProjectTexts, symbol: Symbol, new: str) -> Iterator[tuple[NamedSymbol, str]]:
    """Yield what a structure of that name makes, with its new name: ``MAKE-`` and the name, and so on.

    A name that the text of the project has where the structure is defined was given explicitly, and stays.
    """
    name = symbol.name
    for row in map(MadeRow._make, project.index.rows(sql.MADE_BY_STRUCTURE, symbol=symbol.number)):
        if row.name in (f"MAKE-{name}", f"COPY-{name}", f"{name}-P"):
            yield row.named, row.name.replace(name, new, 1)
        elif row.name.startswith(f"{name}-"):
            yield row.named, f"{new}{row.name.removeprefix(name)}"
