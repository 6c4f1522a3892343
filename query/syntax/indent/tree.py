"""The lists and atoms of a text, with all that stands before the first unbalanced place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..lexemes import lexemes


@dataclass(slots=True)
class Piece:
    """A list or an atom: ``start`` is that of its prefixes, ``open`` of its parenthesis or first character.

    ``end`` is one after its last character; a list that nothing closes goes beyond the text.
    """

    start: int
    open: int
    end: int
    text: str = ""
    is_list: bool = False
    items: list[Piece] = field(default_factory=list)

    @property
    def prefix(self) -> int:
        """The length of its prefixes."""
        return self.open - self.start

    def before(self, at: int) -> int:
        """How many of its items end before an offset."""
        return bisect_right(self.items, at, key=lambda one: one.end)


def sexps(text: str) -> Piece:
    """All of a text as one list, which begins before it."""
    root = Piece(-1, -1, len(text) + 1, is_list=True)
    stack, start = [root], None
    for kind, piece, at in lexemes(text):
        end = at + len(piece) if kind != "stray" or piece[0] != '"' else len(text) + 1
        if kind == "close":
            if len(stack) > 1:
                stack.pop().end = end
            start = None
            continue
        if kind == "quote":
            start = at if start is None else start
            continue
        items = stack[-1].items
        # What a conditional asks about is a part of it: #+sbcl is one object, #+(or a b) are two.
        if kind == "symbol" and items and items[-1].end == at and items[-1].text in ("#+", "#-"):
            items[-1].end, items[-1].text = end, items[-1].text + piece
            continue
        one = Piece(at if start is None else start, end - 1 if kind == "open" else at, end, piece)
        start = None
        items.append(one)
        if kind == "open":
            one.is_list, one.end = True, len(text) + 1
            stack.append(one)
    return root


def lists_around(root: Piece, at: int) -> Sequence[Piece]:
    """The lists around an offset, the innermost first, without the whole text."""
    found: list[Piece] = []
    here = root
    while True:
        number = bisect_right(here.items, at - 1, key=lambda one: one.open) - 1
        one = here.items[number] if number >= 0 else None
        if one is None or not one.is_list or not one.open < at < one.end:
            return found[::-1]
        found.append(one)
        here = one
