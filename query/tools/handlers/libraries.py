"""The handler of find_library, which asks the catalog."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ...catalog.api import open_catalog
from ...catalog.provides.answer import ProvidesAnswer
from ...catalog.provides.parameters import ProvidesParameters
from ...catalog.provides.text import provides_text
from ...catalog.search.answer import CatalogSearchAnswer
from ...catalog.search.parameters import CatalogSearchParameters
from ...catalog.search.text import search_text
from ...catalog.show.answer import ReleaseAnswer
from ...catalog.show.parameters import ShowParameters
from ...catalog.show.text import release_text
from ...index.not_found import NotFound
from ...index.parameters import Parameters
from ..budget import budget_of, fitting, left_out, most_that_fit, not_found, shortened
from ..declared import asked
from ..listing import MORE
from ..vocabulary import Reply

ANSWERS = (CatalogSearchAnswer, ProvidesAnswer, ReleaseAnswer, NotFound)


def find_library(arguments: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Answer find_library."""
    given = [name for name in _QUESTIONS if arguments.get(name)]
    if len(given) != 1:
        return None, "Give exactly one of query, name and release."
    kind, told = _QUESTIONS[given[0]]
    budget = budget_of(arguments)
    with open_catalog() as catalog:
        answer = catalog.ask(asked(kind, arguments))
    return not_found(answer, budget, "") if isinstance(answer, NotFound) else told(answer, budget)


def _release(answer: ReleaseAnswer, budget: int) -> Reply:
    def first(most: int) -> Reply:
        shown = replace(
            answer,
            packages=answer.packages[:most],
            systems=answer.systems[:most],
            dependencies=answer.dependencies[:most],
            dependents=answer.dependents[:most],
            problems=answer.problems[:most],
        )
        return Reply(release_text(shown), shown, [left_out("Further names were", budget)])

    longest = max(
        len(answer.packages),
        len(answer.systems),
        len(answer.dependencies),
        len(answer.dependents),
        len(answer.problems),
    )
    whole = Reply(release_text(answer), answer)
    return fitting([lambda: whole, partial(most_that_fit, first, longest, budget, least=0)], budget)


def _providers(answer: ProvidesAnswer, budget: int) -> Reply:
    def first(most: int) -> Reply:
        shown = replace(answer, name=shortened(answer.name), providers=answer.providers[:most])
        return Reply(provides_text(shown, MORE), shown)

    return most_that_fit(first, len(answer.providers), budget, least=0)


def _matches(answer: CatalogSearchAnswer, budget: int) -> Reply:
    def first(most: int) -> Reply:
        shown = replace(
            answer,
            query=shortened(answer.query),
            understood=shortened(answer.understood),
            matches=answer.matches[:most],
        )
        return Reply(search_text(shown, MORE), shown)

    return most_that_fit(first, len(answer.matches), budget, least=0)


_QUESTIONS: dict[str, tuple[type[Parameters[Any]], Callable[[Any, int], Reply]]] = {
    "query": (CatalogSearchParameters, _matches),
    "name": (ProvidesParameters, _providers),
    "release": (ShowParameters, _release),
}
"""For each parameter, the question that it asks and the function that makes the reply."""
