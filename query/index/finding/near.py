"""Names that a person may have meant by one that does not exist: similar names, usable ones first.

A name is near if it has similar letters, or similar words in whatever order. What the requested package
exports comes first, then what it uses and, where a bare name is guessed, all that is the project's own, then
what others export; names that are internal elsewhere come last, and keywords never.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache

from rapidfuzz.distance import Indel

from oblist.indexer.names import words

from .. import sql
from ..reading import Reading
from ..written import written
from .phrases import any_of

_CANDIDATES = 300
_ALIKE = 0.7
_ALIKE_WORDS = 0.75
_WORD_ALIKE = 0.8
_OWN, _USED, _EXPORTED, _OF_NOBODY = 0.15, 0.1, 0.05, 0.0
_HALF, _MISSPELT = 0.5, 0.8
_MOST_LETTERS = 2
_MOST_ASKED = 2  # words of a name that full text is asked about, beside the name
_LONG = 6
_A_SLIP = 0.85  # how like a name is that was meant, but for a letter or two
_AT_LEAST = 6  # trigrams; a slip makes three or four that no name has
_MOST_LIKELY = 300  # exported names that have one of the trigrams, as far as pairs of letters tell
_MOST_WORDS = 20  # no real name has more, and comparing hundreds with thousands of names takes seconds


def near_names(index: Reading, name: str, package: int, most: int) -> list[str]:
    """The names like ``name`` as one types them, for one that was looked for in ``package``, best first."""
    index.take_time()
    ranked: list[tuple[bool, float, int, str]] = []
    likeness = _Likeness(index.fold(name))
    for rows in _candidates(index, likeness.name, likeness.words, package):
        best = 0.0
        for row, worth in rows:
            alike = likeness.of(index.fold(row.name))
            if alike:
                best = max(best, alike)
                shown = written(index, row.name, row.package, row.status)
                ranked.append((worth == _OF_NOBODY, -alike - worth, len(shown), shown))
        if best >= _A_SLIP:
            break
    return list(dict.fromkeys(shown for *_, shown in sorted(ranked)))[:most]


def names_spelt_alike(index: Reading, name: str, package: int) -> list[str]:
    """The names in ``package`` that differ from ``name`` only in the case of letters, as one types them."""
    rows = index.rows(sql.NAMES_SPELT_ALIKE, package=package, folded=index.fold(name))
    return [written(index, *row) for row in rows]


def _candidates(
    index: Reading, folded: str, asked: list[str], package: int
) -> Iterator[list[tuple[sql.NamedRow, float]]]:
    """The names to compare, each with what its place is worth: those at hand and with letters of the name in
    common, then by its longest words."""
    own = map(sql.NamedRow._make, index.remembered(sql.NAMES_OF_PACKAGE, package=package))
    used = map(sql.NamedRow._make, index.remembered(sql.NAMES_OF_USED, package=package))
    found = [(row, _OWN if row.status == "external" else _USED) for row in own]
    found += [(row, _USED) for row in used]
    there = {(row.name, row.package) for row, _ in found}
    preferred = {index.package_names.get(package)}  # a catalog may not have it
    if index.guesses:
        preferred.update(index.package_names[one] for one in index.preferred_packages)
    for phrase in _phrases(index, folded, asked):
        for row in map(sql.NamedRow._make, index.rows(sql.NAMES_LIKE, phrase=phrase, limit=_CANDIDATES)):
            if (row.name, row.package) not in there and row.package != "KEYWORD":
                there.add((row.name, row.package))
                is_own = row.package in preferred
                found.append(
                    (row, _USED if is_own else _EXPORTED if row.status == "external" else _OF_NOBODY)
                )
        yield found
        found = []
    yield found


def _phrases(index: Reading, folded: str, asked: list[str]) -> Iterator[str]:
    """Questions to the trigram index: for names that share letters with the name, and with its longest words.

    Of many trigrams the rarest are enough, among which are those that a slip has made.
    """
    longest = sorted(asked, key=len, reverse=True)[:_MOST_ASKED] if len(asked) > 1 else []
    for text in dict.fromkeys([folded, *longest]):
        trigrams = sorted({text[start : start + 3] for start in range(len(text) - 2)})
        if trigrams and "\0" not in text:
            yield any_of(sorted(_rarest(index, trigrams)))


def _rarest(index: Reading, trigrams: list[str]) -> list[str]:
    """Those trigrams that the fewest exported names have, as far as their letters and pairs of letters tell.

    The search takes time for each name that has any of them.
    """
    if len(trigrams) <= _AT_LEAST:
        return trigrams
    patterns = {one[at : at + 2] for one in trigrams for at in (0, 1)} | {one[1] for one in trigrams}
    listed = json.dumps(sorted(patterns))
    totals: dict[str, int] = dict(index.rows(sql.NAMES_WITH_PATTERNS, patterns=listed))

    def likely(trigram: str) -> float:
        both = totals.get(trigram[:2], 0) * totals.get(trigram[1:], 0)
        return both / totals.get(trigram[1], 1)

    found: list[str] = []
    names = 0.0
    for trigram in sorted(trigrams, key=lambda one: (likely(one), one)):
        names += likely(trigram)
        if len(found) >= _AT_LEAST and names > _MOST_LIKELY:
            break
        found.append(trigram)
    return found


class _Likeness:
    """How like other names are to one, whose words and letters are looked at once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.words = words(name).split()
        trigrams = {name[start : start + 3] for start in range(len(name) - 2)}
        self._shares = re.compile("|".join(map(re.escape, sorted(trigrams)))).search
        self._by_word = 1 < len(self.words) <= _MOST_WORDS
        self._alike: dict[str, list[float] | None] = {}

    def of(self, other: str) -> float:
        """How similar another name is, from 0 to 1; 0 if it is not similar enough."""
        if len(self.name) >= _LONG and not self._shares(other):
            return 0.0
        by_words = self._by_words(other) if self._by_word else 0.0
        return max(Indel.normalized_similarity(self.name, other, score_cutoff=_ALIKE), by_words)

    def _by_words(self, other: str) -> float:
        """How many words the two have in common, nearly.

        A name with half of the words is a last resort, unless it has the one that is misspelt.
        """
        asked, name = self.words, _words(other)
        ratios = [found for word in name if (found := self._ratios(word)) is not None]
        best: list[float] = [max(of_one) for of_one in zip(*ratios, strict=True)] if ratios else []
        met = [one for one in best if one >= _WORD_ALIKE]
        alike = sum(met) / max(len(asked), len(name))
        if alike >= _ALIKE_WORDS:
            return alike
        if not met or 2 * len(met) < len(asked) or len(name) > len(asked):
            return 0.0
        return _MISSPELT if min(met) < 1 else _HALF * alike

    def _ratios(self, other: str) -> list[float] | None:
        """How like a word is to each of the words; None if it is like none."""
        if other not in self._alike:
            found = [_word_alike(word, other) for word in self.words]
            self._alike[other] = found if any(found) else None
        return self._alike[other]


@lru_cache(maxsize=20_000)
def _words(name: str) -> tuple[str, ...]:
    return tuple(words(name).split())


def _word_alike(word: str, other: str) -> float:
    if abs(len(word) - len(other)) > _MOST_LETTERS:
        return 0.0
    return Indel.normalized_similarity(word, other, score_cutoff=_WORD_ALIKE)
