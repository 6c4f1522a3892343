"""The functions that DEFSTRUCT makes besides accessors: constructors, predicate and copier."""

from __future__ import annotations

from ...index.reading import Reading
from . import sql
from .answer import StructureFunction

CONSTRUCTOR, PREDICATE, COPIER = "constructor", "predicate", "copier"


def structure_functions(index: Reading, class_id: int) -> dict[str, list[StructureFunction]]:
    """Return them by role; none of any class that is not a structure."""
    found: dict[str, list[StructureFunction]] = {CONSTRUCTOR: [], PREDICATE: [], COPIER: []}
    for row in map(sql.StructureFunctionRow.of, index.rows(sql.STRUCTURE_FUNCTIONS, class_id=class_id)):
        found[row.role].append(
            StructureFunction(
                written=row.symbol.written(index),
                by_position=bool(row.by_position),
                arglist=row.arglist,
                **row.place.start(index),
            )
        )
    return found
