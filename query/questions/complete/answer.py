"""The answer of complete, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc


@dataclass(frozen=True, slots=True)
class Completion:
    """A name that one may be typing."""

    written: str = doc("the name as code in the package writes it; a package ends with its colon")
    type: str = doc("macro, generic-function, function, class, variable or symbol; package")
    package: str | None = doc("home package of the symbol; null for a package")
    match: str = doc("what the text is the beginning of: name, words, or initials")
    accessible: bool = doc("whether the code can write it without a package")
    uses: int = doc("number of uses of it in the index")
    arglist: str | None = doc("lambda list of a function or macro; null when SBCL does not know it")


@dataclass(frozen=True, slots=True)
class CompleteAnswer:
    """The names that one may be typing: the answer of complete."""

    text: str = doc("the text")
    package: str = doc("the package that the code is in")
    total: int = doc("number of names, whatever the limit")
    completions: list[Completion] = doc("the names, the most likely first")
