"""Search by meaning: the definitions that have most of what a question is about.

Rare words weigh more. A word counts most in a name, less in documentation, least in an arglist; the word
itself counts more than another word for the same. Names with few other words, exported names, those of the
standard and of the project, and those that are used often come first among equals.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from oblist.indexer.names import words

from ...index.finding.phrases import any_of
from ...index.reading import Reading
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
_SAID_OF_STANDARD = 0.95
_MOST_DEFINITIONS = 300
# In a catalog, that many definitions with a word are looked at.
_MOST_OF_CONCEPT = 5000
_LEAST_PART = 0.2
_FITTING_NAME = 0.25
_ALL_WORDS, _UNDOCUMENTED = 0.25, 0.6
_WHOLE_NAME, _IN_ORDER = 0.2, 0.06
_LONG_DOCUMENTATION = 900
_NOT_CALLED = 0.15


@dataclass(frozen=True, slots=True)
class Meant:
    """A symbol that may be meant, and how well it fits; ``all_words`` says that it has every concept."""

    row: UsefulRow
    score: float
    all_words: bool


@dataclass(slots=True)
class _Found:
    """What a definition has of a question."""

    parts: dict[int, float]
    in_name: set[int]
    said: bool = False
    """Whether the words for what a name of the standard does have some of it."""


def meant(index: Reading, asked: list[Concept]) -> list[Meant]:
    """The symbols that the concepts may mean, best first."""
    found: defaultdict[int, _Found] = defaultdict(lambda: _Found({}, set()))
    weights: dict[int, float] = {}
    ((definitions,),) = index.rows(sql.LAST_DEFINITION)
    names = [_standard_names(concept) for concept in asked]
    standard = _standard_definitions(index, set().union(*names))
    common = _common(index, asked, definitions) if index.is_catalog else {}
    for number, concept in enumerate(asked):
        said = {definition for name in names[number] for definition in standard[name]}
        beside = _beside(asked, number, common) if number in common else ""
        met = _gather(index, number, concept, said, found, beside)
        met = common.get(number, met)
        if met:
            weights[number] = math.log(1 + definitions / met)
    total = sum(weights.values())
    if not total:
        return []
    parts = {
        definition: sum(weights[number] * part for number, part in one.parts.items()) / total
        for definition, one in found.items()
    }
    best = sorted(parts, key=lambda definition: (-parts[definition], definition))[:_MOST_DEFINITIONS]
    rows = [MeantRow.of(row) for row in index.rows(sql.MEANT, definitions=json.dumps(best))]
    users = index.users_elsewhere([row.match.symbol for row in rows])
    symbols: dict[int, Meant] = {}
    for row in rows:
        match = row.match
        one, part = found[match.definition], parts[match.definition]
        # Who looks for a library has no name in mind that would do for half of the question.
        covered = sum(weights[number] for number in one.parts) / total if index.is_catalog else 1.0
        score = _score(row, part, covered, one, asked)
        if index.is_catalog:
            score += usefulness_in_catalog(match, users.get(match.symbol, 0))
        else:
            score += usefulness(match)
        known = symbols.get(match.symbol)
        if part >= _LEAST_PART and (known is None or score > known.score):
            symbols[match.symbol] = Meant(match, score, len(one.parts) == len(asked))
    return sorted(symbols.values(), key=lambda one: (-one.score, one.row.name, one.row.package or ""))


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


def _gather(
    index: Reading,
    number: int,
    concept: Concept,
    said: set[int],
    found: defaultdict[int, _Found],
    beside: str,
) -> int:
    """Note the definitions that have a concept; ``said`` are those of the standard's names that are about it.

    ``beside`` is what else they must have. Returns how many have its own word, or if none has, another word
    for the same.
    """
    own: set[int] = set()
    met: set[int] = set()
    most = _MOST_OF_CONCEPT if index.is_catalog else -1
    for field, worths in (_FIELDS | _OF_RELEASES if index.is_catalog else _FIELDS).items():
        for worth, forms in zip(worths, ((concept.word,), concept.others), strict=True):
            if not forms or not worth:
                continue
            match = f"{field} : ({any_of(forms)})"
            match = f"({match}) AND {beside}" if beside else match
            for (definition,) in index.rows(sql.MATCHING, match=match, limit=most):
                met.add(definition)
                one = found[definition]
                one.parts[number] = max(one.parts.get(number, 0.0), worth)
                if field == _NAME:
                    one.in_name.add(number)
                if forms[0] == concept.word:
                    own.add(definition)
    for definition in said:
        one = found[definition]
        one.parts[number] = max(one.parts.get(number, 0.0), _SAID_OF_STANDARD)
        one.said = True
    return len(own) or len(met | said)


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


def _score(row: MeantRow, part: float, covered: float, found: _Found, asked: list[Concept]) -> float:
    """How well a definition fits; ``covered`` is what its name counts."""
    match = row.match
    name = len([word for word in words(match.folded).split() if word not in STOP_WORDS]) or 1
    fitting = len(found.in_name) / max(name, len(asked)) + min(1.0, len(found.in_name) / name)
    had = (len(found.parts) / len(asked)) ** 2
    if row.documentation_length is None:
        had = max(had, _UNDOCUMENTED)  # nobody says what else it is about
    score = part + covered * _FITTING_NAME * fitting / 2 + _ALL_WORDS * had
    if _is_in_order(match, asked):
        score += _IN_ORDER
    if len(found.in_name) >= name:
        score += covered * _WHOLE_NAME
    if not found.in_name and not found.said:
        score *= 1 / (1 + (row.documentation_length or 0) / _LONG_DOCUMENTATION)
    return score - _NOT_CALLED * (match.type in ("SYMBOL", "VARIABLE", "CLASS"))


def _is_in_order(row: UsefulRow, asked: list[Concept]) -> bool:
    """Whether a name has words in the order of the question: HASH-TABLE-ALIST goes from one to the other."""
    name = words(row.folded).split()
    places = [name.index(one.word) for one in asked if one.word in name]
    return len(places) > 1 and places == sorted(places)
