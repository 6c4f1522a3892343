"""Completion: the local names, then those of the index, that one may be typing."""

from __future__ import annotations

from collections import Counter

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
from ....questions.complete.parameters import CompleteParameters
from ....questions.complete.places import KINDS, OPERATOR
from ....syntax.buffer import Chunk
from ....syntax.lexemes import tokens_in
from ....syntax.names.meanings import LISP
from ...documents.typed import Typed, typed_at
from ...documents.unfinished import Unfinished, unfinished_at
from ..asked import Asked
from .designated import designated
from .importing import Importing
from .near_names import names_near, slot_items
from .places import place_of
from .slots import accessors_at, slots_at
from .such_places import SuchPlaces
from .words import directives_at

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
_AT_SUCH_PLACES = 10  # how often elsewhere in the text a name counts that stands at such a place
_NEW = LISP  # what a package has at least that the index does not have
_OF_CLASS = 100  # how often an accessor of a class at the place is deemed to be in the text


def completions(
    asked: Asked, offset: int, such: SuchPlaces | None = None, *, imports: bool = False
) -> CompletionList | None:
    """What the symbol that ends at an offset of the document may become; None where no symbol can be.

    Where nothing has been typed, the operators after a parenthesis, else the local names and the keywords
    that the place takes. Names that stand at ``such`` places in the document come before others of the index.
    With ``imports``, what other packages export comes with the edit that imports it.
    """
    document, reader = asked.document, asked.reader
    unfinished = unfinished_at(document, reader, offset)
    if unfinished is not None:
        names = designated(asked, unfinished, offset)
        if names is None:
            names = directives_at(asked, unfinished, offset)
        if names is not None:
            return CompletionList(is_incomplete=True, items=names)
    chunk = document.chunk_at(reader, offset)
    begin = chunk.start if chunk is not None else document.text.rfind("\n", 0, offset) + 1
    typed = typed_at(document.text, offset, begin)
    if typed is None or (not typed.text and chunk is None):
        return None
    found = _found(asked, chunk, typed, unfinished, such, imports=imports)
    if not found.items and not typed.text:
        return None
    edited = document.lines.range(typed.start, offset)
    for number, item in enumerate(found.items):
        item.sort_text = f"{number:04}"
        if _is_by_words(item, typed):
            # Editors look for what was typed at the beginning of this, and not for the initials of words.
            item.filter_text = typed.text
        item.text_edit = TextEdit(edited, item.label)
    found.is_incomplete |= len(typed.text) <= 1 or any(_is_by_words(one, typed) for one in found.items)
    return found


def _found(
    asked: Asked,
    chunk: Chunk | None,
    typed: Typed,
    unfinished: Unfinished | None,
    such: SuchPlaces | None,
    *,
    imports: bool,
) -> CompletionList:
    """The names that may be meant: those of the place, then the index's, if letters tell them apart."""
    quoted = asked.document.text[typed.start - 1 : typed.start] == "'"
    slots = slots_at(asked, unfinished, quoted=quoted) if unfinished is not None else None
    if slots is not None and (fields := [*slot_items(asked, typed, slots)]):
        return CompletionList(is_incomplete=False, items=fields)
    at = place_of(unfinished, typed, quoted=quoted)
    here = [*names_near(asked, chunk, typed, unfinished)] if at not in KINDS else []
    if not typed.operator and at not in KINDS and len(typed.text) <= (1 if here else 0):
        return CompletionList(is_incomplete=False, items=here)
    near = _names_around(asked.document.text, typed.start)
    if at == OPERATOR and unfinished is not None and typed.text:
        near.update(dict.fromkeys(accessors_at(asked, unfinished), _OF_CLASS))
    if such is not None and unfinished is not None:
        there = such.names(asked.document, asked.reader, unfinished, operator=typed.operator)
        near.update({name: times * _AT_SUCH_PLACES for name, times in there.items()})
    elsewhere, more = _from_index(asked, typed, at, near, imports=imports)
    known = {item.label for item in here}
    items = [*here, *(item for item in elsewhere if item.label not in known)]
    return CompletionList(is_incomplete=more, items=items)


def _from_index(
    asked: Asked, typed: Typed, at: str, near: Counter[str], *, imports: bool
) -> tuple[list[CompletionItem], bool]:
    """The names of the index that begin so, and whether there are more."""
    index, name = asked.project.index, asked.document.package_at(asked.reader, typed.start)
    known = asked.reader.meanings.package(name, name) or _NEW
    parameters = CompleteParameters(typed.text, own_name(known, index.upcase), at=at, limit=_MOST)
    answer = complete(index, parameters, near)
    if isinstance(answer, NotFound):
        return [], False
    importing = Importing.into(asked, name) if imports and ":" not in typed.text else None
    items = []
    for one in answer.completions:
        item = _global(one, asked.document.uri)
        if importing is not None and not one.accessible:
            importing.bring(item, one)
        items.append(item)
    return items, answer.total > len(answer.completions)


def _names_around(text: str, start: int) -> Counter[str]:
    """How often a text has each name, but for the one that begins at ``start``, which is being typed."""
    return Counter(text[begin:end].lower() for begin, end in tokens_in(text) if begin != start)


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
