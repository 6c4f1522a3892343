"""The answer of examples, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...index.answer_field import doc, incomplete_field, outdated_field
from ...index.finding.guessed import guessed_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@dataclass(frozen=True, slots=True)
class UsageExample:
    """One use of a name, as a whole form."""

    form: str = doc("the text of the form, without the indentation that it has in its file")
    relation: str = doc("how the form uses the name: calls, macroexpands, instantiates or names")
    caller: str = doc("the definition around the form, as typed in Lisp, or a toplevel form")
    system: str | None = doc("the system of the form's file")
    path: str | None = doc("the source file")
    line: int = doc("line of the form, from 1")
    context: str | None = doc("the lines of the file around the form, if they were asked for")


@dataclass(frozen=True, slots=True)
class ExamplesAnswer:
    """The most instructive uses of a name: the answer of examples."""

    of_uses: ClassVar = True

    name: str = doc("exact name")
    package: str = doc("home package")
    written: str = doc("the name as you would type it")
    total: int = doc(
        "number of uses (calls, macroexpands, instantiates and names) from which the most instructive were "
        "chosen"
    )
    reason: str | None = doc("why there are no examples")
    examples: list[UsageExample] = doc("the examples, the most instructive first")
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
    guessed: str | None = guessed_field()
