"""The text that conditionals hide from a reader with certain features (CLHS 2.4.8.17)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..features import Features
from ..reader import read
from .tree import Piece, sexps

_ASKS = ("#+", "#-")


def hidden(text: str, features: Features) -> Iterator[tuple[int, int]]:
    """Yield the extents of the objects in a text that are not read, the outer ones only."""
    rest: list[Sequence[Piece]] = [sexps(text).items]
    while rest:
        items = rest.pop()
        number = 0
        while number < len(items):
            one = items[number]
            number += 1
            if not one.text.startswith(_ASKS):
                rest.append(one.items)
                continue
            asked = one.text[2:]
            if not asked and number < len(items):  # the features are a list
                asked = text[items[number].start : items[number].end]
                number += 1
            if number < len(items) and _hides(one.text, asked, features):
                yield items[number].start, min(items[number].end, len(text))
                number += 1


def _hides(conditional: str, asked: str, features: Features) -> bool:
    """Whether what comes after a conditional is not read, for certain."""
    # Of a text that is a feature expression alone, the reader takes no conditional.
    form = next(iter(read(asked, features)), None)
    holds = features.decide(form.node) if form is not None else None
    return holds is not None and holds != conditional.startswith("#+")
