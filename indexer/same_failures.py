"""Failures to load that share one cause, so that they can be reported once, with the number of systems."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

_Failure = TypeVar("_Failure")
_MOST_NAMED = 5
# ASDF: Component "atomics" not found, required by #<SYSTEM "a">
_REQUIRED_BY = re.compile(r",? required by .*", re.DOTALL)


def cause(part: str, condition: str, message: str, path: str | None, line: int | None) -> Hashable:
    """Return a key that is equal for failures of one cause.

    ``part`` is what did not load (such as "system"). What ASDF does not find is one cause, whoever needs it.
    """
    if condition.startswith("MISSING-"):
        return part, condition, _REQUIRED_BY.sub("", message)
    return part, condition, message, path, line


def same_failures(failures: Iterable[_Failure], key: Callable[[_Failure], Hashable]) -> list[list[_Failure]]:
    """Return ``failures`` in groups with equal keys, each in its order, by the first of each."""
    groups: dict[Hashable, list[_Failure]] = {}
    for failure in failures:
        groups.setdefault(key(failure), []).append(failure)
    return list(groups.values())


def names_of(part: str, subjects: list[str]) -> str:
    """Return words for the ``subjects``, each a ``part``: ``the system a``, ``2 systems (a, b)``."""
    if len(subjects) == 1:
        return f"the {part} {subjects[0]}"
    more = f" and {len(subjects) - _MOST_NAMED} more" if len(subjects) > _MOST_NAMED else ""
    plural = f"{part}es" if part.endswith("s") else f"{part}s"
    return f"{len(subjects)} {plural} ({', '.join(subjects[:_MOST_NAMED])}{more})"
