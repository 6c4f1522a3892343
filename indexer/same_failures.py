"""Failures to load that share one cause, so that they can be reported once, with the number of systems."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

_Failure = TypeVar("_Failure")
_MOST_NAMED = 5
# ASDF: Component "atomics" not found, required by #<SYSTEM "a">
_REQUIRED_BY = re.compile(r",? required by .*", re.DOTALL)


def same_failures(
    failures: Iterable[_Failure], fields: Callable[[_Failure], tuple[str, str, str, str | None, int | None]]
) -> list[list[_Failure]]:
    """Return ``failures`` in groups of one cause, each in its order, by the first of each.

    ``fields`` returns what a failure is of (such as "system"), the type of the condition, its message, path
    and line. What ASDF does not find is one cause, whoever needs it.
    """
    groups: dict[Hashable, list[_Failure]] = {}
    for failure in failures:
        part, condition, message, path, line = fields(failure)
        key: Hashable = (part, condition, message, path, line)
        if condition.startswith("MISSING-"):
            key = (part, condition, _REQUIRED_BY.sub("", message))
        groups.setdefault(key, []).append(failure)
    return list(groups.values())


def names_of(part: str, subjects: list[str]) -> str:
    """Return words for the ``subjects``, each a ``part``: ``the system a``, ``2 systems (a, b)``."""
    if len(subjects) == 1:
        return f"the {part} {subjects[0]}"
    more = f" and {len(subjects) - _MOST_NAMED} more" if len(subjects) > _MOST_NAMED else ""
    return f"{len(subjects)} {part}s ({', '.join(subjects[:_MOST_NAMED])}{more})"
