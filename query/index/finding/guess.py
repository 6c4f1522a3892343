"""What a bare name that is not accessible where it was looked up most plausibly means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .. import sql
from ..reading import Reading
from ..written import written

_MOST_MEANINGS = 200
_MOST_NAMED = 4


class Guess(NamedTuple):
    """The symbol that a name is taken for, and a phrase that says so and names the others of that name."""

    reading: Reading
    row: sql.PlausibleRow
    phrase: str


def guess(indexes: Sequence[Reading], spellings: Sequence[str]) -> Guess | None:
    """The only plausible meaning of a name, which may be spelt in several ways; None if there is none.

    A symbol that something defines is more plausible than a mere name; then those of the systems for which
    the index was built come before those of the systems that they need, and these before SBCL's; then
    exported symbols come first. If several are equally plausible, nothing is guessed. A symbol in several of
    the ``indexes`` counts once, in the index in which it is the most plausible.
    """
    for name in spellings:
        meanings = [
            PlausibleMeaning(index, sql.PlausibleRow._make(row))
            for index in indexes
            for row in index.rows(sql.PLAUSIBLE, name=name, limit=_MOST_MEANINGS)
        ]
        if not meanings:
            continue
        meanings.sort(key=lambda one: (*_worth(one), one.row.home))
        # Of a package, the first stays: the most plausible.
        unique: dict[str, PlausibleMeaning] = {}
        for one in meanings:
            unique.setdefault(one.row.home, one)
        first, *others = unique.values()
        if others and _worth(others[0]) == _worth(first):
            return None
        return Guess(*first, f"taken for {_shown(first)}{_also(first, others)}")
    return None


class PlausibleMeaning(NamedTuple):
    """A symbol of that name, and the index that has it."""

    reading: Reading
    row: sql.PlausibleRow


def _worth(meaning: PlausibleMeaning) -> tuple[int, int, str]:
    row = meaning.row
    return -row.defined, row.origin, row.status


def _also(first: PlausibleMeaning, others: Sequence[PlausibleMeaning]) -> str:
    """Name the others, as far as something defines them like the first."""
    told = [one for one in others if one.row.defined == first.row.defined]
    if not told:
        return ""
    return f"; {there_are_also(told)}"


def own_ones(index: Reading, name: str) -> list[PlausibleMeaning]:
    """The symbols of that name that are defined by the systems for which the index was built."""
    rows = map(sql.PlausibleRow._make, index.rows(sql.PLAUSIBLE, name=name, limit=_MOST_MEANINGS))
    return [PlausibleMeaning(index, row) for row in rows if row.defined and row.origin == 0]


def there_are_also(meanings: Sequence[PlausibleMeaning]) -> str:
    """Name the first few of some symbols."""
    named = ", ".join(map(_shown, meanings[:_MOST_NAMED]))
    more = len(meanings) - _MOST_NAMED
    verb = "is" if len(meanings) == 1 else "are"
    return f"there {verb} also {named}{f' and {more} more' if more > 0 else ''}"


def _shown(meaning: PlausibleMeaning) -> str:
    row = meaning.row
    return written(meaning.reading, row.name, row.home, row.status)
