"""Definitions that stand in open documents, whether or not the index has them yet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ...index.kinds import DEFINED_BY
from ...syntax.buffer import Chunk
from ...syntax.lambda_list import LambdaList, read_lambda_list
from ...syntax.names.meanings import Symbol
from ...syntax.nodes import Form, forms_in
from ...syntax.walk.nodes import LIST
from ...syntax.walk.results import WalkedDefinition
from ..documents.edited import Document, TextReader
from ..indexed.places import Spot
from .asked import Asked

_ESCAPES = "\\|"
CALLED_BY = frozenset(("DEFUN", "DEFMACRO", "DEFGENERIC"))
"""The macros after whose first argument the lambda list of what they define comes."""


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


def fresh_lambda_list(asked: Asked, symbol: Symbol) -> LambdaList | None:
    """The lambda list of the function or macro that an open document of the project defines."""
    for document in asked.documents:
        if document is asked.document or asked.project.holds(document.path):
            for chunk, one in _defining(document, asked.reader, symbol):
                if one.macro in CALLED_BY and isinstance(chunk.toplevel.node, Form):
                    text = document.text[chunk.start : chunk.end]
                    return lambda_list_after(chunk.toplevel.node, one.start, text, asked.reader)
    return None


def lambda_list_after(form: Form, name: int, text: str, reader: TextReader) -> LambdaList | None:
    """The lambda list that follows the name at an offset of the text, which the form binds or defines."""
    for one in forms_in(form):
        for before, item in pairwise(one.items):
            if before.start == name and item.kind == LIST:
                return read_lambda_list(text[item.start : item.end], reader.tokens, reader.features)
    return None


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
