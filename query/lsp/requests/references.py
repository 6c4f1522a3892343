"""References: the uses that xref lists, carried to where they are now, and those in edited documents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from lsprotocol.types import DocumentHighlight, DocumentHighlightKind, Location

from ...index.not_found import NotFound
from ...questions.xref import sql as xref_sql
from ...questions.xref.ask import ask, relation_names, runs_of
from ...questions.xref.sql import RunRow, UseRow
from ...syntax.buffer import Chunk
from ...syntax.walk.meanings import Named
from ...syntax.walk.results import Binding, Walked
from ..documents.edited import Document
from ..indexed import sql
from ..indexed.places import Marked
from .asked import Asked
from .definition import GoneError, NoPlaceError, definitions
from .pointed import Global, Local, written

_WRITING = ("sets", "binds", "defines")
_PAGE = 1_000


def references(asked: Asked, at: Global | Local, *, with_definitions: bool) -> Iterator[Marked]:
    """Yield the uses of a name, each once; first its definitions, if they are wanted."""
    seen: set[tuple[str, int, int]] = set()
    for marked in _all(asked, at, with_definitions=with_definitions):
        key = marked[:3]
        if key not in seen:
            seen.add(key)
            yield marked


def _all(asked: Asked, at: Global | Local, *, with_definitions: bool) -> Iterator[Marked]:
    if isinstance(at, Local):
        for start, length, is_binding in _local_places(asked, at):
            if with_definitions or not is_binding:
                yield _in(asked.document, start, length)
        return
    if with_definitions:
        with suppress(GoneError, NoPlaceError):  # the uses may still be there
            yield from (Marked.of(spot.uri, spot.token) for spot in definitions(asked, at))
    yield from asked.places.uses(_recorded(asked, at), len(at.symbol.name))
    for document in _edited(asked):
        yield from _unsaved(asked, document, at)


def _in(document: Document, start: int, length: int) -> Marked:
    return Marked.of(document.uri, document.lines.range(start, start + length))


def recorded_total(asked: Asked, at: Global | Local) -> int:
    """The number of uses that the index has of a name, with a place or without."""
    return sum(run.total for run in _runs(asked, at)) if isinstance(at, Global) else 0


def _runs(asked: Asked, at: Global) -> list[RunRow]:
    index = asked.project.index
    name = written(asked, at.symbol, at.operator)
    question = ask(index, name, "CL-USER", relation=None, callees=False) if name is not None else None
    if question is None or isinstance(question, NotFound):
        return []
    return [run for run in runs_of(index, question, relation_names(index)) if run.relation is not None]


def _recorded(asked: Asked, at: Global) -> Iterator[sql.TextUseRow]:
    """Yield the uses of a name, as xref lists them, but with each run by itself."""
    index = asked.project.index
    for run in _runs(asked, at):
        if run.first is None or run.last is None:
            continue
        for first in range(run.first, run.last + 1, _PAGE):
            rows = index.rows(sql.TEXT_USES, first=first, last=min(first + _PAGE - 1, run.last))
            yield from map(sql.TextUseRow._make, rows)


def use_location(asked: Asked, use: UseRow, symbol: Named) -> Location | None:
    """Where a use is now; None if it is gone, or its place was never known."""
    if use.file is None or use.path is None or use.line is None:
        return None
    expansion = None
    if use.expansion is not None:
        ((expansion,),) = asked.project.index.rows(xref_sql.EXPANSION, expansion=use.expansion)
    length = use.length or len(symbol.name)
    marked = asked.places.use(use.file, use.path, use.line, use.column, length, expansion)
    return marked.location if marked is not None else None


def _edited(asked: Asked) -> Iterator[Document]:
    """Yield the open documents of the project whose text is not the indexed one."""
    for document in asked.documents:
        file = asked.project.file_at(document.path)
        if file is None:
            if document is asked.document or asked.project.holds(document.path):
                yield document
        elif asked.project.text(file) != document.text:
            yield document


def _unsaved(asked: Asked, document: Document, at: Global) -> Iterator[Marked]:
    """Yield the uses in the present text of a document; only forms that have the name are looked at."""
    folded, text = at.symbol.name.upper(), document.text.upper()
    bare = folded.strip("|")
    for chunk in document.chunks(asked.reader):
        if len(text) == len(document.text) and text.find(bare, chunk.start, chunk.end) < 0:
            continue
        for one in document.walked(asked.reader, chunk).occurrences:
            if _same(one.symbol, at.symbol) and one.operator == at.operator and one.relation != "defines":
                yield _in(document, chunk.start + one.start, one.length)


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
