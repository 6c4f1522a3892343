"""The structured answers that tools give besides those of the index, as dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ..index.answer_field import doc
from ..index.not_found import NotFound
from ..questions.definition.answer import DefinitionTextAnswer


@dataclass(frozen=True, slots=True)
class CountsAnswer:
    """What an answer amounts to that is too long for its budget: how many there are of each sort."""

    question: str = doc("what was asked for")
    total: int = doc("how many there are, whatever the limit")
    counted_by: str = doc('what they are counted by: "package", "kind" or "root"')
    counts: dict[str, int] = doc("how many there are of each, the most first; as many as fit")
    left_out: int = doc("how many of these did not fit")
    hint: str = doc("how to get the answer itself")


@dataclass(frozen=True, slots=True)
class DefinitionsAnswer:
    """The texts of the definitions of several names: the answer of symbol_definition."""

    definitions: list[DefinitionTextAnswer | NotFound] = doc("one answer for each name asked for, in order")
    left_out_total: int = doc("how many names' answers did not fit any more")
    left_out: list[str] = doc("the first of those names")


@dataclass(frozen=True, slots=True)
class CodeDescription:
    """What a symbol is, in the few words of the code-describe tools of other servers."""

    name: str = doc("exact name")
    type: str = doc("macro, generic-function, function, class, variable or symbol")
    arglist: str | None = doc("lambda list; null when SBCL does not know it")
    documentation: str | None = doc("documentation string")
    path: str | None = doc("path of the source file, relative to the project inside it")
    line: int | None = doc("line of the definition's own form, from 1")


@dataclass(frozen=True, slots=True)
class EvaluationAnswer:
    """What a form gave, or loading a system: the answer of eval_form and load_system."""

    success: bool = doc("false when it ended in an error, or was stopped")
    text: str = doc("what it printed, then its values, each as PRIN1 writes it; or the error")


@dataclass(frozen=True, slots=True)
class ReindexAnswer:
    """What a build of the index ended with: the answer of reindex."""

    success: bool = doc("true when there is a new index; false leaves the old one as it was")
    path: str = doc("the index")
    text: str = doc("what was indexed, what would not load, or why it failed")


TOOL_ANSWERS = (
    CountsAnswer,
    DefinitionsAnswer,
    CodeDescription,
    EvaluationAnswer,
    ReindexAnswer,
)
