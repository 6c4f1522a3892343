"""Search by words: the symbols that the words find, in order, of which only a page need be read.

Each step of the ladder finds numbers of symbols with their ranks (indexer/search_rank.py): these put all
matches in order but those that are equal in everything except their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from json import dumps
from typing import Any, NamedTuple

from oblist.indexer.search_rank import INTERNAL_RANK

from ...index.finding.phrases import phrase
from ...index.finding.resolve import Resolved, resolve
from ...index.reading import Reading
from . import sql
from .meaning import Meant, meant
from .sql import BEGINS, FOREIGN_RANK, IS_NAME, IS_TYPED, OTHER, HitRow, SearchRow, UsefulRow
from .vocabulary import Concept, concepts

MATCHES = ("exact", "prefix", "word", "infix", "documentation", "some words")
_EXACT, _PREFIX, _WORD, _INFIX, _DOCUMENTATION, _SOME = range(len(MATCHES))
# How many of the steps above an exported symbol, or one of the project's own, gains.
_EXPORTED_STEPS = 2
# How many steps a name without the typed punctuation loses: make-array, for %make.
_PUNCTUATION_STEPS = 3
_STANDARD = "COMMON-LISP"
_MOST_CANDIDATES = 2000
_FEW_WORDS = 2
_ENOUGH = 20
_PUNCTUATION = re.compile(r"[^\w\s-]")

RankedRow = SearchRow | UsefulRow


class RankedMatch(NamedTuple):
    """A symbol that was found, and how; in a search by signature, its own signature and why that fits."""

    kind: str
    row: RankedRow
    signature: str | None = None
    why: str | None = None


@dataclass(frozen=True)
class ByWords:
    """What words find, the best first as far as ranks tell.

    ``places`` has the place of each of the ``symbols``; those with the same place are in the order of their
    names. ``meant`` are those that the words may mean, which have been read; ``best_only`` says that more are
    found than are looked at.
    """

    about: list[Concept]
    sentence: bool
    symbols: list[int]
    places: dict[int, int]
    meant: dict[int, Meant]
    best_only: bool

    def page(self, index: Reading, start: int, end: int) -> list[RankedMatch]:
        """The matches from ``start`` up to ``end``, in order."""
        end = min(end, len(self.symbols))
        first, last = start, end
        while 0 < first < len(self.symbols) and self._same(first):
            first -= 1
        while 0 < last < len(self.symbols) and self._same(last):
            last += 1
        part = self.symbols[first:last]
        missing = dumps([symbol for symbol in part if symbol not in self.meant])
        rows: dict[int, RankedRow] = {
            row.symbol: row for row in map(SearchRow._make, index.rows(sql.SEARCH_SYMBOLS, symbols=missing))
        }
        ordered: list[RankedMatch] = []
        for place, equals in groupby(part, key=self._place):
            found = [
                RankedMatch(MATCHES[place & _TIER], rows.get(one) or self.meant[one].row) for one in equals
            ]
            ordered += sorted(found, key=lambda one: (one.row.name, one.row.package or ""))
        return ordered[start - first : end - first]

    def _place(self, symbol: int) -> int:
        return self.places[symbol]

    def _same(self, number: int) -> bool:
        """Whether a match has the place of the one before."""
        return self.places[self.symbols[number]] == self.places[self.symbols[number - 1]]

    def understood(self, kinds: set[str] | None = None) -> str:
        """How the words were interpreted, so that people see why they got these matches.

        ``kinds`` are the kinds of matches that are left, if some were dropped.
        """
        if kinds is None:
            kinds = {MATCHES[tier] for tier in {place & _TIER for place in self.places.values()}}
        quoted = ", ".join(one.word for one in self.about)
        if kinds == {MATCHES[_SOME]}:
            return f"nothing matches all of the words {quoted}; these match some of them"
        if self.sentence:
            return f"the best matches for {quoted} come first; synonyms are included"
        best = "; only the best are listed" if self.best_only else ""
        word = "the word" if len(self.about) == 1 else "the words"
        return f"names with {word} {quoted} come first, then matches in arglists and documentation{best}"


def by_words(index: Reading, asked: list[str], query: str, *, filtered: bool) -> ByWords:
    """What the words ``asked`` of a ``query`` find: names with them, then what they may mean.

    If it is ``filtered`` afterwards, more is looked at, as few of the best may be left.

    A sentence is not about names: there, only the whole name comes first.
    """
    about = concepts(asked)
    # Who asks a catalog does not know its names.
    sentence = index.is_catalog or len(about) > _FEW_WORDS or len(about) < len(set(asked))
    named, best_only = (
        (_called(index, asked, query), False)
        if index.is_catalog
        else _named(index, asked, query, filtered=filtered)
    )
    last_first = _EXACT if index.is_catalog else _PREFIX if sentence else _INFIX
    first = {
        symbol: place
        for symbol, place in named.items()
        if place & _TIER <= last_first and not (sentence and place & _HIDDEN == _HIDDEN)
    }
    others: list[Meant] = []
    if sentence or not ((len(about) == 1 and named) or len(first) >= _ENOUGH):
        others = [one for one in meant(index, about, filtered=filtered) if one.row.symbol not in first]
    after = {
        one.row.symbol: _MEANT | place << _TIER_BITS | (_DOCUMENTATION if one.all_words else _SOME)
        for place, one in enumerate(others)
    }
    rest = {
        symbol: _LAST | place
        for symbol, place in named.items()
        if symbol not in first and symbol not in after
    }
    places = {**first, **after, **rest}
    symbols = sorted(places, key=places.__getitem__)
    return ByWords(about, sentence, symbols, places, {one.row.symbol: one for one in others}, best_only)


# A place, from its highest bit down: the part of the answer, the step, whether the name is not as typed,
# whether it is somebody else's, the rank, the tier.
_TIER_BITS, _STEP_BITS = 3, 4
_TIER = (1 << _TIER_BITS) - 1
# Internal symbols of others are for nobody.
_HIDDEN_RANK = FOREIGN_RANK | INTERNAL_RANK
_HIDDEN = _HIDDEN_RANK << _TIER_BITS
_UNLIKE = FOREIGN_RANK << _TIER_BITS + 1
_STEP = _UNLIKE << 1
_MEANT = _STEP << _STEP_BITS
_LAST = _MEANT << 1

# The place of each symbol that words find.
_Places = dict[int, int]


def _place(tier: int, rank: int, *, as_typed: bool = False, lacks_punctuation: bool = False) -> int:
    """The place of a symbol among those that words find."""
    step = tier if tier == _EXACT or rank & _HIDDEN_RANK != _HIDDEN_RANK else tier + _EXPORTED_STEPS
    step += _PUNCTUATION_STEPS * lacks_punctuation
    return step * _STEP | (not as_typed) * _UNLIKE | rank << _TIER_BITS | tier


def _fitting(floor: int, hit: HitRow, *, punctuated: bool) -> int:
    """The place of a symbol by how its name fits, at worst in the tier ``floor``."""
    tier = _EXACT if hit.fit <= IS_NAME else min(floor, _PREFIX) if hit.fit == BEGINS else floor
    lacks = punctuated and bool(hit.lacks_typed)
    return _place(tier, hit.rank, as_typed=hit.fit == IS_TYPED, lacks_punctuation=lacks)


def _called(index: Reading, asked: list[str], query: str) -> _Places:
    """Those that are called so; of a catalog, only these."""
    name = "-".join(asked)
    names = dict.fromkeys((index.upcase(name), index.upcase(query)))
    rows = [SearchRow._make(row) for name in names for row in index.rows(sql.SEARCH_CALLED, name=name)]
    typed = index.fold(query)
    punctuated = _PUNCTUATION.search(typed) is not None
    return {
        row.symbol: _place(
            _EXACT,
            row.rank,
            as_typed=row.folded == typed,
            lacks_punctuation=punctuated and typed not in row.folded,
        )
        for row in rows
    }


def _named(index: Reading, asked: list[str], query: str, *, filtered: bool) -> tuple[_Places, bool]:
    """Those that the words find one way or another: of all ways to find a symbol the best counts.

    And whether there are more in one of these ways than are looked at.
    """
    name = "-".join(asked)
    typed = index.fold(query)
    punctuated = _PUNCTUATION.search(typed) is not None
    together = " AND ".join(f'"{word}"' for word in asked)

    own = dumps(sorted(index.preferred_packages))
    most = -1 if filtered else _MOST_CANDIDATES
    best_only = False

    def rows(statement: str, **values: Any) -> list[tuple[Any, ...]]:
        nonlocal best_only
        found = index.rows(statement, own=own, typed=typed, name=name, limit=most, **values)
        best_only = best_only or len(found) == most
        return found

    def fitting(floor: int, found: Iterable[tuple[Any, ...]]) -> _Places:
        return {row[0]: _fitting(floor, HitRow._make(row), punctuated=punctuated) for row in found}

    whole: list[tuple[Any, ...]] = []
    if ":" in query:  # alexandria:flatten
        resolved = resolve(index, query, _STANDARD)
        if isinstance(resolved, Resolved):
            whole = rows(sql.SEARCH_RESOLVED, symbol=resolved.symbol)
    elif len(typed) >= _TRIGRAM:  # &rest
        whole = rows(sql.SEARCH_NAMED, phrase=f"^{phrase(typed)}")
    parts = [part for part in dict.fromkeys((name, typed, "".join(asked))) if len(part) >= _TRIGRAM]
    containing = [
        row
        for part in parts
        for statement in (sql.SEARCH_INFIX, sql.SEARCH_INTERNAL_INFIX)
        for row in rows(statement, phrase=phrase(part))
    ]
    in_names, anywhere = f"words : ({together})", together
    if punctuated or not {name, typed} <= set(parts):
        places = {
            **fitting(_DOCUMENTATION, rows(sql.SEARCH_FITTING_WORDS, match=anywhere)),
            **fitting(_INFIX, (row for row in containing if not row[-1])),
            **fitting(_WORD, rows(sql.SEARCH_FITTING_WORDS, match=in_names)),
            **fitting(_EXACT, whole),
        }
        return places, best_only
    # A name that fits contains what was typed: the others need not be read.
    found = {
        **_plain(_DOCUMENTATION, rows(sql.SEARCH_WORDS, match=anywhere)),
        **_plain(_INFIX, (row[:2] for row in containing if not row[-1])),
        **_plain(_WORD, rows(sql.SEARCH_WORDS, match=in_names)),
    }
    near = fitting(_PREFIX, (row for row in containing if row[2] != OTHER and row[0] in found))
    return {**found, **near, **fitting(_EXACT, whole)}, best_only


_TRIGRAM = 3


def _plain(tier: int, rows: Iterable[tuple[int, int]]) -> _Places:
    """The places in ``tier`` of symbols with ranks, whatever their names are."""
    shown, hidden = _place(tier, 0), _place(tier, _HIDDEN_RANK) - _HIDDEN
    return {
        symbol: (hidden if rank & _HIDDEN_RANK == _HIDDEN_RANK else shown) | rank << _TIER_BITS
        for symbol, rank in rows
    }
