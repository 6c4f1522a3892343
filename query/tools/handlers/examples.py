"""The handler of usage_examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...api import Index
from ...index.not_found import NotFound
from ...questions.examples.answer import ExamplesAnswer
from ...questions.examples.text import examples_text
from ..answer import CountsAnswer
from ..limits import EXAMPLES_LIMIT, PACKAGE
from ..listing import Listing
from ..vocabulary import Reply

ANSWERS = (ExamplesAnswer, CountsAnswer, NotFound)
_MOST_CONTEXT = 100  # lines


class _Examples(Listing[ExamplesAnswer]):
    limit = EXAMPLES_LIMIT
    noun = "examples"
    counted_by = "system"

    def ask(self, index: Index, limit: int, _: int) -> ExamplesAnswer | NotFound:
        asked = self.arguments
        package, context = asked.get("package", PACKAGE), min(asked.get("context", 0), _MOST_CONTEXT)
        return index.examples(asked["name"], package, limit=limit, context=context)

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
