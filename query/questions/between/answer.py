"""The answer of uses, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...index.answer_field import doc, incomplete_field, outdated_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@dataclass(frozen=True, slots=True)
class NameUser:
    """A definition that uses a name, or code outside any definition that does."""

    caller: str = doc("the caller, as typed in Lisp: `foo:bar`, `(method foo:bar (t))`")
    caller_kind: str | None = doc("kind of the caller's definition; null for code outside any definition")
    uses: int = doc("how often the caller uses the name")
    path: str | None = doc("absolute path of the source file of the first of these uses")
    line: int | None = doc("line of that use, from 1")
    column: int | None = doc("column of the name there, from 1; null if the text does not name it")
    lines: list[int] = doc("lines of the caller's uses in that file, from 1, each listed once")


@dataclass(frozen=True, slots=True)
class UsedName:
    """A name that is used."""

    written: str = doc("the name, as typed in Lisp: `foo:bar`, `(setf foo:bar)`")
    package: str | None = doc("home package of the symbol")
    kind: str | None = doc("kind of the definition to which most of the uses refer, if there is one")
    uses: int = doc("number of its uses")
    callers: int = doc("number of its distinct callers")
    path: str | None = doc("absolute path of the source file of the first use")
    line: int | None = doc("line of the first use, from 1")
    users: list[NameUser] = doc(
        "its callers, in the order of their places; empty unless pairs were asked for"
    )


@dataclass(frozen=True, slots=True)
class BetweenAnswer:
    """Which names of one part of the code another part uses: the answer of uses."""

    of_uses: ClassVar = True

    users: str = doc(
        "the part that uses the names: `project`, or the word package, system or file and a name"
    )
    used: str = doc("the part whose names are used, given in the same way")
    total: int = doc("number of distinct names that are used, whatever the limit")
    uses: int = doc("number of uses of these names")
    callers: int = doc("number of distinct callers")
    relations: dict[str, int] = doc("the number of uses by each relation")
    inside: int = doc(
        "number of uses left out because they are in code that also belongs to the part whose names are used"
    )
    offset: int = doc("number of names skipped")
    names: list[UsedName] = doc("the names, sorted by number of uses, the most used first, then by name")
    note: str | None = doc("a remark about how the names of the two parts were understood")
    reason: str | None = doc("why there are no uses")
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
