"""search: find symbols by words, or functions by signature, ranked by usefulness.

Of one or two words, names come first: exact names (above all with the punctuation as typed), then names that
begin with the words, names that have all of them as words, and names that contain them. Then come the symbols
that the words may mean (meaning.py), as they do at once for a sentence. An internal symbol
comes after exported symbols that match slightly worse, and a name without the typed punctuation after names
that have it. Within each group, names with fewer other words come first, documented names before
undocumented ones, and often used names before rarely used ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from oblist.indexer.names import words

from ...index.finding.phrases import phrase
from ...index.finding.resolve import Resolved, resolve
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.sentence import first_sentence
from ...index.written import written
from ...syntax.signature import split_query
from . import sql
from .answer import SearchAnswer, SearchMatch
from .meaning import meant
from .signatures.ask import functions_with, shown_signature
from .sql import SearchRow, UsefulRow
from .vocabulary import Concept, concepts

MATCHES = ("exact", "prefix", "word", "infix", "documentation", "some words")
_EXACT, _PREFIX, _WORD, _INFIX, _DOCUMENTATION, _SOME = range(len(MATCHES))
# How many of the steps above an exported symbol gains.
_EXPORTED_STEPS = 2
# How many steps a name loses without the typed punctuation: make-array, for %make.
_PUNCTUATION_STEPS = 3
_STANDARD = "COMMON-LISP"
_MOST_CANDIDATES = 2000
_FEW_WORDS = 2
_SELDOM_MEANT = 2  # as many other words make up for being a class
_ENOUGH = 20
_PUNCTUATION = re.compile(r"[^\w\s-]")


_UNDERSTOOD_SIGNATURE = (
    "functions that take and return these, in any order; where SBCL does not know a type, names decide"
)
_BEST_ONLY = " (the best of many; add a type or a word to see others)"

_Rank = tuple[Any, ...]
_Any = TypeVar("_Any")
Row = SearchRow | UsefulRow

# A filter of matches by home package, contract type, and whether a package exports it.
Keep = Callable[[str | None, str, bool], bool]


def search(
    index: Reading, query: str, *, limit: int, offset: int, keep: Keep | None = None
) -> SearchAnswer | NotFound:
    """Answer search from ``index``; the arguments are those of Index.search, and ``keep`` as for ranked."""
    found = ranked(index, query, keep)
    if isinstance(found, NotFound):
        return found
    matches = [search_match(index, one) for one in _page(found.matches, limit, offset)]
    return SearchAnswer(query, found.understood, len(found.matches), offset, matches)


def ranked(index: Reading, query: str, keep: Keep | None = None) -> Ranked | NotFound:
    """All matches of ``query``, best first.

    ``keep`` is called with a match's home package, contract type, and whether it is exported.
    """
    parts = split_query(query)
    if parts is not None:
        return _by_signature(index, *parts, keep)
    asked = words(index.fold(query)).split()
    if not asked:
        return NotFound(
            "invalid-query",
            f"No words to search for in {query!r}",
            "A search needs at least one letter or digit; for other characters use apropos.",
            [],
        )
    about = concepts(asked)
    # Who asks a catalog does not know its names.
    sentence = index.is_catalog or len(about) > _FEW_WORDS or len(about) < len(set(asked))
    found = _found(index, asked, about, query.strip(), sentence=sentence)
    kept = [one for one in found if _is_kept(one.row, keep)]
    understood = _understood(about, {one.tier for one in kept}, sentence=sentence)
    return Ranked(understood, [RankedMatch(MATCHES[one.tier], one.row) for one in kept])


def _by_signature(index: Reading, asked: str, signature: str, keep: Keep | None) -> Ranked | NotFound:
    found = functions_with(index, asked, signature)
    if isinstance(found, NotFound):
        return found
    matches = [
        RankedMatch("signature", one.row.match, shown_signature(one.row), one.why or None)
        for one in found.matches
        if _is_kept(one.row.match, keep)
    ]
    return Ranked(_UNDERSTOOD_SIGNATURE + (_BEST_ONLY if found.best_only else ""), matches)


def _is_kept(row: Row, keep: Keep | None) -> bool:
    return keep is None or keep(row.package, row.type, bool(row.exported))


def _page(found: Sequence[_Any], limit: int, offset: int) -> Sequence[_Any]:
    return found[offset : offset + limit] if limit else found[offset:]


class RankedMatch(NamedTuple):
    """A symbol that was found, how, and in a search by signature its own signature and why that fits."""

    kind: str
    row: Row
    signature: str | None = None
    why: str | None = None


class Ranked(NamedTuple):
    """How a query was interpreted, and what it found, best first."""

    understood: str
    matches: list[RankedMatch]


class _Found(NamedTuple):
    """A symbol that was found, and how."""

    tier: int
    row: Row


def _found(
    index: Reading, asked: list[str], about: list[Concept], query: str, *, sentence: bool
) -> list[_Found]:
    """Return what was found, best first: names with the words, then what the words may mean.

    A sentence is not about names: there, only the whole name comes first.
    """
    candidates = _called(index, asked, query) if index.is_catalog else _candidates(index, asked, query)
    named = sorted(candidates.values(), key=lambda entry: entry[0])
    last_first = _EXACT if index.is_catalog else _PREFIX if sentence else _INFIX
    first = [
        _Found(rank[-1], row)
        for rank, row in named
        if rank[-1] <= last_first and (row.exported or not sentence)
    ]
    if not sentence and ((len(about) == 1 and named) or len(first) >= _ENOUGH):
        others: list[_Found] = []
    else:
        others = [_Found(_DOCUMENTATION if one.all_words else _SOME, one.row) for one in meant(index, about)]
    rest = [_Found(rank[-1], row) for rank, row in named]
    found: dict[int, _Found] = {}
    for one in (*first, *others, *rest):
        found.setdefault(one.row.symbol, one)
    return list(found.values())


def _called(index: Reading, asked: list[str], query: str) -> dict[int, tuple[_Rank, SearchRow]]:
    """Return, by symbol, the rank and row of those that are called so; of a catalog, only these."""
    name = "-".join(asked)
    names = dict.fromkeys((index.upcase(name), index.upcase(query)))
    rows = [SearchRow._make(row) for name in names for row in index.rows(sql.SEARCH_CALLED, name=name)]
    typed = index.fold(query)
    return {row.symbol: (_rank(row, name, asked, typed, _EXACT), row) for row in rows}


def _candidates(index: Reading, asked: list[str], query: str) -> dict[int, tuple[_Rank, SearchRow]]:
    """Return, by symbol, its best rank and the row with that rank: of all ways to find it the best counts."""
    name = "-".join(asked)
    typed = index.fold(query)
    together = " AND ".join(f'"{word}"' for word in asked)
    best: dict[int, tuple[_Rank, SearchRow]] = {}

    def add(rows: list[tuple[Any, ...]], floor: int) -> None:
        new = [symbol for symbol in dict.fromkeys(row[0] for row in rows) if symbol not in best]
        for row in map(SearchRow._make, index.rows(sql.SEARCH_SYMBOLS, symbols=json.dumps(new))):
            best[row.symbol] = (_rank(row, name, asked, typed, floor), row)

    add(_named(index, query, typed), _EXACT)
    add(index.rows(sql.SEARCH_WORDS, match=f"words : ({together})", limit=_MOST_CANDIDATES), _WORD)
    for part in dict.fromkeys((name, "".join(asked), typed)):
        add(_containing(index, part), _INFIX)
    add(index.rows(sql.SEARCH_WORDS, match=together, limit=_MOST_CANDIDATES), _DOCUMENTATION)
    return best


def _named(index: Reading, query: str, typed: str) -> list[tuple[Any, ...]]:
    """Find the symbols that a query names in full: ``&rest``, ``alexandria:flatten``."""
    if ":" in query:
        found = resolve(index, query, _STANDARD)
        return [(found.symbol,)] if isinstance(found, Resolved) else []
    if len(typed) < 3:
        return []
    return index.rows(sql.SEARCH_NAMED, phrase=phrase(typed), folded=typed)


def _containing(index: Reading, part: str) -> list[tuple[Any, ...]]:
    """Find the symbols whose folded name contains ``part``, which needs three characters."""
    if len(part) < 3:
        return []
    return index.rows(sql.SEARCH_INFIX, phrase=phrase(part), limit=_MOST_CANDIDATES)


def _rank(row: SearchRow, name: str, asked: list[str], typed: str, floor: int) -> _Rank:
    """The sort key of a row: kind of match, as typed, exported or not, other words, callers, name."""
    tier, folded, exported = floor, row.folded, row.exported
    bare = folded.strip("*+")
    if name == bare or typed == folded:
        tier = _EXACT
    elif bare.startswith(name) or folded.startswith(typed):
        tier = min(tier, _PREFIX)
    others = len(words(folded).split()) - len(asked) + _SELDOM_MEANT * (row.type == "CLASS")
    step = tier if exported or tier == _EXACT else tier + _EXPORTED_STEPS
    if typed not in folded and _PUNCTUATION.search(typed) is not None:
        step += _PUNCTUATION_STEPS
    unlike = typed != folded
    order = (others, not row.documented, -row.callers, row.package != _STANDARD, row.name, row.package or "")
    return (step, unlike, not exported, *order, tier)


def _understood(about: list[Concept], tiers: set[int], *, sentence: bool) -> str:
    """Describe how the words were interpreted, so that people see why they got these matches."""
    quoted = ", ".join(one.word for one in about)
    if tiers == {_SOME}:
        return (
            f"nothing matches all of the words {quoted}; these names, arglists and documentation match some"
        )
    if sentence:
        return (
            f"what {quoted} may mean, in names, then documentation and arglists; other words for it count too"
        )
    return f"names with the words {quoted} (any order, any ending), then arglists and documentation"


def search_match(index: Reading, match: RankedMatch) -> SearchMatch:
    """The answer for a match."""
    row = match.row
    documentation = next((text for (text,) in index.rows(sql.SUMMARY, symbol=row.symbol)), None)
    status = "external" if row.exported else "internal"
    return SearchMatch(
        name=row.name,
        package=row.package or "",
        written=written(index, row.name, row.package, status),
        type=row.type.lower(),
        status=status,
        match=match.kind,
        callers=row.callers,
        summary=first_sentence(documentation),
        signature=match.signature,
        why=match.why,
    )
