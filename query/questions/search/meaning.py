"""Search by meaning: the definitions that have most of what a question is about.

Rare words weigh more. A word counts most in a name, less in documentation or in the name of the package
or system, least in an arglist; the word itself counts more than another word for the same. Documentation
whose first sentence says what is asked, and little else, counts besides. Names with few other words, exported
names, those of the standard and above all of the project, and those that are used often come first among
equals.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from oblist.indexer.names import words

from ...index.finding.phrases import any_of
from ...index.reading import Reading
from ...index.sentence import first_sentence
from . import sql
from .sql import MeantRow, UsefulRow
from .standard_names import NAMES_BY_WORD
from .usefulness import usefulness, usefulness_in_catalog
from .vocabulary import STOP_WORDS, Concept, singular

# What a word is worth by where it is: the word itself, and another word for the same.
_FIELDS = {"words": (1.0, 0.75), "documentation": (0.5, 0.35), "arglist": (0.3, 0.0)}
# In a catalog: what the release and the package are called, and what the release is for.
_OF_RELEASES = {"called": (0.8, 0.5), "about": (0.35, 0.25)}
_NAME = "words"
Fold = Callable[[str], str]
# What a word in the name of the definition's package or system is worth.
_OF_PACKAGE = 0.4
_SAID_OF_STANDARD = 0.95
_MOST_DEFINITIONS, _MOST_FILTERED = 300, 5000
# In a catalog, so many definitions with a word are looked at.
_MOST_OF_CONCEPT = 5000
_LEAST_PART = 0.2
_FITTING_NAME = 0.15
_ALL_WORDS, _UNDOCUMENTED = 0.25, 0.6
_WHOLE_NAME, _IN_ORDER = 0.2, 0.06
_LONG_DOCUMENTATION = 900
_NOT_CALLED = 0.15
# What a first sentence of the documentation is worth that says what is asked, and little else.
_SUMMARY, _OTHER_WORD = 0.3, 0.7


@dataclass(frozen=True, slots=True)
class Meant:
    """A symbol that may be meant, and how well it fits; ``all_words`` says that it has every concept."""

    row: UsefulRow
    score: float
    all_words: bool


@dataclass(slots=True)
class _Had:
    """The definitions that have a concept: what the best of its words is worth there, and those that have one
    in the name; of ``said``, the words for what a name of the standard does are about it."""

    worth: dict[int, float]
    in_name: set[int]
    said: set[int]
    met: int = 0
    """How many have its own word, or if none has, another word for the same."""


def meant(index: Reading, asked: list[Concept], *, filtered: bool) -> list[Meant]:
    """The symbols that the concepts may mean, best first.

    If they are ``filtered`` afterwards, more are looked at, as few of the best may be left.
    """
    ((definitions,),) = index.rows(sql.LAST_DEFINITION)
    names = [_standard_names(concept) for concept in asked]
    standard = _standard_definitions(index, set().union(*names))
    common = _common(index, asked, definitions) if index.is_catalog else {}
    every: list[_Had] = []
    weights: dict[int, float] = {}
    for number, concept in enumerate(asked):
        said = {definition for name in names[number] for definition in standard[name]}
        had = _having(index, concept, said, _beside(asked, number, common) if number in common else "")
        every.append(had)
        met = common.get(number, had.met)
        if met:
            weights[number] = math.log(1 + definitions / met)
    total = sum(weights.values())
    if not total:
        return []
    parts: dict[int, float] = {}
    for number, weight in weights.items():
        for definition, worth in every[number].worth.items():
            parts[definition] = parts.get(definition, 0.0) + weight * worth
    best = _best(parts, total, _MOST_FILTERED if filtered else _MOST_DEFINITIONS)
    rows = [MeantRow.of(row) for row in index.rows(sql.MEANT, definitions=json.dumps(best))]
    users = index.releases_using([row.match.symbol for row in rows])
    own_first = bool(index.preferred_packages)
    symbols: dict[int, Meant] = {}
    for row in rows:
        match = row.match
        part = parts[match.definition] / total
        has = [number for number, one in enumerate(every) if match.definition in one.worth]
        # Who looks for a library has no name in mind that would do for half of the question.
        covered = sum(weights[number] for number in has) / total if index.is_catalog else 1.0
        score = _score(row, part, covered, every, asked)
        score += _SUMMARY * _summed_up(row.documentation, asked, weights, index.fold)
        if index.is_catalog:
            score += usefulness_in_catalog(match, users.get(match.symbol, 0))
        else:
            score += usefulness(match, own_first=own_first)
        known = symbols.get(match.symbol)
        if part >= _LEAST_PART and (known is None or score > known.score):
            symbols[match.symbol] = Meant(match, score, len(has) == len(asked))
    return sorted(symbols.values(), key=lambda one: (-one.score, one.row.name, one.row.package or ""))


def _best(parts: dict[int, float], total: float, most: int) -> list[int]:
    """The ``most`` definitions with the greatest ``parts`` of the ``total``; among equals, the first."""
    alike: defaultdict[float, list[int]] = defaultdict(list)  # there are few different parts
    for definition, part in parts.items():
        alike[part / total].append(definition)
    best: list[int] = []
    for part in sorted(alike, reverse=True):
        best += sorted(alike[part])
        if len(best) >= most:
            break
    return best[:most]


def _common(index: Reading, asked: list[Concept], definitions: int) -> dict[int, int]:
    """The concepts that very many definitions of a catalog have, each with about how many."""
    common: dict[int, int] = {}
    for number, concept in enumerate(asked):
        rows = index.rows(sql.MATCHING, match=any_of([concept.word]), limit=_MOST_OF_CONCEPT)
        if len(rows) == _MOST_OF_CONCEPT:
            ((last,),) = rows[-1:]
            common[number] = _MOST_OF_CONCEPT * definitions // last
    return common


def _beside(asked: list[Concept], number: int, common: Iterable[int]) -> str:
    """What a definition must have to be looked at for a common concept: a rare one, else all the others."""
    forms = [any_of((concept.word, *concept.others)) for concept in asked]
    rare = [text for other, text in enumerate(forms) if other not in common]
    if rare:
        return f"({' OR '.join(rare)})"
    return " AND ".join(f"({text})" for other, text in enumerate(forms) if other != number)


def _having(index: Reading, concept: Concept, said: set[int], beside: str) -> _Had:
    """The definitions that have a concept.

    ``said`` are those of the standard's names that are about it, ``beside`` is what else they must have.
    """
    own: set[int] = set()
    in_name: set[int] = set()
    found = [(_SAID_OF_STANDARD, said)]
    most = _MOST_OF_CONCEPT if index.is_catalog else -1
    if not index.is_catalog:
        around = _in_packages_called(index, concept)
        found.append((_OF_PACKAGE, around))
        own |= around
    for field, worths in (_FIELDS | _OF_RELEASES if index.is_catalog else _FIELDS).items():
        for worth, forms in zip(worths, ((concept.word,), concept.others), strict=True):
            if not forms or not worth:
                continue
            match = f"{field} : ({any_of(forms)})"
            match = f"({match}) AND {beside}" if beside else match
            having = {row[0] for row in index.rows(sql.MATCHING, match=match, limit=most)}
            found.append((worth, having))
            if field == _NAME:
                in_name |= having
            if forms[0] == concept.word:
                own |= having
    worth_of: dict[int, float] = {}
    for worth, having in sorted(found, key=lambda one: one[0]):  # the greatest is what stays
        worth_of.update(dict.fromkeys(having, worth))
    return _Had(worth_of, in_name, said, len(own) or len(worth_of))


def _in_packages_called(index: Reading, concept: Concept) -> set[int]:
    """The definitions in packages that have a concept in their names, or in the names of their systems."""
    named: dict[str, list[int]] | None = index.kept.get(_PACKAGES_BY_WORD)
    if named is None:
        named = index.kept[_PACKAGES_BY_WORD] = {}
        for package, names in index.rows(sql.PACKAGES_OF_SYSTEMS):
            for word in set(map(singular, words(names).split())):
                named.setdefault(word, []).append(package)
    packages = named.get(singular(concept.word))
    if not packages:
        return set()
    rows = index.rows(sql.DEFINITIONS_IN, packages=json.dumps(packages), limit=_MOST_OF_CONCEPT)
    return {definition for (definition,) in rows}


_PACKAGES_BY_WORD = "packages by the words of their names"


def _standard_names(concept: Concept) -> set[str]:
    """The names of the standard that a concept is about (standard_names.py)."""
    forms = {form for word in (concept.word, *concept.others) for form in (word, singular(word))}
    return {name for form in forms for name in NAMES_BY_WORD.get(form, ())}


def _standard_definitions(index: Reading, names: set[str]) -> defaultdict[str, list[int]]:
    """The definitions of the functions and macros with these names of the standard."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for name, definition in index.rows(sql.STANDARD_NAMED, names=json.dumps(sorted(names))):
        found[name].append(definition)
    return found


def _score(row: MeantRow, part: float, covered: float, every: list[_Had], asked: list[Concept]) -> float:
    """How well a definition fits that has a ``part`` of all; ``covered`` is what its name counts."""
    match = row.match
    name = len([word for word in words(match.folded).split() if word not in STOP_WORDS]) or 1
    has = in_name = said = 0
    for one in every:
        has += match.definition in one.worth
        in_name += match.definition in one.in_name
        said += match.definition in one.said
    fitting = in_name / max(name, len(asked)) + min(1.0, in_name / name)
    had = (has / len(asked)) ** 2
    if row.documentation_length is None:
        had = max(had, _UNDOCUMENTED)  # nobody says what else it is about
    score = part + covered * _FITTING_NAME * fitting / 2 + _ALL_WORDS * had
    if _is_in_order(match, asked):
        score += _IN_ORDER
    if in_name >= name:
        score += covered * _WHOLE_NAME
    if not in_name and not said:
        score *= 1 / (1 + (row.documentation_length or 0) / _LONG_DOCUMENTATION)
    return score - _NOT_CALLED * (match.type in ("SYMBOL", "VARIABLE", "CLASS"))


def _summed_up(
    documentation: str | None, asked: list[Concept], weights: dict[int, float], fold: Fold
) -> float:
    """How much of what is asked the first sentence of the documentation says; 1 if it says that alone."""
    sentence = words(fold(first_sentence(documentation) or "")).split()
    said = {singular(word) for word in sentence if word not in STOP_WORDS}
    worth = 0.0
    count = 0
    for number, weight in weights.items():
        concept = asked[number]
        if singular(concept.word) in said:
            worth += weight
        elif not said.isdisjoint(map(singular, concept.others)):
            worth += _OTHER_WORD * weight
        else:
            continue
        count += 1
    return (worth / sum(weights.values())) ** 2 * math.sqrt(count / len(said)) if count else 0.0


def _is_in_order(row: UsefulRow, asked: list[Concept]) -> bool:
    """Whether a name has words in the order of the question: HASH-TABLE-ALIST goes from one to the other."""
    name = words(row.folded).split()
    places = [name.index(one.word) for one in asked if one.word in name]
    return len(places) > 1 and places == sorted(places)
