"""The answer of complete, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc


@dataclass(frozen=True, slots=True)
class Completion:
    """A name that one may be typing."""

    written: str = doc("the name as written in code of the package; a package name ends with a colon")
    type: str = doc("macro, generic-function, function, class, variable, symbol or package")
    package: str | None = doc("home package of the symbol; null for a package")
    match: str = doc(
        "what the text is the beginning of: the name (name), its words (words) or their initials (initials)"
    )
    accessible: bool = doc("false if completing the text adds a package prefix")
    uses: int = doc("number of its uses in the index")
    arglist: str | None = doc("lambda list of a function or macro; null when SBCL does not know it")


@dataclass(frozen=True, slots=True)
class CompleteAnswer:
    """The names that one may be typing: the answer of complete."""

    text: str = doc("the text typed so far")
    package: str = doc("the package in which the code is read")
    total: int = doc("number of names, whatever the limit")
    completions: list[Completion] = doc("the names, the most likely first")
