"""The answer of methods, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc, incomplete_field, outdated_field
from ...index.answer_place import AnswerPlace, with_place
from ...index.finding.guessed import guessed_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@with_place()
@dataclass(frozen=True, slots=True)
class ReachedMethod(AnswerPlace):
    """One method that a call reaches, or may reach."""

    role: str = doc("around, before, primary or after")
    possibly: bool = doc("true if the value of an argument also decides, because of an EQL specializer")
    qualifiers: str | None = doc("method qualifiers")
    specializers: str | None = doc("specializers of all required parameters")
    arglist: str | None = doc("lambda list")
    documentation: str | None = doc("documentation string")


@dataclass(frozen=True, slots=True)
class MethodsAnswer:
    """The methods that a call of a generic function reaches: the answer of methods."""

    name: str = doc("exact name")
    package: str = doc("home package")
    written: str = doc("the generic function, as typed in Lisp")
    arglist: str | None = doc("lambda list of the generic function")
    on: list[str] | None = doc(
        "the class of each required argument, as typed in Lisp, T where none was given; null if all methods "
        "were asked for"
    )
    argument_precedence: list[str] = doc(
        "the required parameters, in the order in which they decide between methods"
    )
    total: int = doc("number of methods that the call reaches or may reach")
    methods: list[ReachedMethod] = doc(
        "the first of them after `offset`: around, before, primary, after; of each, the most specific "
        "first; if `on` is null, in the order of the index"
    )
    offset: int = doc("number of methods skipped")
    note: str | None = doc("a remark about the name as typed, or about what is not known")
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
    guessed: str | None = guessed_field()
