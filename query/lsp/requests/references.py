"""References: the uses that xref lists, carried to where they are now, and those in edited documents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from lsprotocol.types import DocumentHighlight, DocumentHighlightKind, Location

from ...index.not_found import NotFound
from ...questions.xref import sql as xref_sql
from ...questions.xref.ask import all_uses, ask
from ...questions.xref.sql import UseRow
from ...syntax.buffer import Chunk
from ...syntax.walk.meanings import Named
from ...syntax.walk.results import Binding, Walked
from ..documents.edited import Document
from .asked import Asked
from .definition import GoneError, NoPlaceError, definitions
from .pointed import Global, Local, written

_WRITING = ("sets", "binds", "defines")


def references(asked: Asked, at: Global | Local, *, with_definitions: bool) -> Iterator[Location]:
    """Yield the uses of a name, each once; first its definitions, if they are wanted."""
    seen: set[tuple[str, int, int]] = set()
    for location in _all(asked, at, with_definitions=with_definitions):
        start = location.range.start
        key = location.uri, start.line, start.character
        if key not in seen:
            seen.add(key)
            yield location


def _all(asked: Asked, at: Global | Local, *, with_definitions: bool) -> Iterator[Location]:
    if isinstance(at, Local):
        for start, length, is_binding in _local_places(asked, at):
            if with_definitions or not is_binding:
                yield Location(asked.document.uri, asked.document.lines.range(start, start + length))
        return
    if with_definitions:
        with suppress(GoneError, NoPlaceError):  # the uses may still be there
            yield from (spot.location for spot in definitions(asked, at))
    for use in uses(asked, at):
        location = use_location(asked, use, at.symbol)
        if location is not None:
            yield location
    for document in _edited(asked):
        yield from _unsaved(asked, document, at)


def uses(asked: Asked, at: Global) -> list[UseRow]:
    """The uses of a name, as xref lists them."""
    name = written(asked, at.symbol, at.operator)
    if name is None:
        return []
    question = ask(asked.project.index, name, "CL-USER", relation=None, callees=False)
    return [] if isinstance(question, NotFound) else all_uses(asked.project.index, question)


def use_location(asked: Asked, use: UseRow, symbol: Named) -> Location | None:
    """Where a use is now; None if it is gone, or its place was never known."""
    if use.file is None or use.path is None or use.line is None:
        return None
    expansion = None
    if use.expansion is not None:
        ((expansion,),) = asked.project.index.rows(xref_sql.EXPANSION, expansion=use.expansion)
    length = use.length or len(symbol.name)
    spot = asked.places.use(use.file, use.path, use.line, use.column, length, expansion)
    return spot.location if spot is not None else None


def _edited(asked: Asked) -> Iterator[Document]:
    """Yield the open documents of the project whose text is not the indexed one."""
    for document in asked.documents:
        file = asked.project.file_at(document.path)
        if file is None:
            if document is asked.document or asked.project.holds(document.path):
                yield document
        elif asked.project.text(file) != document.text:
            yield document


def _unsaved(asked: Asked, document: Document, at: Global) -> Iterator[Location]:
    """Yield the uses in the present text of a document; only forms that have the name are looked at."""
    folded, text = at.symbol.name.upper(), document.text.upper()
    bare = folded.strip("|")
    for chunk in document.chunks(asked.reader):
        if len(text) == len(document.text) and text.find(bare, chunk.start, chunk.end) < 0:
            continue
        for one in document.walked(asked.reader, chunk).occurrences:
            if _same(one.symbol, at.symbol) and one.operator == at.operator and one.relation != "defines":
                start = chunk.start + one.start
                yield Location(document.uri, document.lines.range(start, start + one.length))


def _same(one: Named, other: Named) -> bool:
    return (one.package, one.name) == (other.package, other.name)


def _local_places(asked: Asked, at: Local) -> Iterator[tuple[int, int, bool]]:
    """Yield the extent of each place with a local name, and whether it is the binding."""
    if at.binding is None:
        name = asked.document.text[at.start : at.end]
        raise GoneError(f"What binds {name} here is unknown: a macro that is not standard is around it.")
    walked = asked.document.walked(asked.reader, at.chunk)
    yield at.chunk.start + at.binding.start, at.binding.length, True
    for start, length in _uses_of(at.binding, walked):
        yield at.chunk.start + start, length, False


def _uses_of(binding: Binding, walked: Walked) -> Iterator[tuple[int, int]]:
    for use in walked.uses:
        if use.binding == binding and use.start != binding.start:
            yield use.start, use.length


def highlights(asked: Asked, at: Global | Local) -> list[DocumentHighlight]:
    """The places in the document with the name at one of them."""
    document, lines = asked.document, asked.document.lines
    if isinstance(at, Local):
        if at.binding is None:
            return [DocumentHighlight(lines.range(at.start, at.end), DocumentHighlightKind.Text)]
        return [
            DocumentHighlight(
                lines.range(start, start + length),
                DocumentHighlightKind.Write if is_binding else DocumentHighlightKind.Read,
            )
            for start, length, is_binding in _local_places(asked, at)
        ]
    return [
        DocumentHighlight(
            lines.range(chunk.start + start, chunk.start + start + length),
            DocumentHighlightKind.Write if relation in _WRITING else DocumentHighlightKind.Read,
        )
        for chunk, start, length, relation in _named(asked, document, at.symbol)
    ]


def _named(asked: Asked, document: Document, symbol: Named) -> Iterator[tuple[Chunk, int, int, str]]:
    for chunk, walked in document.all_walked(asked.reader):
        for one in walked.occurrences:
            if _same(one.symbol, symbol):
                yield chunk, one.start, one.length, one.relation
