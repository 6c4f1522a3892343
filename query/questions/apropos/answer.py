"""The answer of apropos, as dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc, incomplete_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@dataclass(slots=True)  # not frozen: there can be thousands, and frozen ones take five times as long to make
class AproposMatch:
    """One symbol that apropos found."""

    name: str = doc("exact name")
    package: str = doc("home package; for a symbol without one, the package in which it was found")
    type: str = doc("macro, generic-function, function, class, variable or symbol")
    status: str = doc("status in the package searched: external, internal or inherited")


@dataclass(slots=True)
class SeenMatch(AproposMatch):
    """One symbol that apropos found, written for the package of `seen_from`."""

    written: str = doc("the name as written in code of that package")


@dataclass(frozen=True, slots=True)
class AproposAnswer:
    """The symbols whose names contain a pattern: the answer of apropos."""

    pattern: str = doc("the pattern as given")
    package: str | None = doc("name of the package searched")
    type: str | None = doc("the type asked for")
    total: int = doc("number of matches, whatever the limit")
    offset: int = doc("number of matches skipped")
    matches: list[AproposMatch | SeenMatch] = doc(
        "the matches, sorted by name, then by package, in code point order"
    )
    note: str | None = doc(
        "a remark about the pattern, or about internal symbols that match when few exported ones do",
        default=None,
    )
    incomplete: str | None = incomplete_field()
    seen_from: SeenFrom | None = seen_from()
