"""The answer of apropos, as dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc


@dataclass(slots=True)  # not frozen: a list has thousands, and frozen ones take five times as long to make
class AproposMatch:
    """One symbol that apropos found."""

    name: str = doc("exact name")
    package: str = doc("home package; where it was found for a symbol without home")
    type: str = doc("macro, generic-function, function, class, variable or symbol")
    status: str = doc("status in the package asked in: external, internal or inherited")


@dataclass(frozen=True, slots=True)
class AproposAnswer:
    """The symbols whose names contain a pattern: the answer of apropos."""

    pattern: str = doc("the pattern as given")
    package: str | None = doc("name of the package asked in")
    type: str | None = doc("the type asked for")
    total: int = doc("how many match, whatever the limit")
    offset: int = doc("how many matches were left out at the front")
    matches: list[AproposMatch] = doc("the matches by name, then package, in code point order")
