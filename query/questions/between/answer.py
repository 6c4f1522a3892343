"""The answer of uses, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...index.answer_field import doc, incomplete_field, outdated_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@dataclass(frozen=True, slots=True)
class NameUser:
    """A definition, or code outside of any, that uses a name."""

    caller: str = doc("the caller, as typed in Lisp: `foo:bar`, `(method foo:bar (t))`")
    caller_kind: str | None = doc("kind of its definition; null for code that belongs to none")
    uses: int = doc("how often it uses the name")
    path: str | None = doc("absolute path of the source file of the first of these uses")
    line: int | None = doc("line of that use, from 1")
    column: int | None = doc("column of the name there, from 1; null if the text does not name it")
    lines: list[int] = doc("the lines of its uses in that file, from 1, each listed once")


@dataclass(frozen=True, slots=True)
class UsedName:
    """A name that is used."""

    written: str = doc("the name, as typed in Lisp: `foo:bar`, `(setf foo:bar)`")
    package: str | None = doc("home package of the symbol")
    kind: str | None = doc("kind of the definition that most of the uses mean, if there is one")
    uses: int = doc("number of its uses")
    callers: int = doc("number of distinct callers")
    path: str | None = doc("absolute path of the source file of the first use")
    line: int | None = doc("line of the first use, from 1")
    users: list[NameUser] = doc(
        "its callers, in the order of their places; empty unless pairs were asked for"
    )


@dataclass(frozen=True, slots=True)
class BetweenAnswer:
    """Which names of one part of the code another uses: the answer of uses."""

    of_uses: ClassVar = True

    users: str = doc("the code that uses: `project`, or package, system or file and its name")
    used: str = doc("what is used, likewise")
    total: int = doc("number of distinct names that are used, whatever the limit")
    uses: int = doc("number of uses of them")
    callers: int = doc("number of distinct callers")
    relations: dict[str, int] = doc("the number of uses of each relation")
    inside: int = doc("number of uses left out because the code that uses is itself a part of what is used")
    offset: int = doc("number of names skipped")
    names: list[UsedName] = doc("the names, the most used first, then by name")
    note: str | None = doc("a remark about how the names of the two parts were understood")
    reason: str | None = doc("why there are none")
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
