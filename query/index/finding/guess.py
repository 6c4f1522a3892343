"""What a bare name most plausibly means that is not accessible where it was looked up."""

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

    row: sql.PlausibleRow
    phrase: str


def guess(index: Reading, spellings: Sequence[str]) -> Guess | None:
    """The only plausible meaning of a name, which may be spelt in several ways; None if there is none.

    A symbol that something defines is more plausible than a mere name; then those of the systems that the
    index was asked for come before those of systems that they need, and these before SBCL's; then exported
    ones. If several are equally plausible, it is nobody's to say.
    """
    for name in spellings:
        rows = [
            sql.PlausibleRow._make(row) for row in index.rows(sql.PLAUSIBLE, name=name, limit=_MOST_MEANINGS)
        ]
        if not rows:
            continue
        first, *others = rows
        if others and _worth(others[0]) == _worth(first):
            return None
        return Guess(first, f"taken for {_shown(index, first)}{_also(index, first, others)}")
    return None


def _worth(row: sql.PlausibleRow) -> tuple[int, int, str]:
    return row.defined, row.origin, row.status


def _also(index: Reading, first: sql.PlausibleRow, others: Sequence[sql.PlausibleRow]) -> str:
    """Name the others, as far as something defines them like the first."""
    told = [row for row in others if row.defined == first.defined]
    if not told:
        return ""
    named = ", ".join(_shown(index, row) for row in told[:_MOST_NAMED])
    more = len(told) - _MOST_NAMED
    return (
        f"; there {'is' if len(told) == 1 else 'are'} also {named}{f' and {more} more' if more > 0 else ''}"
    )


def _shown(index: Reading, row: sql.PlausibleRow) -> str:
    return written(index, row.name, row.home, row.status)
