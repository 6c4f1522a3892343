"""The handler of usage_examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...index.not_found import NotFound
from ...questions.examples.answer import ExamplesAnswer
from ...questions.examples.parameters import ExamplesParameters
from ...questions.examples.text import examples_text
from ..answer import CountsAnswer
from ..listing import Listing
from ..vocabulary import Reply

ANSWERS = (ExamplesAnswer, CountsAnswer, NotFound)


class _Examples(Listing[ExamplesAnswer]):
    question = ExamplesParameters
    noun = "examples"
    counted_by = "system"

    def whole(self) -> Any:
        return replace(self.asked, limit=0)

    def text(self, answer: ExamplesAnswer) -> str:
        return examples_text(answer)

    def subject(self, answer: ExamplesAnswer) -> str:
        return answer.written

    def names(self, answer: ExamplesAnswer) -> list[str]:
        return [one.system or "SBCL" for one in answer.examples]

    def shorter(self, answer: ExamplesAnswer, most: int) -> ExamplesAnswer:
        return replace(answer, examples=[replace(one, context=None) for one in answer.examples[:most]])

    def lacking(self, answer: ExamplesAnswer) -> str:
        return "Some context was" if self.arguments.get("context") and answer.examples else ""


def usage_examples(arguments: Mapping[str, Any]) -> Reply:
    """Answer usage_examples."""
    return _Examples(arguments).reply()
