"""The handler of describe_symbol."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ...index.shown import shown_name
from ...questions.describe.answer import DescribeAnswer
from ...questions.describe.further import further_lines
from ...questions.describe.parameters import DescribeParameters
from ...questions.describe.text import describe_text
from ..answer import DescriptionsAnswer
from ..budget import LEAST_BUDGET, budget_of, most_that_fit, shortened
from ..listing import MORE, Listing
from ..vocabulary import Reply

_FEW, _MANY = 3, 24  # definitions: at least so many of each of several names, and so many of all together


class _Definitions(Listing[DescribeAnswer]):
    question = DescribeParameters
    noun = "definitions"
    items = "definitions"
    counted_by = "kind"
    omitted = ("documentation",)
    omitted_of_items = ("documentation",)

    def text(self, answer: DescribeAnswer) -> str:
        return "\n".join([describe_text(answer), *further_lines(answer)])

    def notes(self, _: DescribeAnswer, shown: DescribeAnswer) -> Iterator[str]:
        return describe_notes(shown)

    def following(self, answer: DescribeAnswer) -> str:
        return "find_references lists its uses." if answer.uses else "symbol_definition shows its text."

    def grades(self, answer: DescribeAnswer) -> list[Callable[[], Reply]]:
        def first(most: int) -> Reply:
            # Where no definition fits, documentation comes before a link.
            link = answer.manual if most else None
            return self.show(answer, replace(answer, definitions=answer.definitions[:most], manual=link))

        length = self.length(answer)
        fewer = [
            partial(most_that_fit, grade, length, self.budget, least=0)
            for grade in (first, partial(self.bare, answer))
        ]
        return [partial(self.show, answer, answer), *fewer]


def describe_symbol(arguments: Mapping[str, Any]) -> Reply:
    """Answer describe_symbol, for one name or several; with ``on``, about the methods that a call reaches."""
    if "on" in arguments:
        from .lists import reached_methods  # few calls need it

        return reached_methods(arguments)
    if "," in arguments["name"]:
        from ...questions.definition.names import split_at_commas  # few names have any

        if len(names := split_at_commas(arguments["name"])) > 1:
            return _several(names, arguments)
    return _Definitions(arguments).reply()


def _several(names: Sequence[str], arguments: Mapping[str, Any]) -> Reply:
    """The descriptions of several names, with fewer definitions each, as long as there is room."""
    budget = budget_of(arguments)
    few = max(_FEW, _MANY // len(names))
    most = min(arguments.get("limit") or few, few)
    replies: list[Reply] = []
    for at, name in enumerate(names):
        room = budget - sum(len(one.text) + len("\n\n") for one in replies)
        if replies and room < LEAST_BUDGET:
            break
        share = max(room // (len(names) - at), LEAST_BUDGET)
        own = {**arguments, "name": name, "limit": most, "max_chars": share}
        replies.append(_Definitions(own).reply(alone=False))
    left_out = list(names[len(replies) :])
    notes = [
        f"{shown_name(name)}: {note}" for name, one in zip(names, replies, strict=False) for note in one.notes
    ]
    if left_out:
        shown = shortened(", ".join(map(shown_name, left_out)))
        notes.append(f"Left out to stay within max_chars={budget}: {shown}.")
    return Reply(
        "\n\n".join(one.text for one in replies),
        DescriptionsAnswer([one.structured for one in replies], left_out),
        notes,
    )


def describe_notes(answer: DescribeAnswer) -> Iterator[str]:
    """The remarks on a description."""
    if answer.note:
        yield f"{answer.note}."
    if answer.value_note:
        yield f"{answer.value_note}."
    if answer.stale_reason:
        yield f"{shown_name(answer.stale_reason)}."
    shown = answer.definitions_offset + len(answer.definitions)
    more = answer.definitions_total - shown
    if more > 0 and not answer.definitions:
        yield f"Its definitions ({answer.definitions_total}) are not shown: use a higher max_chars."
    elif more > 0:
        yield f"For {more} more of its {answer.definitions_total} definitions, {MORE.format(offset=shown)}."
