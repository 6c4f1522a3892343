"""The answer of describe_symbol about the methods that a call with arguments of given classes reaches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ...api import Index
from ...index.not_found import NotFound
from ...questions.methods.answer import MethodsAnswer
from ...questions.methods.text import methods_text
from ...syntax.printed import items
from ..limits import DEFINITIONS_LIMIT, PACKAGE
from ..listing import MORE, Listing
from ..vocabulary import Reply

ANSWERS = (MethodsAnswer,)


class _Methods(Listing[MethodsAnswer]):
    limit = DEFINITIONS_LIMIT
    noun = "methods that a call reaches"
    counted_by = "role"

    def ask(self, index: Index, limit: int, offset: int) -> MethodsAnswer | NotFound:
        name, package = self.arguments["name"], self.arguments.get("package", PACKAGE)
        on = self.arguments["on"].strip()
        classes = items(on if on.startswith("(") else f"({on})")
        return index.methods(name, classes, package, limit=limit, offset=offset)

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
