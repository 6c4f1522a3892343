"""The answer of at, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...index.answer_field import doc, incomplete_field, outdated_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@dataclass(frozen=True, slots=True)
class NameAt:
    """A name on the line, and what it means there."""

    text: str = doc("the name as written on the line")
    column: int = doc("its column, from 1")
    relation: str = doc("how it is used, such as calls, references or names; local for a local name")
    written: str | None = doc("the name as you would type it; null for a local name")
    package: str | None = doc("home package of the symbol; null for a local name")
    kind: str | None = doc(
        "kind of the definition to which it refers; for a local name: variable, function, macro, "
        "symbol-macro, block or tag; null if unknown"
    )
    arglist: str | None = doc("lambda list of a function or macro")
    path: str | None = doc("absolute path of the file with that definition; null for a local name")
    line: int | None = doc("line of that definition, or of the binding of a local name, from 1")


@dataclass(frozen=True, slots=True)
class UseAt:
    """A use of a symbol by the innermost form, or by a form inside it."""

    written: str = doc("the symbol or setf function, as typed in Lisp")
    kind: str | None = doc("kind of the definition that is used, if there is one")
    relation: str = doc("how it is used: calls, macroexpands, references, sets, names, ...")
    use_line: int | None = doc("line of the use, from 1")
    use_column: int | None = doc("column of the symbol, from 1; null if the text does not name it")
    in_expansion_of: str | None = doc(
        "the macro or inline function whose expansion contains the use, if the text does not name the symbol"
    )


@dataclass(frozen=True, slots=True)
class AtAnswer:
    """What is at a place in a source file: the answer of at."""

    of_uses: ClassVar = True

    path: str = doc("absolute path of the file")
    at_line: int = doc("the line that was asked about, from 1")
    at_column: int | None = doc("the column that was asked about, from 1")
    text: str = doc("the text of that line")
    package: str = doc("the package in which the line is read")
    definition: str | None = doc("the innermost definition around the place, as typed in Lisp")
    defined_by: str | None = doc("the operator of the definition's form, such as defun")
    definition_line: int | None = doc("first line of that definition, from 1")
    definition_end_line: int | None = doc("last line of that definition")
    names: list[NameAt] = doc("the names on the line that have a meaning in the code, in order")
    form: str | None = doc("the innermost form at the place; only its beginning if it is long")
    form_line: int | None = doc("line where that form begins, from 1")
    form_column: int | None = doc("column where that form begins, from 1")
    form_end_line: int | None = doc("last line of that form")
    uses: list[UseAt] = doc("what that form uses, in the order of the text; what expansions use comes last")
    note: str | None = doc("why something is missing from the answer")
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
