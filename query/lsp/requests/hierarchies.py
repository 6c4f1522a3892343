"""Call hierarchies and type hierarchies, both ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol.types import (
    CallHierarchyIncomingCall,
    CallHierarchyItem,
    CallHierarchyOutgoingCall,
    Range,
    SymbolKind,
    TypeHierarchyItem,
)

from ...index.not_found import NotFound
from ...questions.classes import sql as class_sql
from ...questions.describe.ask import find
from ...questions.xref.ask import all_uses, ask, relation_names
from ...questions.xref.sql import UseRow
from ...syntax.walk.meanings import Named
from ..indexed import sql
from ..indexed.places import Spot
from .asked import Asked
from .definition import definition_rows
from .pointed import Global, written
from .references import use_location

_CALLING = ("calls", "macroexpands")
_CLASSES = ("class", "structure", "condition")
SYMBOL_KINDS = {
    "function": SymbolKind.Function,
    "macro": SymbolKind.Function,
    "generic-function": SymbolKind.Interface,
    "method": SymbolKind.Method,
    "class": SymbolKind.Class,
    "condition": SymbolKind.Class,
    "structure": SymbolKind.Struct,
    "type": SymbolKind.TypeParameter,
    "constant": SymbolKind.Constant,
    "variable": SymbolKind.Variable,
    "package": SymbolKind.Package,
}
"""The symbol kinds of the kinds of definitions; any other is that of an object."""


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
        kind=SYMBOL_KINDS.get(kind, SymbolKind.Object),
        uri=spot.uri,
        range=spot.form,
        selection_range=spot.token,
        detail=detail,
        data={"name": name},
    )


def _uses(asked: Asked, name: str, *, callees: bool) -> Iterator[UseRow]:
    """Yield the calls of a name, or those that it makes."""
    index = asked.project.index
    question = ask(index, name, "CL-USER", relation=None, callees=callees)
    if not isinstance(question, NotFound):
        relations = relation_names(index)
        yield from (use for use in all_uses(index, question) if relations[use.relation] in _CALLING)


def incoming_calls(asked: Asked, data: Any) -> list[CallHierarchyIncomingCall]:
    """The callers of the function of an item, each with the places of its calls."""
    name = _name(data)
    found: dict[int, tuple[CallHierarchyItem, list[Range]]] = {}
    for use in _uses(asked, name, callees=False):
        if use.definition is None:
            continue
        if use.definition not in found:
            item = _caller(asked, use.definition)
            if item is None:
                continue
            found[use.definition] = (item, [])
        item, ranges = found[use.definition]
        location = use_location(asked, use, Named(None, name.rpartition(":")[2], None))
        if location is not None and location.uri == item.uri:
            ranges.append(location.range)
    return [CallHierarchyIncomingCall(item, ranges) for item, ranges in found.values()]


def _caller(asked: Asked, definition: int) -> CallHierarchyItem | None:
    for row in map(sql.DefinedRow.of, asked.project.index.rows(sql.DEFINED, definition=definition)):
        spot = asked.places.definition(row.place, row.symbol.name)
        if spot is not None:
            name = row.symbol.written(asked.project.index, row.operator)
            return _call_item(name, row.kind, spot, row.specializers or row.arglist)
    return None


def outgoing_calls(asked: Asked, data: Any) -> list[CallHierarchyOutgoingCall]:
    """The functions and macros that the function of an item calls, each with the places of the calls."""
    name = _name(data)
    found: dict[tuple[int, str | None], tuple[CallHierarchyItem, list[Range]]] = {}
    for use in _uses(asked, name, callees=True):
        key = use.callee, use.operator
        if key not in found:
            item = _callee(asked, *key)
            if item is None:
                continue
            found[key] = (item, [])
        location = use_location(asked, use, Named(use.package, use.name or "", use.callee))
        if location is not None:
            found[key][1].append(location.range)
    return [CallHierarchyOutgoingCall(item, ranges) for item, ranges in found.values()]


def _callee(asked: Asked, symbol: int, operator: str | None) -> CallHierarchyItem | None:
    index = asked.project.index
    for number in map(sql.DefinedRow.of, index.rows(sql.DEFINED_FUNCTIONS, symbol=symbol, operator=operator)):
        spot = asked.places.definition(number.place, number.symbol.name)
        if spot is not None:
            return _call_item(number.symbol.written(index, operator), number.kind, spot, number.arglist)
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
        if row.kind in _CLASSES:
            spot = asked.places.definition(row.place, found.found.name)
            if spot is not None:
                items.append(_type_item(name, row.kind, spot))
    return items


def _type_item(name: str, kind: str, spot: Spot) -> TypeHierarchyItem:
    return TypeHierarchyItem(
        name=name,
        kind=SYMBOL_KINDS.get(kind, SymbolKind.Class),
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
