"""The structure of a document: its symbols, what folds, and selections that grow by forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lsprotocol.types import (
    DocumentSymbol,
    FoldingRange,
    FoldingRangeKind,
    SelectionRange,
)

from ...syntax.buffer import Chunk
from ...syntax.margins import MarginDefinition, margin_definitions
from ...syntax.nodes import Atom, Form, Node, forms_in
from ..documents.edited import Document, TextReader
from .outline import DefiningForm, outlined_forms
from .symbol_kinds import of_macro

_MOST_DETAIL = 120
_MOST_LINES = 10_000
_COMMENTS = re.compile(r"(?:^[ \t]*;[^\n]*(?:\n|\Z)){2,}", re.MULTILINE)


def document_symbols(document: Document, reader: TextReader) -> list[DocumentSymbol]:
    """The definitions in a document, with those inside them as their children.

    In a document that is too large to be read, these are the first 10,000 lines that look like the beginning
    of a definition.
    """
    if document.is_large:
        return [
            _symbol_of_line(document, one) for one in islice(margin_definitions(document.text), _MOST_LINES)
        ]
    return [symbol for chunk in document.chunks(reader) for symbol in _symbols_in(document, reader, chunk)]


def _symbols_in(document: Document, reader: TextReader, chunk: Chunk) -> list[DocumentSymbol]:
    top: list[DocumentSymbol] = []
    around: list[tuple[int, DocumentSymbol]] = []
    for form in outlined_forms(chunk, reader, document.package_of(reader, chunk)):
        symbol = _symbol(document, chunk, form)
        while around and around[-1][0] <= form.form.start:
            around.pop()
        siblings = top
        if around:
            outer = around[-1][1]
            outer.children = siblings = list(outer.children or ())
        siblings.append(symbol)
        around.append((form.form.end, symbol))
    return top


def _symbol_of_line(document: Document, one: MarginDefinition) -> DocumentSymbol:
    lines, name_end = document.lines, one.name_start + len(one.name)
    return DocumentSymbol(
        name=f"(setf {one.name})" if one.setf else one.name,
        kind=of_macro(one.operator),
        range=lines.range(one.start, name_end),
        selection_range=lines.range(one.name_start, name_end),
        detail=one.operator[:_MOST_DETAIL],
    )


def _symbol(document: Document, chunk: Chunk, form: DefiningForm) -> DocumentSymbol:
    lines, base = document.lines, chunk.start
    start, end = base + form.form.start, base + max(form.form.end, form.name.start + len(form.name.text))
    name = form.name.text
    token = base + form.name.start
    detail = [form.operator, *_specializers(document, chunk, form)]
    return DocumentSymbol(
        name=f"(setf {name})" if form.setf else name or "?",
        kind=of_macro(form.operator),
        range=lines.range(start, end),
        selection_range=lines.range(token, token + len(name)),
        detail=" ".join(detail)[:_MOST_DETAIL],
    )


def _specializers(document: Document, chunk: Chunk, form: DefiningForm) -> Iterator[str]:
    """Yield what tells methods apart: qualifiers and the lambda list; or the arguments of a function."""
    if form.operator not in ("defmethod", "defun", "defmacro", "defgeneric"):
        return
    for node in form.rest:
        if isinstance(node, Atom):
            yield node.text
        else:
            text = document.text[chunk.start + node.start : chunk.start + node.end]
            yield " ".join(text.split())
            return


def folding_ranges(document: Document, reader: TextReader) -> list[FoldingRange]:
    """The forms and comments that span more than one line."""
    lines = document.lines
    found = []
    for chunk in document.chunks(reader):
        begun: set[int] = set()
        for form in sorted(forms_in(chunk.toplevel.node), key=lambda one: (one.start, -one.end)):
            end = _without_blanks(document.text, chunk.start + form.start, chunk.start + form.end)
            extent = lines.range(chunk.start + form.start, end)
            # Of forms that begin on one line, the outermost folds.
            if extent.end.line > extent.start.line and extent.start.line not in begun:
                begun.add(extent.start.line)
                found.append(FoldingRange(extent.start.line, extent.end.line))
    for match in _COMMENTS.finditer(document.text):
        extent = lines.range(match.start(), match.end() - 1)
        if document.chunk_at(reader, match.start() + 1) is None:
            found.append(FoldingRange(extent.start.line, extent.end.line, kind=FoldingRangeKind.Comment))
    return found


def _without_blanks(text: str, start: int, end: int) -> int:
    """The end of a form without the blanks that one that is not closed has before the next form."""
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


def selection_range(document: Document, reader: TextReader, offset: int) -> SelectionRange:
    """The token, the forms and the document around an offset, each within the next."""
    lines, text = document.lines, document.text
    selection = SelectionRange(lines.range(0, len(text)))
    chunk = document.chunk_at(reader, offset)
    extents = _extents(chunk, offset) if chunk is not None else []
    for start, end in extents:
        extent = lines.range(start, end)
        if extent != selection.range:
            selection = SelectionRange(extent, parent=selection)
    return selection


def _extents(chunk: Chunk, offset: int) -> list[tuple[int, int]]:
    """The extents around an offset, outermost first: of each form, of its inside, and of the token."""
    found = []
    node: Node | None = chunk.toplevel.node
    while node is not None:
        start = chunk.start + node.start
        end = start + len(node.text) if isinstance(node, Atom) else chunk.start + node.end
        found.append((start, end))
        inner = None
        if isinstance(node, Form):
            if node.kind.endswith("(") and start < offset < end:
                found.append((start + len(node.kind), end - 1))
            inner = next((one for one in node.items if _holds(one, offset - chunk.start)), None)
        node = inner
    return [extent for extent in found if extent[0] <= offset <= extent[1]]


def _holds(node: Node, at: int) -> bool:
    end = node.start + len(node.text) if isinstance(node, Atom) else node.end
    return node.start <= at <= end
