"""The part of an answer that is about the package that its names are written for."""

from __future__ import annotations

from dataclasses import dataclass

from ..answer_field import doc


@dataclass(frozen=True, slots=True)
class SeenFrom:
    """The package whose code the names of an answer are written for, and what would make them shorter."""

    package: str = doc("the package for which the names are written")
    obstacles: list[str] = doc(
        "why a name cannot be imported: a conflict with another symbol, a locked package, or no package at "
        "all"
    )
    add: list[str] = doc("options for the package's defpackage form that would make the names shorter")


def seen_from() -> SeenFrom | None:
    """Make the field of an answer that holds a SeenFrom."""
    found: SeenFrom | None = doc(
        "the package that the names are written for, and what would make them shorter", default=None
    )
    return found


def seen_lines(seen: SeenFrom | None) -> list[str]:
    """Return the lines that say so, for people."""
    if seen is None:
        return []
    return [
        *(f"Seen from {seen.package}: {one}." for one in seen.obstacles),
        *(f"For shorter names, add to {seen.package}: {one}" for one in seen.add),
    ]
