"""The handler of check_form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ....check.form.answer import FormCheckAnswer
from ....check.form.parameters import FormParameters
from ....check.form.text import form_text
from ....index.not_found import NotFound
from ...answer import CountsAnswer
from ...listing import Listing
from ...vocabulary import Reply

ANSWERS = (FormCheckAnswer, CountsAnswer, NotFound)


class _Findings(Listing[FormCheckAnswer]):
    question = FormParameters
    noun = "findings"
    counted_by = "rule"

    def whole(self) -> Any:
        return replace(self.asked, limit=0)

    def text(self, answer: FormCheckAnswer) -> str:
        return form_text(answer, "mend these, or take a higher limit")

    def subject(self, answer: FormCheckAnswer) -> str:
        return answer.path

    def names(self, answer: FormCheckAnswer) -> list[str]:
        return [one.rule for one in answer.findings]

    def shorter(self, answer: FormCheckAnswer, most: int) -> FormCheckAnswer:
        return replace(answer, findings=answer.findings[:most])

    def lacking(self, _: FormCheckAnswer) -> str:
        return ""


def check_form(arguments: Mapping[str, Any]) -> Reply:
    """Answer check_form."""
    return _Findings(arguments).reply()
