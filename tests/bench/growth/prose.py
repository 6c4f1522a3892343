"""New documentation, made by shuffling real sentences, so that each word is as frequent as before."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence

_SENTENCE_END = re.compile(r"(?<=[.!?:])(\s+)")
_NAME = re.compile(r"[*%+A-Z][*%+A-Z0-9]*(?:-[*%+A-Z0-9]+)+")


class Prose:
    """The sentences of real documentation; the names in them are replaced by names of the world."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._sentences = [_NAME.split(part) for text in texts for part in _SENTENCE_END.split(text)[::2]]

    def like(self, text: str, names: Sequence[str], chance: random.Random) -> str:
        """A text with as many sentences and the spaces of ``text``."""
        spaces = _SENTENCE_END.split(text)[1::2]
        first = self._sentence(names, chance)
        return first + "".join(space + self._sentence(names, chance) for space in spaces)

    def _sentence(self, names: Sequence[str], chance: random.Random) -> str:
        first, *others = chance.choice(self._sentences)
        return first + "".join(chance.choice(names) + part for part in others) if names else first
