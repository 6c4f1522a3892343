"""Definitions that stand in open documents, whether or not the index has them yet."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.kinds import DEFINED_BY
from ...syntax.buffer import Chunk
from ...syntax.names.meanings import Symbol
from ...syntax.walk.results import WalkedDefinition
from ..documents.edited import Document, TextReader
from ..indexed.places import Spot
from .asked import Asked

_ESCAPES = "\\|"


def fresh_definitions(asked: Asked, symbol: Symbol, kinds: frozenset[str] | None = None) -> list[Spot]:
    """The forms in the open documents of the project that define a symbol, of some kinds or any."""
    found = []
    for document in asked.documents:
        if document is asked.document or asked.project.holds(document.path):
            for chunk, one in _defining(document, asked.reader, symbol):
                if kinds is not None and DEFINED_BY.get(one.macro) not in kinds:
                    continue
                start = chunk.start + one.start
                token = document.lines.range(start, start + one.length)
                whole = document.lines.range(chunk.start + one.form_start, chunk.start + one.form_end)
                found.append(Spot(document.uri, token, whole))
    return found


def _defining(
    document: Document, reader: TextReader, symbol: Symbol
) -> Iterator[tuple[Chunk, WalkedDefinition]]:
    name = symbol.name.lower()
    for chunk in document.chunks(reader):
        text = document.text[chunk.start : chunk.end].lower()
        if name in text or any(one in text for one in _ESCAPES):
            for one in document.walked(reader, chunk).definitions:
                if (one.symbol.package, one.symbol.name) == (symbol.package, symbol.name):
                    yield chunk, one
