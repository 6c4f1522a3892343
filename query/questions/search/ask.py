"""search: find symbols by words, or functions by signature, ranked by usefulness.

Of one or two words, names come first: exact names (above all with the punctuation as typed), then names that
begin with the words, names that have all of them as words, and names that contain them. Then come the symbols
that the words may mean (meaning.py), as they do at once for a sentence. An internal symbol of others comes
after symbols that match slightly worse, and a name without the typed punctuation after names that have it.
Within each group, the project's own come first (Reading.own_packages), then names with fewer other words;
documented names come before undocumented ones, and often used names before rarely used ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from oblist.indexer.left_out import REFERENCES
from oblist.indexer.names import words

from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.sentence import first_sentence
from ...index.written import written
from ...syntax.signature import split_query
from . import sql
from .answer import SearchAnswer, SearchMatch
from .by_words import ByWords, RankedMatch, RankedRow, by_words
from .choice import Keep, keeping
from .parameters import SearchParameters
from .signatures.ask import functions_with, shown_signature

_UNDERSTOOD_SIGNATURE = (
    "functions that take and return these, in any order; where SBCL does not know a type, names decide"
)
_BEST_ONLY = " (the best of many; add a type or a word to see others)"

_Any = TypeVar("_Any")


def search(index: Reading, asked: SearchParameters) -> SearchAnswer | NotFound:
    """Answer search from ``index``."""
    query, limit, offset = asked.words, asked.limit, asked.offset
    if asked.is_filtered or split_query(query) is not None:
        every = ranked(index, asked)
        if isinstance(every, NotFound):
            return every
        understood, total, page = every.understood, len(every.matches), _page(every.matches, limit, offset)
    else:
        found = _by_words(index, query, filtered=False)
        if isinstance(found, NotFound):
            return found
        understood, total = found.understood(), len(found.symbols)
        page = found.page(index, offset, offset + limit if limit else total)
    return SearchAnswer(query, understood, total, offset, [search_match(index, one) for one in page])


def ranked(index: Reading, asked: SearchParameters) -> Ranked | NotFound:
    """All matches that are wanted, best first."""
    query = asked.words
    keep = keeping(index, asked)
    if isinstance(keep, NotFound):
        return keep
    parts = split_query(query)
    if parts is not None:
        return _by_signature(index, *parts, keep)
    found = _by_words(index, query, filtered=keep is not None)
    if isinstance(found, NotFound):
        return found
    matches = [one for one in found.page(index, 0, len(found.symbols)) if _is_kept(one.row, keep)]
    return Ranked(found.understood({one.kind for one in matches}), matches)


def _by_words(index: Reading, query: str, *, filtered: bool) -> ByWords | NotFound:
    """What the words of a query find."""
    asked = words(index.fold(query)).split()
    if not asked:
        return NotFound(
            "invalid-query",
            f"No words to search for in {query!r}",
            "A search needs at least one letter or digit; to find other characters, use apropos.",
            [],
        )
    return by_words(index, asked, query.strip(), filtered=filtered)


def _by_signature(index: Reading, asked: str, signature: str, keep: Keep | None) -> Ranked | NotFound:
    found = functions_with(index, asked, signature)
    if isinstance(found, NotFound):
        return found
    matches = [
        RankedMatch(
            "signature", one.row.match, shown_signature(one.row, index.upcase), one.why(index.upcase) or None
        )
        for one in found.matches
        if _is_kept(one.row.match, keep)
    ]
    return Ranked(_UNDERSTOOD_SIGNATURE + (_BEST_ONLY if found.best_only else ""), matches)


def _is_kept(row: RankedRow, keep: Keep | None) -> bool:
    return keep is None or keep(row.package, row.type, bool(row.exported))


def _page(found: Sequence[_Any], limit: int, offset: int) -> Sequence[_Any]:
    return found[offset : offset + limit] if limit else found[offset:]


class Ranked(NamedTuple):
    """How a query was interpreted, and what it found, best first."""

    understood: str
    matches: list[RankedMatch]


def search_match(index: Reading, match: RankedMatch) -> SearchMatch:
    """The answer for a match."""
    row = match.row
    ((callers, documentation),) = index.rows(sql.SUMMARY, symbol=row.symbol)
    status = "external" if row.exported else "internal"
    return SearchMatch(
        name=row.name,
        package=row.package or "",
        written=written(index, row.name, row.package, status, number=row.symbol),
        type=row.type.lower(),
        status=status,
        match=match.kind,
        callers=None if REFERENCES in index.left_out else callers,
        summary=first_sentence(documentation),
        signature=match.signature,
        why=match.why,
    )
