"""The requests that markers make, by their names there, and how their answers read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lsprotocol.types import DocumentHighlightKind, SymbolKind

from support.markers.asking import Asking
from support.markers.hovers import hover_lines
from support.markers.notation import APART, Question

Request = Callable[[Asking, Question], list[str]]


# Names


def _hover(asking: Asking, question: Question) -> list[str]:
    """What matters at a glance: all but types and the list of definitions, and of documentation one line."""
    return [APART.join(told)] if (told := hover_lines(asking, question, briefly=True)) else []


def _hover_in_full(asking: Asking, question: Question) -> list[str]:
    return hover_lines(asking, question, briefly=False)


def _located(method: str, **more: Any) -> Request:
    """A request that is answered with places."""

    def ask(asking: Asking, question: Question) -> list[str]:
        found = asking.at(question, method, **more) or ()
        return asking.shown.places((one["uri"], one["range"]) for one in found)

    return ask


def _highlights(asking: Asking, question: Question) -> list[str]:
    """The places in each line, apart by whether the name is read or written there."""
    lines: dict[tuple[int, str], list[dict[str, Any]]] = {}
    for one in asking.at(question, "textDocument/documentHighlight") or ():
        kind = DocumentHighlightKind(one["kind"]).name.lower()
        lines.setdefault((one["range"]["start"]["line"], kind), []).append(one["range"])
    return [
        f"{kind}: {text}"
        for (_, kind), ranges in lines.items()
        for text in asking.shown.places((asking.uri, range_) for range_ in ranges)
    ]


# The file and the project


def _outline(asking: Asking, _: Question) -> list[str]:
    return list(_outlined(asking, asking.about("textDocument/documentSymbol") or (), ""))


def _outlined(asking: Asking, symbols: Any, indentation: str) -> Iterator[str]:
    """Each symbol with its detail, and what is marked if that is not its name; below it, what it holds."""
    for one in symbols:
        marked = asking.shown.cut(asking.uri, one["selectionRange"])
        apart = "" if marked in one["name"] else f" at {marked}"
        yield f"{indentation}{_kind(one)} {one['name']} ({one['detail']}){apart}"
        yield from _outlined(asking, one.get("children") or (), f"{indentation}  ")


def _kind(symbol: dict[str, Any]) -> str:
    return SymbolKind(symbol["kind"]).name.lower()


def _folding(asking: Asking, _: Question) -> list[str]:
    """The first and the last line of all that folds."""
    line = asking.shown.line
    return [
        f"{one.get('kind') or 'form'}: {line(one['startLine'])} ... {line(one['endLine'])}"
        for one in asking.about("textDocument/foldingRange") or ()
    ]


def _selection(asking: Asking, question: Question) -> list[str]:
    """What is selected, and what is each time one selects more."""
    position = asking.position(question)
    place = {"line": position.line, "character": position.character}
    (grown,) = asking.about("textDocument/selectionRange", positions=[place])
    found = []
    while grown is not None:
        found.append(asking.shown.cut(asking.uri, grown["range"]))
        grown = grown.get("parent")
    return found


def _symbols(asking: Asking, question: Question) -> list[str]:
    found = asking.talk.request("workspace/symbol", {"query": question.argument or ""})
    return [
        f"{_kind(one)} {one['name']}: {text}"
        for one in found or ()
        for text in asking.shown.places([(one["location"]["uri"], one["location"]["range"])])
    ]


def findings(asking: Asking) -> list[dict[str, Any]]:
    """The diagnostics of the file, in the order of the text."""
    found: list[dict[str, Any]] = asking.about("textDocument/diagnostic")["items"]
    return sorted(found, key=lambda one: (one["range"]["start"]["line"], one["range"]["start"]["character"]))


# Hierarchies


def _hierarchy(prepare: str, method: str, show: Callable[[Asking, Any, Any], Iterator[str]]) -> Request:
    """A request about the first of the items at a place."""

    def ask(asking: Asking, question: Question) -> list[str]:
        items = asking.at(question, prepare) or ()
        return [
            line
            for item in items[:1]
            for one in asking.talk.request(method, {"item": item}) or ()
            for line in show(asking, item, one)
        ]

    return ask


def _caller(asking: Asking, _: Any, call: Any) -> Iterator[str]:
    for text in asking.shown.places((call["from"]["uri"], one) for one in call["fromRanges"]):
        yield f"{call['from']['name']}: {text}"


def _callee(asking: Asking, item: Any, call: Any) -> Iterator[str]:
    for text in asking.shown.places((item["uri"], one) for one in call["fromRanges"]):
        yield f"{call['to']['name']}: {text}"


def _class(asking: Asking, _: Any, item: Any) -> Iterator[str]:
    for text in asking.shown.places([(item["uri"], item["selectionRange"])]):
        yield f"{item['name']}: {text}"


_CALLS, _TYPES = "textDocument/prepareCallHierarchy", "textDocument/prepareTypeHierarchy"
REQUESTS: dict[str, Request] = {
    "hover": _hover,
    "hover in full": _hover_in_full,
    "definition": _located("textDocument/definition"),
    "type definition": _located("textDocument/typeDefinition"),
    "implementation": _located("textDocument/implementation"),
    "references": _located("textDocument/references", context={"includeDeclaration": True}),
    "uses": _located("textDocument/references", context={"includeDeclaration": False}),
    "highlights": _highlights,
    "outline": _outline,
    "folding": _folding,
    "selection": _selection,
    "symbols": _symbols,
    "callers": _hierarchy(_CALLS, "callHierarchy/incomingCalls", _caller),
    "callees": _hierarchy(_CALLS, "callHierarchy/outgoingCalls", _callee),
    "supertypes": _hierarchy(_TYPES, "typeHierarchy/supertypes", _class),
    "subtypes": _hierarchy(_TYPES, "typeHierarchy/subtypes", _class),
}
ABOUT_PLACES = {name: name not in ("outline", "folding", "symbols") for name in REQUESTS}
"""Whether each request is about a place, or about the whole file or the project."""
