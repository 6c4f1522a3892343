"""The handler of index_status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...questions.info.answer import IndexInformation
from ...questions.info.text import information_text
from ..budget import budget_of, fitting, left_out, most_that_fit
from ..running.call import this_call
from ..vocabulary import Reply

ANSWERS = (IndexInformation,)


def index_status(arguments: Mapping[str, Any]) -> Reply:
    """Answer index_status."""
    budget = budget_of(arguments)
    call = this_call()
    with call.index() as index:
        answer = index.information()

        def whole() -> Reply:
            return Reply(information_text(answer), answer, call.surroundings.notes())

        def some(most: int) -> Reply:
            shown = replace(
                answer,
                systems=_some(answer.systems, most, "systems"),
                dependencies=_some(answer.dependencies, most, "systems"),
                features=_some(answer.features, most, "features"),
            )
            notes = [
                *call.surroundings.notes(),
                left_out("Names of systems and features were", budget),
            ]
            return Reply(information_text(shown), shown, notes)

        longest = max(len(names) for names in (answer.systems, answer.dependencies, answer.features))
        return fitting([whole, lambda: most_that_fit(some, longest, budget, least=0)], budget)


def _some(names: list[str], most: int, what: str) -> list[str]:
    """The first ``most`` of ``names``, then an item that says how many others were left out."""
    others = len(names) - most
    return names if others <= 0 else [*names[:most], f"{others} {'more ' if most else ''}{what} (left out)"]
