"""The answer of check_form."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc


@dataclass(frozen=True, slots=True)
class FormFinding:
    """A fault in a text, as check_form reports it."""

    line: int = doc("line of the fault, from 1")
    column: int = doc("column of the fault, from 1, in characters")
    length: int = doc("number of characters at fault")
    text: str = doc("the text at fault, or its beginning")
    rule: str = doc("the rule, one of those of oblist check (check.md)")
    severity: str = doc('"error", "warning" or "info"')
    message: str = doc("what is wrong, and what would be right")
    suggestions: list[str] = doc("what may be meant instead of the text, as typed in Lisp, the nearest first")
    correction: str | None = doc("the first of the suggestions: what to write instead of the text")


@dataclass(frozen=True, slots=True)
class FormCheckAnswer:
    """What is wrong with a form or the text of a file, in order: the answer of check_form."""

    path: str = doc("the label of the text")
    package: str = doc("the package in which the text begins")
    total: int = doc("number of findings, whatever the limit")
    offset: int = doc("number of findings that were skipped")
    errors: int = doc("number of errors among all findings")
    warnings: int = doc("number of warnings among all findings")
    findings: list[FormFinding] = doc("the findings, in the order of the text")
    calls: int = doc("number of calls that were checked")
    symbols: int = doc("number of symbols with a package prefix that were checked")
    not_checked: str | None = doc("why the text was not checked; null if it was")
    incomplete: str | None = doc(
        "what is unknown because it did not load when the index was built", default=None
    )
