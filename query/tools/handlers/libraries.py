"""The handler of find_library, which asks the catalog."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ...catalog.api import open_catalog
from ...catalog.provides.answer import ProvidesAnswer
from ...catalog.provides.text import provides_text
from ...catalog.search.answer import CatalogSearchAnswer
from ...catalog.search.text import search_text
from ...catalog.show.answer import ReleaseAnswer
from ...catalog.show.text import release_text
from ...index.not_found import NotFound
from ..budget import budget_of, fitting, left_out, most_that_fit, not_found, shortened
from ..limits import LIBRARY_LIMIT
from ..listing import MORE
from ..vocabulary import Reply

ANSWERS = (CatalogSearchAnswer, ProvidesAnswer, ReleaseAnswer, NotFound)
_ASKED = ("query", "name", "release")


def find_library(arguments: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Answer find_library."""
    given = [name for name in _ASKED if arguments.get(name)]
    if len(given) != 1:
        return None, "Give one of: query, name, release."
    asked, budget = str(arguments[given[0]]), budget_of(arguments)
    page = {"limit": arguments.get("limit", LIBRARY_LIMIT), "offset": arguments.get("offset", 0)}
    with open_catalog() as catalog:
        if given == ["release"]:
            return _told(catalog.show(asked), asked, budget, _release)
        if given == ["name"]:
            return _told(catalog.provides(asked, **page), asked, budget, _providers)
        return _told(catalog.search(asked, **page), asked, budget, _matches)


def _told(answer: Any, asked: str, budget: int, told: Callable[[Any, int], Reply]) -> Reply:
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
