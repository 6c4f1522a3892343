"""Names that a person may have meant by one that is not there: near ones, and of these what one may use.

A name is near if it has similar letters, or similar words in whatever order. What the package that was asked
exports comes first, then what it uses and all of the project's own, where a bare name is guessed, then what
others export; names that are internal elsewhere come last, and keywords never.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import lru_cache

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
_MOST_WORDS = 20  # no real name has more, and comparing hundreds with thousands of names takes seconds


def near_names(index: Reading, name: str, package: int, most: int) -> list[str]:
    """The names like ``name`` as one types them, for one that was looked for in ``package``, best first."""
    index.take_time()
    ranked: list[tuple[bool, float, int, str]] = []
    folded = index.fold(name)
    asked = words(folded).split()
    matcher = SequenceMatcher(None, "", folded, autojunk=False)  # it remembers much about the second
    for row, worth in _candidates(index, folded, asked, package):
        alike = _likeness(matcher, asked, index.fold(row.name))
        if alike:
            shown = written(index, row.name, row.package, row.status)
            ranked.append((worth == _OF_NOBODY, -alike - worth, len(shown), shown))
    return list(dict.fromkeys(shown for *_, shown in sorted(ranked)))[:most]


def names_spelt_alike(index: Reading, name: str, package: int) -> list[str]:
    """The names in ``package`` that differ from ``name`` in the case of letters alone, as one types them."""
    rows = index.rows(sql.NAMES_SPELT_ALIKE, package=package, folded=index.fold(name))
    return [written(index, *row) for row in rows]


def _candidates(
    index: Reading, folded: str, asked: list[str], package: int
) -> list[tuple[sql.NamedRow, float]]:
    """The names to compare, each with what its place is worth."""
    own = [sql.NamedRow._make(row) for row in index.rows(sql.NAMES_OF_PACKAGE, package=package)]
    used = [sql.NamedRow._make(row) for row in index.rows(sql.NAMES_OF_USED, package=package)]
    found = [(row, _OWN if row.status == "external" else _USED) for row in own]
    found += [(row, _USED) for row in used]
    there = {(row.name, row.package) for row, _ in found}
    preferred = {index.package_names[one] for one in index.preferred_packages} if index.guesses else set()
    for phrase in _phrases(folded, asked):
        for row in map(sql.NamedRow._make, index.rows(sql.NAMES_LIKE, phrase=phrase, limit=_CANDIDATES)):
            if (row.name, row.package) not in there and row.package != "KEYWORD":
                there.add((row.name, row.package))
                is_own = row.package in preferred
                found.append(
                    (row, _USED if is_own else _EXPORTED if row.status == "external" else _OF_NOBODY)
                )
    return found


def _phrases(folded: str, asked: list[str]) -> list[str]:
    """Questions to the trigram index: for names that share letters with the name, and with each word."""
    found = []
    for text in dict.fromkeys([folded, *(word for word in asked if len(asked) > 1)]):
        trigrams = {text[start : start + 3] for start in range(len(text) - 2)}
        if trigrams and "\0" not in text:
            found.append(any_of(sorted(trigrams)))
    return found


def _likeness(matcher: SequenceMatcher[str], asked: list[str], name: str) -> float:
    """How like a name is to that of ``matcher``, from 0 to 1; 0 if it is not like it enough."""
    matcher.set_seq1(name)
    letters = 0.0
    if matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE:
        letters = matcher.ratio()
    by_word = _words_alike(asked, words(name).split()) if 1 < len(asked) <= _MOST_WORDS else 0.0
    return max(letters if letters >= _ALIKE else 0.0, by_word)


def _words_alike(asked: list[str], name: list[str]) -> float:
    """How many words two names have in common, nearly.

    A name with half of the words is a last resort, unless it has the one that is misspelt.
    """
    each = [max((_word_alike(word, other) for other in name), default=0.0) for word in asked]
    met = [one for one in each if one >= _WORD_ALIKE]
    alike = sum(met) / max(len(asked), len(name))
    if alike >= _ALIKE_WORDS:
        return alike
    if 2 * len(met) < len(asked) or len(name) > len(asked):
        return 0.0
    return _MISSPELT if min(met) < 1 else _HALF * alike


@lru_cache(maxsize=20_000)
def _word_alike(word: str, other: str) -> float:
    if abs(len(word) - len(other)) > _MOST_LETTERS:
        return 0.0
    matcher = SequenceMatcher(None, word, other, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _WORD_ALIKE else 0.0
