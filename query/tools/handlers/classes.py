"""The handler of describe_class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ...questions.classes.answer import ClassAnswer
from ...questions.classes.compact import class_compact_text
from ...questions.classes.parameters import ClassParameters
from ..budget import left_out
from ..listing import MORE, Listing
from ..vocabulary import Reply


class _Class(Listing[ClassAnswer]):
    question = ClassParameters
    noun = "methods on it"
    items = "methods"
    omitted = ("documentation",)

    def text(self, answer: ClassAnswer) -> str:
        return class_compact_text(answer, MORE)

    def notes(self, answer: ClassAnswer, shown: ClassAnswer) -> Iterator[str]:
        if shown.note:
            yield f"{shown.note}."
        if others := len(answer.slots) - len(shown.slots):
            were = "was" if others == 1 else "were"
            yield left_out(f"{others} of its {len(answer.slots)} slots {were}", self.budget)
        for noun, all_of, rest in (
            ("inherited methods", answer.inherited_methods, shown.inherited_methods),
            ("functions to implement", answer.to_implement, shown.to_implement),
            ("places that make an instance", answer.made_in, shown.made_in),
            ("places that handle it", answer.handled_in, shown.handled_in),
        ):
            if others := len(all_of) - len(rest):
                were = "was" if others == 1 else "were"
                yield left_out(f"{others} of the {noun} {were}", self.budget)

    def following(self, answer: ClassAnswer) -> str:
        return "slot=NAME lists all uses of a slot." if answer.slots else "find_references lists its uses."

    def grades(self, answer: ClassAnswer) -> list[Callable[[], Reply]]:
        """Leave out inherited methods, but their numbers, before anything else."""
        whole, *others = super().grades(answer)
        own = replace(answer, inherited_methods=[])
        return [whole, partial(self.show, answer, own), *others]

    def length(self, answer: ClassAnswer) -> int:
        lists: tuple[Sequence[object], ...] = (
            *(answer.slots, answer.subclasses, answer.methods),
            *(answer.to_implement, answer.made_in, answer.handled_in),
        )
        return max(map(len, lists))

    def shorter(self, answer: ClassAnswer, most: int) -> ClassAnswer:
        shorter: ClassAnswer = super().shorter(answer, most)
        return replace(
            shorter,
            slots=[replace(slot, documentation=None) for slot in answer.slots[:most]],
            subclasses=answer.subclasses[:most],
            inherited_methods=[],
            to_implement=answer.to_implement[:most],
            made_in=answer.made_in[:most],
            handled_in=answer.handled_in[:most],
        )


def describe_class(arguments: Mapping[str, Any]) -> Reply:
    """Answer describe_class; with a ``slot``, about the places of that slot."""
    if arguments.get("slot") is not None:
        from .lists import slot_places  # few calls need it

        return slot_places(arguments)
    return _Class(arguments).reply()
