"""The answer of slot, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...index.answer_field import doc, incomplete_field, outdated_field
from ...index.finding.guessed import guessed_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@dataclass(frozen=True, slots=True)
class SlotPlace:
    """A place that has to do with the slot."""

    relation: str = doc(
        "defines, overrides (a subclass defines its own slot with that name), initializes, reads, writes, "
        "changes (reads, then writes), tests (slot-boundp and the like), binds (with-slots, with-accessors) "
        "or specializes (defines a method of an accessor)"
    )
    via: str = doc("the accessor, constructor, initarg or operator there, as typed in Lisp")
    caller: str = doc("the definition there, as typed in Lisp, or a label for code outside any definition")
    caller_kind: str | None = doc("kind of that definition; null for code outside any definition")
    path: str | None = doc("absolute path of the source file")
    line: int | None = doc("line, from 1")
    column: int | None = doc("column of the name there, from 1; null if the text has no such name")
    length: int | None = doc("length of the name there; null if `column` is null")
    in_expansion_of: str | None = doc(
        "the macro whose expansion contains the use, if the text does not name what is used"
    )
    perhaps: bool = doc("true if the object there may be of another class that has such a slot or accessor")
    text: str | None = doc("the text of that line")


@dataclass(frozen=True, slots=True)
class SlotUsesAnswer:
    """The places that have to do with a slot: the answer of slot."""

    of_uses: ClassVar = True

    name: str = doc("exact name of the slot")
    of: str = doc("the class that was asked about, as typed in Lisp")
    defined_in: list[str] = doc("the classes that define the slot, as typed in Lisp, superclasses first")
    readers: list[str] = doc("functions that read it, as typed in Lisp")
    writers: list[str] = doc("functions that write it, such as `(setf foo:bar)`")
    initargs: list[str] = doc("initargs; for a structure, the keyword that its constructors take")
    constructors: list[str] = doc("constructors of structures that have the slot")
    total: int = doc("number of places, whatever the limit")
    perhaps: int = doc("number of places that may be about another class")
    relations: dict[str, int] = doc("the number of places for each relation")
    other_mentions: int = doc("number of other places where the symbol that names the slot occurs")
    offset: int = doc("number of places skipped")
    places: list[SlotPlace] = doc("the places, sorted by relation, then by path, line and column")
    note: str | None = doc("a remark about the name as typed")
    reason: str | None = doc("why there are no places")
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
    guessed: str | None = guessed_field()
