"""The vocabulary in which ranking is stated: what a person wants from a search, and where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from oblist.query.answers import SearchAnswer

Check = Callable[[list[str]], bool]


@dataclass(frozen=True)
class Expectation:
    """A condition on the written forms of the matches, in order; ``why`` puts it in words."""

    why: str
    holds: Check
    gap: str | None = None


def top_hit(written: str) -> Expectation:
    """The first match is this one."""
    return Expectation(f"{written} comes first", lambda found: found[:1] == [written])


def in_top(number: int, written: str) -> Expectation:
    """This one is among the first."""
    return Expectation(f"{written} is in the top {number}", lambda found: written in found[:number])


def before(first: str, second: str) -> Expectation:
    """Both are found, the one before the other."""

    def holds(found: list[str]) -> bool:
        return first in found and second in found and found.index(first) < found.index(second)

    return Expectation(f"{first} comes before {second}", holds)


def not_found(written: str) -> Expectation:
    """This one is not among the matches."""
    return Expectation(f"{written} is not found", lambda found: written not in found)


def known_gap(expectation: Expectation, reason: str) -> Expectation:
    """An expectation that does not hold yet; the test fails once it does."""
    return Expectation(expectation.why, expectation.holds, reason)


def failure(answer: SearchAnswer, expectation: Expectation) -> str | None:
    """The fault, or None when all is as expected."""
    found = [match.written for match in answer.matches]
    holds = expectation.holds(found)
    if expectation.gap is not None:
        return f"the gap closed: {expectation.why} ({expectation.gap})" if holds else None
    return None if holds else f"{answer.query!r}: {expectation.why}, but found {found[:6]}"
