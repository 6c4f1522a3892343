"""The handler of describe_class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ...api import Index
from ...index.not_found import NotFound
from ...questions.classes.answer import ClassAnswer
from ...questions.classes.text import class_text
from ..answer import CountsAnswer
from ..budget import left_out
from ..limits import CLASS_LIMIT, PACKAGE
from ..listing import MORE, Listing
from ..vocabulary import Reply

ANSWERS = (ClassAnswer, CountsAnswer, NotFound)


class _Class(Listing[ClassAnswer]):
    limit = CLASS_LIMIT
    noun = "methods on it"

    def ask(self, index: Index, limit: int, offset: int) -> ClassAnswer | NotFound:
        name, package = self.arguments["name"], self.arguments.get("package", PACKAGE)
        return index.class_(name, package, limit=limit, offset=offset)

    def text(self, answer: ClassAnswer) -> str:
        return class_text(answer, MORE)

    def notes(self, answer: ClassAnswer, shown: ClassAnswer) -> Iterator[str]:
        if shown.note:
            yield f"{shown.note}."
        if others := len(answer.slots) - len(shown.slots):
            yield left_out(f"{others} of its {len(answer.slots)} slots were", self.budget)

        if others := len(answer.inherited_methods) - len(shown.inherited_methods):
            yield left_out(f"{others} inherited methods were", self.budget)

    def grades(self, answer: ClassAnswer) -> list[Callable[[], Reply]]:
        """Leave out inherited methods, but their numbers, before anything else."""
        whole, *others = super().grades(answer)
        own = replace(answer, inherited_methods=[])
        return [whole, partial(self.show, answer, own), *others]

    def subject(self, answer: ClassAnswer) -> str:
        return answer.written

    def names(self, answer: ClassAnswer) -> list[str]:
        return [method.package or "no package" for method in answer.methods]

    def length(self, answer: ClassAnswer) -> int:
        return max(len(answer.slots), len(answer.subclasses), len(answer.methods))

    def shorter(self, answer: ClassAnswer, most: int) -> ClassAnswer:
        return replace(
            answer,
            documentation=None,
            slots=[replace(slot, documentation=None) for slot in answer.slots[:most]],
            subclasses=answer.subclasses[:most],
            methods=answer.methods[:most],
            inherited_methods=[],
        )


def describe_class(arguments: Mapping[str, Any]) -> Reply:
    """Answer describe_class."""
    return _Class(arguments).reply()
