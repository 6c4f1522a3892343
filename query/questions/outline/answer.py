"""The answer of outline, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc, incomplete_field, outdated_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@dataclass(frozen=True, slots=True)
class OutlinedDefinition:
    """A definition in an outline."""

    written: str = doc(
        "what it defines, as typed in Lisp: `foo:bar`, `(setf foo:bar)`; for a package, its name"
    )
    package: str | None = doc("home package of the symbol; null for a package")
    kind: str = doc("kind of the definition")
    exported: bool = doc("whether a package exports the name; false for a package")
    arglist: str | None = doc("lambda list of a function or macro, as SBCL prints it; null for a method")
    qualifiers: str | None = doc("qualifiers of a method, as SBCL prints them")
    specializers: str | None = doc("specializers of a method, as SBCL prints them: `(LIST T)`")
    superclasses: list[str] = doc(
        "the direct superclasses of a class, as typed in Lisp, except standard-object and structure-object"
    )
    defined_by: str | None = doc("the macro that defines it")
    path: str | None = doc("absolute path of the source file")
    line: int | None = doc("line where it begins, from 1")


@dataclass(frozen=True, slots=True)
class OutlineAnswer:
    """What a part of the code defines: the answer of outline."""

    part: str = doc("the part: `project`, or the word package, system or file and a name")
    total: int = doc("number of definitions, whatever the limit")
    kinds: dict[str, int] = doc("the number of definitions of each kind, the most frequent first")
    accessors: int = doc("number of functions and methods left out because class definitions make them")
    offset: int = doc("number of definitions skipped")
    definitions: list[OutlinedDefinition] = doc("the definitions, sorted by path, then by place in the file")
    note: str | None = doc("a remark about how the name of the part was understood")
    reason: str | None = doc("why there are no definitions")
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
