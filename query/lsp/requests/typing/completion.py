"""Completion: the local names, then those of the index, that one may be typing."""

from __future__ import annotations

from collections import Counter
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

from ....index.not_found import NotFound
from ....index.written import own_name
from ....questions.complete.answer import Completion
from ....questions.complete.ask import complete
from ....questions.complete.matching import matcher
from ....questions.complete.parameters import CompleteParameters
from ....syntax.buffer import Chunk
from ....syntax.lexemes import tokens_in
from ....syntax.walk.results import FUNCTION, MACRO, SYMBOL_MACRO, VARIABLE, Binding
from ...documents.typed import Typed, typed_at
from ...documents.unfinished import Unfinished, unfinished_at
from ..asked import Asked
from .called import called_at
from .designated import designated

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
    """What the symbol that ends at an offset of the document may become; None where none can be.

    Where nothing has been typed, the operators after a parenthesis, else the local names and the keywords
    that the place takes.
    """
    document, reader = asked.document, asked.reader
    unfinished = unfinished_at(document, reader, offset)
    if unfinished is not None and (names := designated(asked, unfinished, offset)) is not None:
        return CompletionList(is_incomplete=True, items=names)
    chunk = document.chunk_at(reader, offset)
    begin = chunk.start if chunk is not None else document.text.rfind("\n", 0, offset) + 1
    typed = typed_at(document.text, offset, begin)
    if typed is None or (not typed.text and chunk is None):
        return None
    here = [*_keywords(asked, typed, unfinished), *_locals(asked, chunk, typed, unfinished)]
    known = {item.label for item in here}
    elsewhere: list[CompletionItem] = []
    more = False
    if typed.operator or len(typed.text) > (1 if here else 0):
        elsewhere, more = _from_index(asked, typed, offset)
    items = [*here, *(item for item in elsewhere if item.label not in known)]
    if not items and not typed.text:
        return None
    edited = document.lines.range(typed.start, offset)
    for number, item in enumerate(items):
        item.sort_text = f"{number:04}"
        if _is_by_words(item, typed):
            # Editors look for what was typed at the beginning of this, and not for the initials of words.
            item.filter_text = typed.text
        item.text_edit = TextEdit(edited, item.label)
    incomplete = more or len(typed.text) <= 1 or any(_is_by_words(one, typed) for one in items)
    return CompletionList(is_incomplete=incomplete, items=items)


def _from_index(asked: Asked, typed: Typed, offset: int) -> tuple[list[CompletionItem], bool]:
    """The names of the index that begin so, and whether there are more."""
    index = asked.project.index
    package = own_name(asked.document.package_at(asked.reader, offset), index.upcase)
    parameters = CompleteParameters(typed.text, package, operator=typed.operator, limit=_MOST)
    answer = complete(index, parameters, _names_around(asked.document.text, typed.start))
    if isinstance(answer, NotFound):
        return [], False
    items = [_global(one, asked.document.uri) for one in answer.completions]
    return items, answer.total > len(answer.completions)


def _names_around(text: str, start: int) -> Counter[str]:
    """How often a text has each name, but for the one that begins at ``start``, which is being typed."""
    return Counter(text[begin:end].lower() for begin, end in tokens_in(text) if begin != start)


def _keywords(asked: Asked, typed: Typed, unfinished: Unfinished | None) -> Iterator[CompletionItem]:
    """Yield the keywords that what is called at the place takes, and that are not given yet."""
    if typed.operator or (typed.text and not typed.text.startswith(":")):
        return
    called = called_at(asked, unfinished) if unfinished is not None else None
    if called is None:
        return
    match = matcher(typed.text[1:].lower())
    for one in called.keywords(typed.text):
        if match(one.removeprefix(":").lower()) is not None:
            details = CompletionItemLabelDetails(description=f"of {called.name}")
            yield CompletionItem(one, kind=CompletionItemKind.Property, label_details=details)


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


def _locals(
    asked: Asked, chunk: Chunk | None, typed: Typed, unfinished: Unfinished | None
) -> Iterator[CompletionItem]:
    """Yield the local names that are visible where a name is typed, the innermost first."""
    if chunk is None or ":" in typed.text:
        return
    index = asked.project.index
    match, at = matcher(index.fold(typed.text)), typed.start - chunk.start
    seen: set[str] = set()
    for one in reversed(_bindings(asked, chunk, unfinished)):
        fits = one.kind in (_OPERATORS if typed.operator else _VARIABLES)
        name = one.name.lower() if one.name == index.upcase(one.name) else one.name
        if fits and one.start != at and one.form_start <= at < one.form_end and name not in seen:
            seen.add(name)
            if match(index.fold(name)) is not None:
                yield _local(name, one.kind)


def _bindings(asked: Asked, chunk: Chunk, unfinished: Unfinished | None) -> Sequence[Binding]:
    """The bindings in a toplevel form; in one that does not end yet, as if it ended at the place."""
    if chunk.toplevel.whole:
        return asked.document.walked(asked.reader, chunk).bindings
    return unfinished.walked.bindings if unfinished is not None else ()


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
