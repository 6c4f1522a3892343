"""Names that the text around a place offers: local names, keywords of the call, slots, words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol.types import CompletionItem, CompletionItemKind, CompletionItemLabelDetails

from ....index.written import own_name
from ....questions.classes.answer import SlotAnswer
from ....questions.complete.matching import matcher
from ....syntax.buffer import Chunk
from ....syntax.walk.results import FUNCTION, MACRO, SYMBOL_MACRO, VARIABLE, Binding
from ...documents.typed import Typed
from ...documents.unfinished import Unfinished
from ..asked import Asked
from .called import called_at
from .words import words_at

_OPERATORS, _VARIABLES = (FUNCTION, MACRO), (VARIABLE, SYMBOL_MACRO)


def names_near(
    asked: Asked, chunk: Chunk | None, typed: Typed, unfinished: Unfinished | None
) -> Iterator[CompletionItem]:
    """Yield the names that only the place offers, those that it requires first."""
    yield from keywords_of_call(asked, typed, unfinished)
    yield from _words(typed, unfinished)
    yield from _locals(asked, chunk, typed, unfinished)


def slot_items(asked: Asked, typed: Typed, slots: Sequence[SlotAnswer]) -> Iterator[CompletionItem]:
    """Yield the slots that may be meant."""
    index = asked.project.index
    match = matcher(index.fold(typed.text))
    for one in slots:
        if match(index.fold(one.name)) is not None:
            details = CompletionItemLabelDetails(description=f"slot of {one.defined_in}")
            name = own_name(one.name, index.upcase)
            yield CompletionItem(name, kind=CompletionItemKind.Field, label_details=details)


def _words(typed: Typed, unfinished: Unfinished | None) -> Iterator[CompletionItem]:
    """Yield the words of LOOP or of a declaration that may be meant."""
    mark = typed.text[:1] if typed.text.startswith(":") else ""  # LOOP takes keywords as well
    match = matcher(typed.text.removeprefix(mark).lower())
    words = words_at(unfinished) if unfinished is not None else ()
    for one in sorted((one for one in words if match(one) is not None), key=len):
        yield CompletionItem(f"{mark}{one}", kind=CompletionItemKind.Keyword)


def keywords_of_call(asked: Asked, typed: Typed, unfinished: Unfinished | None) -> Iterator[CompletionItem]:
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
