"""The answer of describe_symbol about the methods that a call with arguments of given classes reaches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ...questions.methods.answer import MethodsAnswer
from ...questions.methods.parameters import MethodsParameters
from ...questions.methods.text import methods_text
from ...syntax.printed import items
from ..declared import asked
from ..listing import MORE, Listing
from ..vocabulary import Reply

ANSWERS = (MethodsAnswer,)


class _Methods(Listing[MethodsAnswer]):
    question = MethodsParameters
    noun = "methods that a call reaches"
    counted_by = "role"

    def parameters(self) -> MethodsParameters:
        on = self.arguments["on"].strip()
        return asked(MethodsParameters, self.arguments, on=items(on if on.startswith("(") else f"({on})"))

    def text(self, answer: MethodsAnswer) -> str:
        return methods_text(answer, MORE)

    def notes(self, _: MethodsAnswer, shown: MethodsAnswer) -> Iterator[str]:
        if shown.note:
            yield f"{shown.note}."

    def subject(self, answer: MethodsAnswer) -> str:
        return answer.written

    def names(self, answer: MethodsAnswer) -> list[str]:
        return [method.role for method in answer.methods]

    def shorter(self, answer: MethodsAnswer, most: int) -> MethodsAnswer:
        methods = [replace(one, documentation=None) for one in answer.methods[:most]]
        return replace(answer, methods=methods)


def reached_methods(arguments: Mapping[str, Any]) -> Reply:
    """Answer describe_symbol with classes ``on`` which a call is made."""
    return _Methods(arguments).reply()
