"""Words that are known by their names at some places: of LOOP, of declarations, and directives of FORMAT."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol.types import CompletionItem, CompletionItemKind, CompletionItemLabelDetails, TextEdit

from ....syntax.format_control import DIRECTIVES, begun_directive
from ....syntax.nodes import Atom
from ....syntax.walk.loop import WORDS, may_be_word_after
from ...documents.unfinished import Level, Unfinished
from ..asked import Asked
from .places import word

_DECLARATIONS = (
    *("type", "ftype", "ignore", "ignorable", "special", "dynamic-extent", "optimize"),
    *("inline", "notinline", "declaration"),
)
# The positions of control strings among the arguments, from 1.
CONTROLS = {
    **dict.fromkeys(("ERROR", "WARN", "SIGNAL", "BREAK", "Y-OR-N-P", "YES-OR-NO-P", "FORMATTER"), (1,)),
    **dict.fromkeys(("FORMAT", "INVALID-METHOD-ERROR", "ASSERT"), (2,)),
    "CERROR": (1, 2),
    "METHOD-COMBINATION-ERROR": (1,),
}


def words_at(unfinished: Unfinished) -> Iterator[str]:
    """Yield the words that a place may have, in lower case."""
    levels = unfinished.levels
    if not levels:
        return
    level, head = levels[0], word(levels[0].form.items[0]) if levels[0].item else ""
    if head == "LOOP":
        is_extended = level.item == 1 or isinstance(level.form.items[1], Atom)
        before = level.form.items[level.item - 1].text if level.item > 1 else ""
        if is_extended and may_be_word_after(before):
            yield from (one.lower() for one in WORDS)
    elif not level.item and len(levels) > 1 and levels[1].item and word(levels[1].form.items[0]) == "DECLARE":
        yield from _DECLARATIONS


def directives_at(asked: Asked, unfinished: Unfinished, offset: int) -> list[CompletionItem] | None:
    """The directives that a tilde before a place begins; None outside of control strings."""
    if not unfinished.levels or not is_control(unfinished.levels[0]):
        return None
    level = unfinished.levels[0]
    string = level.form.items[level.item] if level.item < len(level.form.items) else None
    if not isinstance(string, Atom) or not string.text.startswith('"'):
        return None
    before = asked.document.text[unfinished.chunk.start + string.start + 1 : offset]
    begun = begun_directive(before)
    if begun is None:
        return None
    edited = asked.document.lines.range(offset - len(begun), offset)
    items = []
    for number, (character, about) in enumerate(DIRECTIVES.items()):
        text = f"{begun}{character}"
        item = CompletionItem(text, kind=CompletionItemKind.Operator, text_edit=TextEdit(edited, text))
        item.label_details = CompletionItemLabelDetails(description=about)
        item.sort_text, item.filter_text = f"{number:04}", text
        items.append(item)
    return items


def is_control(level: Level) -> bool:
    """Whether a place takes a control string of FORMAT or of an operator like it."""
    return bool(level.item) and level.item in CONTROLS.get(word(level.form.items[0]), ())
