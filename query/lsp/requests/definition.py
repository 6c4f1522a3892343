"""Definition, declaration, type definition and implementation."""

from __future__ import annotations

from lsprotocol.types import Location, LocationLink

from ...errors import QueryError
from ...index.kinds import CLASSES
from ...index.not_found import NotFound
from ...questions.classes import sql as class_sql
from ...questions.describe.ask import find
from ...questions.describe.sql import DefinitionRow
from ...syntax.walk.results import Binding
from ..indexed.places import Spot, distinct
from .asked import Asked
from .fresh import fresh_definitions
from .pointed import Global, Local, written

_SHOWN = 5
_TYPES = CLASSES | {"type"}


class NoPlaceError(QueryError):
    """A name is defined, but its place is unknown."""


class UnknownBindingError(QueryError):
    """A nonstandard macro is around a local name: only that macro knows what binds the name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"What binds {name} here is unknown: a macro that is not standard is around it.")


class GoneError(QueryError):
    """What was asked for existed when the index was built, but no longer does."""


def definitions(asked: Asked, at: Global | Local, *, types: bool = False) -> list[Spot]:
    """Where a name is defined: a local one where it is bound, another wherever the index says.

    With ``types``, only definitions of types count. Raises UnknownBindingError; GoneError if all are gone;
    NoPlaceError.
    """
    if isinstance(at, Local):
        return [_binding_spot(asked, at)]
    rows = [row for row in definition_rows(asked, at) if not types or row.kind in _TYPES]
    found = [asked.places.definition(row.place, at.symbol.name) for row in rows]
    spots = distinct(found) or fresh_definitions(asked, at.symbol, _TYPES if types else None)
    if rows and not spots:
        gone = [row for row in rows if row.place.path and row.place.line]
        raise GoneError(gone_message(asked, at, gone)) if gone else NoPlaceError(_no_place(asked, at, rows))
    return spots


def definition_rows(asked: Asked, at: Global) -> list[DefinitionRow]:
    """The definitions that describe lists for a name, or for its setf function if that is meant."""
    index = asked.project.index
    for operator in (at.operator, None):
        name = written(asked, at.symbol, operator)
        if name is None:
            return []
        found = find(index, name, "CL-USER")
        if not isinstance(found, NotFound):
            return found.rows
    return []


def binding_of(asked: Asked, at: Local) -> Binding:
    """What binds a local name. Raises UnknownBindingError."""
    if at.binding is None:
        raise UnknownBindingError(asked.document.text[at.start : at.end])
    return at.binding


def _binding_spot(asked: Asked, at: Local) -> Spot:
    """Where a local name is bound."""
    binding, lines, base = binding_of(asked, at), asked.document.lines, at.chunk.start
    start = base + binding.start
    return Spot(
        asked.document.uri,
        lines.range(start, start + binding.length),
        lines.range(base + binding.form_start, base + binding.form_end),
    )


def _no_place(asked: Asked, at: Global, rows: list[DefinitionRow]) -> str:
    name = written(asked, at.symbol, at.operator) or at.symbol.name
    kinds = ", ".join(dict.fromkeys(row.kind for row in rows))
    return f"{name} has definitions ({kinds}), but SBCL recorded no location for them."


def gone_message(asked: Asked, at: Global, gone: list[DefinitionRow]) -> str:
    """Say where the definitions ``gone`` stood when the index was built, and that their forms are gone."""
    name = written(asked, at.symbol, at.operator) or at.symbol.name
    places = [f"{asked.project.path_of(row.place.path or '')}:{row.place.line}" for row in gone]
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    forms = "that form is" if len(places) == 1 else "those forms are"
    return f"{name} was defined at {', '.join(places[:_SHOWN])}{more} when the index was built; {forms} gone."


def type_definitions(asked: Asked, at: Global | Local) -> list[Spot]:
    """Where the class or type of that name is defined."""
    return definitions(asked, at, types=True) if isinstance(at, Global) else []


def implementations(asked: Asked, at: Global | Local) -> list[Spot]:
    """The methods of a generic function, and the direct subclasses of a class."""
    if isinstance(at, Local) or at.symbol.number is None:
        return []
    found: list[Spot | None] = []
    for row in definition_rows(asked, at):
        if row.kind == "method":
            found.append(asked.places.definition(row.place, at.symbol.name))
    below = asked.project.index.rows(class_sql.SUBCLASSES, symbol=at.symbol.number, limit=-1, offset=0)
    for subclass in map(class_sql.SubclassRow.of, below):
        found.append(asked.places.definition(subclass.place, subclass.symbol.name))
    return distinct(found)


def as_answer(spots: list[Spot], *, links: bool) -> list[Location] | list[LocationLink]:
    """The spots as the client takes them: as links with the whole form if it can."""
    if not links:
        return [spot.location for spot in spots]
    return [
        LocationLink(target_uri=spot.uri, target_range=spot.form, target_selection_range=spot.token)
        for spot in spots
    ]
