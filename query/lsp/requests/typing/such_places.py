"""The names at places like a given one in a document: under the same operator, as the same item."""

from __future__ import annotations

from collections import Counter

from ....syntax.buffer import Chunk
from ....syntax.nodes import forms_in
from ....syntax.walk.nodes import LIST
from ...documents.edited import Document, TextReader
from ...documents.unfinished import Unfinished
from .places import word

_LAST = 3  # later items of a form are alike: a body, or more arguments
_Place = tuple[str, int, bool]
"""The operator above, the number of the item, and whether it is the operator of a list there."""


class SuchPlaces:
    """The names at each sort of place in documents; a form is examined again only if it changes."""

    def __init__(self) -> None:
        self._known: dict[str, dict[int, tuple[Chunk, dict[_Place, Counter[str]]]]] = {}

    def names(
        self, document: Document, reader: TextReader, unfinished: Unfinished, *, operator: bool
    ) -> Counter[str]:
        """How often each name, in lower case, stands at places of the same sort in other toplevel forms."""
        place = _place(unfinished, operator=operator)
        found: Counter[str] = Counter()
        if place is None:
            return found
        before = self._known.get(document.uri, {})
        now = self._known[document.uri] = {}
        head = place[0].lower()
        for chunk in document.chunks(reader):
            known = before.get(id(chunk))
            # Another form may have the identity of one that is gone.
            if known is None or known[0] is not chunk:
                if head not in document.text[chunk.start : chunk.end].lower():
                    continue
                known = chunk, _names_in(chunk)
            now[id(chunk)] = known
            if chunk.start != unfinished.chunk.start and place in known[1]:
                found.update(known[1][place])
        return Counter({name.lower(): times for name, times in found.items()})

    def forget(self, uri: str) -> None:
        """Forget a document that was closed."""
        self._known.pop(uri, None)


def _place(unfinished: Unfinished, *, operator: bool) -> _Place | None:
    """The place at the end of an unfinished form; an operator's is that of its list."""
    levels = unfinished.levels[1:] if operator and unfinished.levels[:1] else unfinished.levels
    if not levels or not levels[0].item:
        return None
    head = word(levels[0].form.items[0])
    return (head, min(levels[0].item, _LAST), operator) if head else None


def _names_in(chunk: Chunk) -> dict[_Place, Counter[str]]:
    found: dict[_Place, Counter[str]] = {}
    for form in forms_in(chunk.toplevel.node):
        items = form.items
        head = word(items[0]) if len(items) > 1 and form.kind == LIST else ""
        if not head:
            continue
        for number, item in enumerate(items[1:], 1):
            text, is_list = item.text, False
            if not text and item.kind == LIST and item.items:
                text, is_list = item.items[0].text, True
            if text:
                place = (head, number if number < _LAST else _LAST, is_list)
                names = found.get(place)
                if names is None:
                    names = found[place] = Counter()
                names[text] += 1
    return found
