"""The static rank of a symbol in a search: the part of its place that no question changes, as one number.

From its highest bit down: not exported, how many words its name has (a class counts as two more, since few
look for one), without documentation, how seldom it is called, not of the standard. Of two symbols that fit a
question equally well, that with the lower rank comes first.
"""

from __future__ import annotations

from .names import words

STANDARD = "COMMON-LISP"
_SELDOM_MEANT = 2  # as many other words make up for being a class
_MOST_WORDS = (1 << 6) - 1
_MOST_CALLERS = (1 << 20) - 1
_CALLERS_SHIFT = 1
_DOCUMENTED_SHIFT = 21
_WORDS_SHIFT = 22
_EXPORTED_SHIFT = 28
RANK_BITS = 29
LOWEST_RANK = (1 << RANK_BITS) - 1
NUMBER_BITS = 26
NUMBER = f"& {(1 << NUMBER_BITS) - 1}"
"""SQL that takes the number of the row from a search_id."""
OF_RANK = f"({{rank}} >> {_DOCUMENTED_SHIFT} << {NUMBER_BITS} | id)"
"""SQL for the search_id of a row by the rank that is put in."""
INTERNAL_RANK = 1 << _EXPORTED_SHIFT
"""The bit of a rank that says that the symbol is not exported."""


def search_rank(
    folded: str, kind: str, *, exported: bool, documented: bool, callers: int, standard: bool
) -> int:
    """The rank of a symbol.

    ``folded`` is its folded name, ``kind`` its contract type, ``documented`` whether one of its definitions
    is; ``callers`` are the most callers that one of them has.
    """
    count = min(len(words(folded).split()) + _SELDOM_MEANT * (kind == "CLASS"), _MOST_WORDS)
    return (
        (not exported) << _EXPORTED_SHIFT
        | count << _WORDS_SHIFT
        | (not documented) << _DOCUMENTED_SHIFT
        | (_MOST_CALLERS - min(callers, _MOST_CALLERS)) << _CALLERS_SHIFT
        | (not standard)
    )


def search_id(rank: int, number: int) -> int:
    """The number in full text of something with this rank that is row ``number`` of its table.

    Full text gives its rows in the order of these numbers: the best come first, as far as that does not
    depend on callers, which are known when full text has been made. At most 67 million rows can have one.
    """
    return rank >> _DOCUMENTED_SHIFT << NUMBER_BITS | number


def is_same_id(rank: int, other: int) -> bool:
    """Whether things have the same search_id with either rank."""
    return rank >> _DOCUMENTED_SHIFT == other >> _DOCUMENTED_SHIFT


def callers_in_rank(callers: int) -> int:
    """By how much the rank of a symbol with so many callers is lower than without any."""
    return min(callers, _MOST_CALLERS) << _CALLERS_SHIFT


def is_exported(rank: int) -> bool:
    """Whether the symbol of this rank is exported."""
    return not rank & INTERNAL_RANK


def callers_of(rank: int) -> int:
    """How many callers the symbol of this rank has, up to a million."""
    return _MOST_CALLERS - (rank >> _CALLERS_SHIFT & _MOST_CALLERS)
