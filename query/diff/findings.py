"""The findings of a comparison, and the version steps that they require (semver.org)."""

from __future__ import annotations

from dataclasses import dataclass

MAJOR, MINOR, PATCH, NONE = "major", "minor", "patch", "none"
_ORDER = (NONE, PATCH, MINOR, MAJOR)


def greatest(steps: list[str]) -> str:
    """The greatest of some version steps; ``none`` for an empty list."""
    return max(steps, key=_ORDER.index, default=NONE)


def at_least(step: str, other: str) -> bool:
    """Whether ``step`` is ``other`` or greater."""
    return _ORDER.index(step) >= _ORDER.index(other)


@dataclass(frozen=True, slots=True)
class Finding:
    """One change to a name: the sort of change, the step that it requires, and the facet that changed."""

    change: str
    step: str
    facet: str
    message: str
    part: str | None = None
    old: str | None = None
    new: str | None = None
