"""Completion: the local names, then those of the index, that one may be typing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol.types import (
    CompletionItem,
    CompletionItemKind,
    CompletionItemLabelDetails,
    CompletionList,
    MarkupContent,
    MarkupKind,
    TextEdit,
)

from ...index.not_found import NotFound
from ...index.written import own_name
from ...questions.complete.answer import Completion
from ...questions.complete.matching import matcher
from ...syntax.buffer import Chunk
from ...syntax.reader import read
from ...syntax.walk.files import walk_toplevel
from ...syntax.walk.results import FUNCTION, MACRO, SYMBOL_MACRO, VARIABLE, Binding
from ..documents.typed import Typed, closed, typed_at
from .asked import Asked

_MOST = 100
_KINDS = {
    "function": CompletionItemKind.Function,
    "generic-function": CompletionItemKind.Method,
    "macro": CompletionItemKind.Keyword,
    "class": CompletionItemKind.Class,
    "variable": CompletionItemKind.Variable,
    "package": CompletionItemKind.Module,
    "symbol": CompletionItemKind.Value,
}
_OPERATORS, _VARIABLES = (FUNCTION, MACRO), (VARIABLE, SYMBOL_MACRO)


def completions(asked: Asked, offset: int) -> CompletionList | None:
    """What the symbol that ends at an offset of the document may become; None where none is being typed."""
    document, reader = asked.document, asked.reader
    chunk = document.chunk_at(reader, offset)
    begin = chunk.start if chunk is not None else document.text.rfind("\n", 0, offset) + 1
    typed = typed_at(document.text, offset, begin)
    if typed is None:
        return None
    package = document.package_at(reader, offset)
    index = asked.project.index
    where = own_name(package, index.upcase)
    answer = index.complete(typed.text, where, operator=typed.operator, limit=_MOST)
    locals_ = _locals(asked, chunk, typed, offset) if chunk is not None else ()
    items = [_local(name, kind) for name, kind in locals_]
    known = {item.label for item in items}
    more = False
    if not isinstance(answer, NotFound):
        items += [_global(one, asked.document.uri) for one in answer.completions if one.written not in known]
        more = answer.total > len(answer.completions)
    edited = document.lines.range(typed.start, offset)
    for number, item in enumerate(items):
        item.sort_text = f"{number:04}"
        if _is_by_words(item, typed):
            # Editors look for what was typed at the beginning of this, and not for the initials of words.
            item.filter_text = typed.text
        item.text_edit = TextEdit(edited, item.label)
    return CompletionList(is_incomplete=more or any(_is_by_words(one, typed) for one in items), items=items)


def resolved(asked: Asked, item: CompletionItem) -> CompletionItem:
    """The item with the documentation of what it names."""
    data, index = item.data, asked.project.index
    if isinstance(data, dict) and isinstance(data.get("name"), str) and isinstance(data.get("package"), str):
        answer = index.describe(data["name"], own_name(data["package"], index.upcase))
        if not isinstance(answer, NotFound) and answer.documentation:
            item.documentation = MarkupContent(MarkupKind.PlainText, answer.documentation)
    return item


def _is_by_words(item: CompletionItem, typed: Typed) -> bool:
    """Whether it does not begin with what was typed, so that more letters may bring other names."""
    return not item.label.lower().startswith(typed.text.lower())


def _locals(asked: Asked, chunk: Chunk, typed: Typed, offset: int) -> Iterator[tuple[str, str]]:
    """Yield the local names that are visible at an offset, the innermost first, each with its kind."""
    if ":" in typed.text:
        return
    index = asked.project.index
    match, at = matcher(index.fold(typed.text)), typed.start - chunk.start
    seen: set[str] = set()
    for one in reversed(_bindings(asked, chunk, offset)):
        fits = one.kind in (_OPERATORS if typed.operator else _VARIABLES)
        name = one.name.lower() if one.name == index.upcase(one.name) else one.name
        if fits and one.start != at and one.form_start <= at < one.form_end and name not in seen:
            seen.add(name)
            if match(index.fold(name)) is not None:
                yield name, one.kind


def _bindings(asked: Asked, chunk: Chunk, offset: int) -> Sequence[Binding]:
    """The bindings in a toplevel form; in one that does not end yet, as if it ended at the offset."""
    document, reader = asked.document, asked.reader
    if chunk.toplevel.whole:
        return document.walked(reader, chunk).bindings
    text = closed(document.text[chunk.start : offset])
    package, tokens = document.package_of(reader, chunk), document.tokens_of(reader, chunk)
    toplevel = next(iter(read(text, reader.features)))
    return walk_toplevel(toplevel, text, package, reader.meanings, tokens).bindings


def _local(name: str, kind: str) -> CompletionItem:
    item_kind = CompletionItemKind.Function if kind in _OPERATORS else CompletionItemKind.Variable
    details = CompletionItemLabelDetails(description=f"local {kind}")
    return CompletionItem(name, kind=item_kind, label_details=details)


def _global(one: Completion, uri: str) -> CompletionItem:
    data = None
    if one.package is not None:
        data = {"uri": uri, "package": one.package, "name": one.written.rpartition(":")[2]}
    arglist = " ".join(one.arglist.split()) if one.arglist is not None else None
    return CompletionItem(
        one.written,
        label_details=CompletionItemLabelDetails(description=one.package or "package"),
        kind=_KINDS.get(one.type, CompletionItemKind.Value),
        detail=arglist.lower() if arglist is not None else one.type,
        data=data,
    )
