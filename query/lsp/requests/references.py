"""References: the uses that xref lists, carried to where they are now, and those in edited documents."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress

from lsprotocol.types import DocumentHighlight, DocumentHighlightKind

from oblist.indexer.left_out import REFERENCES

from ...index.not_found import NotFound
from ...questions.xref.ask import Question, ask, runs_of
from ...questions.xref.parameters import XrefParameters
from ...questions.xref.references import relation_names
from ...questions.xref.sql import RunRow
from ...syntax.names.meanings import Symbol
from ..documents.edited import Document
from ..indexed import sql
from ..indexed.places import Marked
from .asked import Asked
from .definition import GoneError, NoPlaceError, binding_of, definitions
from .pointed import Global, Local, written

_WRITING = ("sets", "binds", "defines")
_PAGE = 1_000


def references(asked: Asked, at: Global | Local, *, with_definitions: bool) -> Iterator[Marked]:
    """Yield the uses of a name, each once; first its definitions, if they are requested."""
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
    question = question_of(asked, written(asked, at.symbol, at.operator))
    if question is not None:
        uses = asked.places.uses(recorded(asked, question), len(at.symbol.name))
        yield from (marked for _, marked in uses)
    for document in _edited(asked):
        yield from _unsaved(asked, document, at)


def _in(document: Document, start: int, length: int) -> Marked:
    return Marked.of(document.uri, document.lines.range(start, start + length))


def question_of(asked: Asked, name: str | None, *, callees: bool = False) -> Question | None:
    """The question to xref about a name as one types it; None if the index does not have it.

    Raises UnrecordedError if the index has no uses because nobody recorded them.
    """
    if name is None:
        return None
    asked.project.index.require(REFERENCES)
    question = ask(asked.project.index, XrefParameters(name, callees=callees))
    return question if not isinstance(question, NotFound) else None


def recorded_total(asked: Asked, at: Global | Local) -> int:
    """The number of uses that the index has of a name, with a place or without."""
    name = written(asked, at.symbol, at.operator) if isinstance(at, Global) else None
    question = question_of(asked, name)
    return sum(run.total for run in _runs(asked, question)) if question is not None else 0


def _runs(asked: Asked, question: Question, relations: Collection[str] = ()) -> Iterator[RunRow]:
    """Yield the runs of a name's uses, of some relations or all."""
    names = relation_names(asked.project.index)
    for run in runs_of(asked.project.index, question, names):
        if run.relation is not None and (not relations or names[run.relation] in relations):
            yield run


def recorded(asked: Asked, question: Question, relations: Collection[str] = ()) -> Iterator[sql.TextUseRow]:
    """Yield the uses that answer a question, of some relations or all, one run at a time."""
    index = asked.project.index
    for run in _runs(asked, question, relations):
        if run.first is None or run.last is None:
            continue
        for first in range(run.first, run.last + 1, _PAGE):
            rows = index.rows(sql.TEXT_USES, first=first, last=min(first + _PAGE - 1, run.last))
            yield from map(sql.TextUseRow._make, rows)


def _edited(asked: Asked) -> Iterator[Document]:
    """Yield the open documents of the project whose text is not the indexed one."""
    for document in asked.documents:
        file = asked.project.file_at(document.path)
        if file is None:
            if document is asked.document or asked.project.holds(document.path):
                yield document
        elif asked.project.text(file) != document.text:
            yield document


def _unsaved(asked: Asked, document: Document, at: Global) -> list[Marked]:
    """The uses in the present text of a document; only forms that have the name are looked at."""
    cased = asked.reader.tokens.cased
    name, text = cased(at.symbol.name), document.text
    return [
        _in(document, chunk.start + one.start, one.length)
        for chunk in document.chunks(asked.reader)
        if name in cased(text[chunk.start : chunk.end])
        for one in document.walked(asked.reader, chunk).occurrences
        if _same(one.symbol, at.symbol) and one.operator == at.operator and one.relation != "defines"
    ]


def _same(one: Symbol, other: Symbol) -> bool:
    return (one.package, one.name) == (other.package, other.name)


def _local_places(asked: Asked, at: Local) -> Iterator[tuple[int, int, bool]]:
    """Yield the extent of each place with a local name, and whether it binds it."""
    binding, base = binding_of(asked, at), at.chunk.start
    yield base + binding.start, binding.length, True
    for use in asked.document.walked(asked.reader, at.chunk).uses:
        if use.binding == binding and use.start != binding.start:
            yield base + use.start, use.length, False


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
            lines.range(chunk.start + one.start, chunk.start + one.start + one.length),
            DocumentHighlightKind.Write if one.relation in _WRITING else DocumentHighlightKind.Read,
        )
        for chunk, walked in document.all_walked(asked.reader)
        for one in walked.occurrences
        if _same(one.symbol, at.symbol)
    ]
