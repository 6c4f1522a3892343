"""The structured answers that only tools give, as dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ..index.answer_field import doc
from ..index.not_found import NotFound
from ..questions.definition.answer import DefinitionTextAnswer
from ..questions.describe.answer import DescribeAnswer


@dataclass(frozen=True, slots=True)
class CountsAnswer:
    """Counts in place of an answer that is too long for its budget: the number of items of each sort."""

    question: str = doc("the name, pattern or words that were asked for")
    total: int = doc("number of items, whatever the limit")
    counted_by: str = doc('what items are counted by: "package", "kind", "root", "system" or "rule"')
    counts: dict[str, int] = doc("number of items of each sort, largest first; as many sorts as fit")
    left_out: int = doc("number of sorts that did not fit")
    hint: str = doc("how to get the answer itself")


@dataclass(frozen=True, slots=True)
class DefinitionsAnswer:
    """The texts of the definitions of several names: the answer of symbol_definition."""

    definitions: list[DefinitionTextAnswer | NotFound] = doc("one answer for each name asked for, in order")
    left_out_total: int = doc("number of names left out for lack of room")
    left_out: list[str] = doc("the first of the names left out")
    incomplete: str | None = doc(
        "what did not load, if an answer may be incomplete because of it", default=None
    )
    outdated: str | None = doc(
        "which files in the answers have changed or disappeared since the index was built", default=None
    )


@dataclass(frozen=True, slots=True)
class DescriptionsAnswer:
    """The descriptions of several names: the answer of describe_symbol."""

    descriptions: list[DescribeAnswer | CountsAnswer | NotFound] = doc(
        "one answer for each name asked for, in order"
    )
    left_out: list[str] = doc("the names left out for lack of room")


@dataclass(frozen=True, slots=True)
class CodeDescription:
    """A symbol in six fields, as the code-describe tools of other servers describe it."""

    name: str = doc("exact name")
    type: str = doc("macro, generic-function, function, class, variable or symbol")
    arglist: str | None = doc("lambda list; null when SBCL does not know it")
    documentation: str | None = doc("documentation string")
    path: str | None = doc(
        "path of the source file, relative to the project if inside it; left out if unknown"
    )
    line: int | None = doc("line of the definition's own form, from 1; left out if unknown")


@dataclass(frozen=True, slots=True)
class CodePlace:
    """Where a symbol is defined, as the code-find-definition tools of other servers report it."""

    path: str = doc("path of the source file, relative to the project if inside it")
    line: int | None = doc("line of the definition's own form, from 1")


@dataclass(frozen=True, slots=True)
class EvaluationAnswer:
    """The output of a Lisp that evaluates, expands or loads code: the answer of the tools that run a Lisp."""

    text: str = doc("the printed output, then the values, each as PRIN1 writes it; or the expansion")


@dataclass(frozen=True, slots=True)
class ReindexAnswer:
    """The outcome of a build of the index: the answer of reindex."""

    success: bool = doc("true when there is a new index; otherwise the old one is unchanged")
    path: str = doc("the index")
    text: str = doc("what was indexed, what did not load, or why the build failed")


@dataclass(frozen=True, slots=True)
class SourceChangeAnswer:
    """A change to the sources of a project: the answer of edit_form and rename_symbol."""

    difference: str = doc("the change as a unified diff; its beginning if it is long")
    files: list[str] = doc("absolute paths of the files that change")
    places: int = doc("number of places that change")
    written: bool = doc("true if the change was written to the files; otherwise it is only shown")
    digest: str | None = doc("digest of the changed form, for the next edit_form; null if the form is gone")
