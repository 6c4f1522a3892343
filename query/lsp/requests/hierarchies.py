"""Call hierarchies and type hierarchies, both ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol.types import (
    CallHierarchyIncomingCall,
    CallHierarchyItem,
    CallHierarchyOutgoingCall,
    Range,
    TypeHierarchyItem,
)

from ...index.kinds import CLASSES
from ...index.not_found import NotFound
from ...questions.classes import sql as class_sql
from ...questions.describe.ask import find
from ...questions.xref.ask import all_uses
from ...questions.xref.references import relation_names
from ...questions.xref.sql import UseRow
from ..indexed import sql
from ..indexed.places import Spot
from .asked import Asked
from .definition import definition_rows
from .pointed import Global, written
from .references import question_of, recorded
from .symbol_kinds import of_kind

_CALLING = ("calls", "macroexpands")


def prepared_calls(asked: Asked, at: Global) -> list[CallHierarchyItem]:
    """The functions of that name, each with its place."""
    items = []
    for row in definition_rows(asked, at):
        if row.documentation_type == "FUNCTION":
            spot = asked.places.definition(row.place, at.symbol.name)
            if spot is not None:
                items.append(_call_item(_written_of(asked, at), row.kind, spot, row.arglist))
    return items


def _written_of(asked: Asked, at: Global) -> str:
    return written(asked, at.symbol, at.operator) or written(asked, at.symbol, None) or at.symbol.name


def _call_item(name: str, kind: str, spot: Spot, detail: str | None) -> CallHierarchyItem:
    return CallHierarchyItem(
        name=name,
        kind=of_kind(kind),
        uri=spot.uri,
        range=spot.form,
        selection_range=spot.token,
        detail=detail,
        data={"name": name},
    )


def incoming_calls(asked: Asked, data: Any, most: int) -> tuple[list[CallHierarchyIncomingCall], bool]:
    """At most ``most`` callers of the function of an item, each with the places of its calls.

    The second value is whether there are more.
    """
    question = question_of(asked, _name(data))
    if question is None:
        return [], False
    found: dict[int, tuple[CallHierarchyItem, list[Range]]] = {}
    nowhere: set[int | None] = {None}
    rows = recorded(asked, question, _CALLING)
    for row, marked in asked.places.uses(rows, len(question.found.name)):
        if row.definition is None or row.definition in nowhere:
            continue
        if row.definition not in found:
            if len(found) == most:
                return _incoming(found), True
            item = _caller(asked, row.definition)
            if item is None:
                nowhere.add(row.definition)
                continue
            found[row.definition] = item, []
        item, ranges = found[row.definition]
        if marked.uri == item.uri:
            ranges.append(marked.range)
    return _incoming(found), False


def _incoming(found: dict[int, tuple[CallHierarchyItem, list[Range]]]) -> list[CallHierarchyIncomingCall]:
    return [CallHierarchyIncomingCall(item, ranges) for item, ranges in found.values()]


def _caller(asked: Asked, definition: int) -> CallHierarchyItem | None:
    for row in map(sql.PlacedFunctionRow.of, asked.project.index.rows(sql.DEFINED, definition=definition)):
        spot = asked.places.definition(row.place, row.symbol.name)
        if spot is not None:
            name = row.symbol.written(asked.project.index, row.operator)
            return _call_item(name, row.kind, spot, row.specializers or row.arglist)
    return None


def outgoing_calls(asked: Asked, data: Any) -> list[CallHierarchyOutgoingCall]:
    """The functions and macros that the function of an item calls, each with the places of the calls."""
    index = asked.project.index
    question = question_of(asked, _name(data), callees=True)
    if question is None:
        return []
    relations = relation_names(index)
    calls: dict[tuple[int, str | None], list[UseRow]] = {}
    for use in all_uses(index, question):
        if relations[use.relation] in _CALLING:
            calls.setdefault((use.callee, use.operator), []).append(use)
    found = []
    for (callee, operator), uses in calls.items():
        item = _callee(asked, callee, operator)
        if item is not None:
            rows = (row for use in uses for row in _text_uses(asked, use))
            marked = asked.places.uses(rows, len(uses[0].name or ""))
            found.append(CallHierarchyOutgoingCall(item, [one.range for _, one in marked]))
    return found


def _text_uses(asked: Asked, use: UseRow) -> Iterator[sql.TextUseRow]:
    """A use with its line in the indexed text, if its place is known."""
    return map(sql.TextUseRow._make, asked.project.index.rows(sql.TEXT_USES, first=use.row, last=use.row))


def _callee(asked: Asked, symbol: int, operator: str | None) -> CallHierarchyItem | None:
    index = asked.project.index
    rows = index.rows(sql.DEFINED_FUNCTIONS, symbol=symbol, operator=operator)
    for row in map(sql.PlacedFunctionRow.of, rows):
        spot = asked.places.definition(row.place, row.symbol.name)
        if spot is not None:
            return _call_item(row.symbol.written(index, operator), row.kind, spot, row.arglist)
    return None


def _name(data: Any) -> str:
    return str(data["name"]) if isinstance(data, dict) and "name" in data else ""


# Types


def prepared_types(asked: Asked, name: str | None) -> list[TypeHierarchyItem]:
    """The class of that name."""
    if name is None:
        return []
    index = asked.project.index
    found = find(index, name, "CL-USER")
    if isinstance(found, NotFound):
        return []
    items = []
    for row in found.rows:
        if row.kind in CLASSES:
            spot = asked.places.definition(row.place, found.found.name)
            if spot is not None:
                items.append(_type_item(name, row.kind, spot))
    return items


def _type_item(name: str, kind: str, spot: Spot) -> TypeHierarchyItem:
    return TypeHierarchyItem(
        name=name,
        kind=of_kind(kind),
        uri=spot.uri,
        range=spot.form,
        selection_range=spot.token,
        detail=kind,
        data={"name": name},
    )


def supertypes(asked: Asked, data: Any) -> list[TypeHierarchyItem]:
    """The direct superclasses of the class of an item, in their order."""
    answer = asked.project.index.class_(_name(data))
    if isinstance(answer, NotFound):
        return []
    return [item for name in answer.superclasses for item in prepared_types(asked, name)]


def subtypes(asked: Asked, data: Any) -> list[TypeHierarchyItem]:
    """The direct subclasses of the class of an item, by name."""
    index = asked.project.index
    found = find(index, _name(data), "CL-USER")
    if isinstance(found, NotFound):
        return []
    items = []
    below = index.rows(class_sql.SUBCLASSES, symbol=found.found.symbol, limit=-1, offset=0)
    for row in map(class_sql.SubclassRow.of, below):
        spot = asked.places.definition(row.place, row.symbol.name)
        if spot is not None:
            items.append(_type_item(row.symbol.written(index), row.kind, spot))
    return items
