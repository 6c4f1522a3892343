"""New names out of the words of real ones, as long as these and as often of one word as these."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

_WORD = re.compile(r"[A-Z]{2,}")
# Words that say what sort of thing a name is: a new name keeps them where they are.
_KEPT = {"MAKE", "WITH", "DEF", "GET", "SET", "DO", "PRINT", "COPY", "TO", "OF", "IN", "IF", "FROM", "NOT"}
_REPLACED = 0.7  # of the other words
_OWN_WORDS = 40
_OWN = 0.08  # of the replaced words are a world's own, as libraries have words of their own
_TRIES = 8


class Words:
    """The words of real names by their length, each as often as it occurs, so that frequent ones stay so."""

    def __init__(self, names: Iterable[str]) -> None:
        every = Counter(word for name in names for word in _WORD.findall(name) if word not in _KEPT)
        by_length: defaultdict[int, list[str]] = defaultdict(list)
        for word, number in sorted(every.items()):
            by_length[len(word)] += [word] * number
        self._by_length = dict(by_length)
        self._distinct = sorted(every)
        self._long = sorted(word for word in every if 4 <= len(word) <= 9)

    def draw(self, length: int, chance: random.Random) -> str:
        """A word of this length, or nearly; any if there is none."""
        near = self._by_length.get(length + chance.choice((-1, 0, 0, 1))) or self._by_length.get(length)
        return chance.choice(near or self._distinct)

    def own(self, chance: random.Random) -> list[str]:
        """Words that no other world has, but by accident: halves of two real ones."""
        halves = [(chance.choice(self._distinct), chance.choice(self._distinct)) for _ in range(_OWN_WORDS)]
        return [one[: (len(one) + 1) // 2] + other[len(other) // 2 :] for one, other in halves]

    def prefix(self, number: int, chance: random.Random) -> str:
        """The name of a world."""
        return f"{chance.choice(self._long)}{number}"


def varied(
    groups: Mapping[object, Sequence[tuple[int, str]]],
    taken: Collection[str],
    words: Words,
    chance: random.Random,
) -> dict[int, str]:
    """New names of the numbered names in ``groups``, none of them twice or in ``taken``.

    Within a group, such as a package, they have the order of the real ones: what is sorted by names stays so.
    """
    own, known, found = words.own(chance), set(taken), {}
    for key, names in groups.items():
        fresh = []
        for _, name in names:
            new = _another(name, known, words, own, chance)
            known.add(new)
            fresh.append(new)
        del key
        in_order = sorted(names, key=lambda pair: (pair[1], pair[0]))
        found |= {number: new for (number, _), new in zip(in_order, sorted(fresh), strict=True)}
    return found


def _another(
    name: str, known: Collection[str], words: Words, own: Sequence[str], chance: random.Random
) -> str:
    """A name like ``name`` that is not known yet."""

    def replaced(match: re.Match[str]) -> str:
        word = match[0]
        if word in _KEPT or chance.random() > _REPLACED:
            return word
        return chance.choice(own) if chance.random() < _OWN else words.draw(len(word), chance)

    for _ in range(_TRIES):
        new = _WORD.sub(replaced, name)
        if new not in known:
            return new
    while new in known:
        new = f"{new}-{words.draw(5, chance)}"
    return new
