"""What answers the tools that list: apropos_search, search_documentation, describe_package, index_status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ...index.not_found import NotFound, not_found_text
from ...questions.apropos.answer import AproposAnswer
from ...questions.apropos.text import apropos_text
from ...questions.info.text import information_text
from ...questions.package.answer import PackageAnswer
from ...questions.package.text import package_text
from ...questions.search.answer import SearchAnswer
from ...questions.search.text import search_text
from ..budget import (
    DEFAULT_BUDGET,
    MOST_BUDGET,
    counted,
    fitting,
    fitting_list,
    left_out,
    most_that_fit,
    shortened,
)
from ..running.call import this_call
from ..vocabulary import Reply

MORE = "call again with offset={offset}"
APROPOS_LIMIT = 200
SEARCH_LIMIT = 20
EXPORTS_LIMIT = 200


def not_found(answer: NotFound, budget: int) -> Reply:
    """A negative answer: an answer, not a failure."""
    short = shortened_negative(answer)
    grades = (answer, replace(short, suggestions=answer.suggestions), short)
    return fitting([partial(_negative, grade) for grade in grades], budget)


def _negative(answer: NotFound) -> Reply:
    return Reply(not_found_text(answer), answer)


def shortened_negative(answer: NotFound) -> NotFound:
    """``answer`` without suggestions, and with what it repeats shortened."""
    reason = shortened(answer.reason) if answer.reason else None
    return replace(answer, message=shortened(answer.message), reason=reason, suggestions=[])


def budget_of(arguments: Mapping[str, Any]) -> int:
    """How many characters the answer may have."""
    return min(int(arguments.get("max_chars", DEFAULT_BUDGET)), MOST_BUDGET)


def apropos_search(arguments: Mapping[str, Any]) -> Reply:
    """Answer apropos_search."""
    budget = budget_of(arguments)
    with this_call().index() as index:
        ask = partial(
            index.apropos,
            arguments["pattern"],
            arguments.get("package"),
            arguments.get("type"),
            scope=arguments.get("scope", "accessible"),
        )
        answer = ask(limit=arguments.get("limit", APROPOS_LIMIT), offset=arguments.get("offset", 0))
        if isinstance(answer, NotFound):
            return not_found(answer, budget)

        def show(shown: AproposAnswer) -> Reply:
            return Reply(apropos_text(shown, MORE), shown)

        def shorter(most: int) -> AproposAnswer:
            return replace(answer, pattern=shortened(answer.pattern), matches=answer.matches[:most])

        def counts() -> Reply:
            everything = ask(limit=0)
            assert not isinstance(everything, NotFound)
            return counted(
                apropos_text(replace(answer, matches=[])).split("\n")[0],
                arguments["pattern"],
                "matches",
                "package",
                (match.package for match in everything.matches),
                "name a package, a type or a longer pattern, take a lower limit, or a higher max_chars",
                budget,
            )

        return fitting_list(answer, show, shorter, len(answer.matches), "", counts, budget)


def search_documentation(arguments: Mapping[str, Any]) -> Reply:
    """Answer search_documentation."""
    budget = budget_of(arguments)
    with this_call().index() as index:
        ask = partial(index.search, arguments["query"])
        answer = ask(limit=arguments.get("limit", SEARCH_LIMIT), offset=arguments.get("offset", 0))
        if isinstance(answer, NotFound):
            return not_found(answer, budget)

        def show(shown: SearchAnswer) -> Reply:
            return Reply(search_text(shown, MORE), shown)

        def shorter(most: int) -> SearchAnswer:
            return replace(
                answer,
                query=shortened(answer.query),
                understood=shortened(answer.understood),
                matches=[replace(match, summary=None) for match in answer.matches[:most]],
            )

        def counts() -> Reply:
            everything = ask(limit=0)
            assert not isinstance(everything, NotFound)
            return counted(
                search_text(replace(answer, matches=[])).split("\n")[0],
                arguments["query"],
                "matches",
                "package",
                (match.package for match in everything.matches),
                "use more words, take a lower limit, or a higher max_chars",
                budget,
            )

        note = left_out("Documentation was", budget) if answer.matches else ""
        return fitting_list(answer, show, shorter, len(answer.matches), note, counts, budget)


def describe_package(arguments: Mapping[str, Any]) -> Reply:
    """Answer describe_package."""
    budget = budget_of(arguments)
    with this_call().index() as index:
        ask = partial(index.package, arguments["name"])
        answer = ask(limit=arguments.get("limit", EXPORTS_LIMIT), offset=arguments.get("offset", 0))
        if isinstance(answer, NotFound):
            return not_found(answer, budget)

        def show(shown: PackageAnswer) -> Reply:
            return Reply(package_text(shown, MORE), shown)

        def shorter(most: int) -> PackageAnswer:
            exports = [replace(export, summary=None) for export in answer.exports[:most]]
            return replace(answer, documentation=None, exports=exports)

        def counts() -> Reply:
            everything = ask()
            assert not isinstance(everything, NotFound)
            return counted(
                f"Package {answer.name}: {answer.exports_total} exported symbols",
                answer.name,
                "exports",
                "package",
                (export.package for export in everything.exports),
                "take a lower limit, a higher max_chars, or apropos_search with this package",
                budget,
            )

        note = left_out("Documentation was", budget)
        return fitting_list(answer, show, shorter, len(answer.exports), note, counts, budget)


def index_status(arguments: Mapping[str, Any]) -> Reply:
    """Answer index_status."""
    budget = budget_of(arguments)
    call = this_call()
    with call.index() as index:
        answer = index.information()

        def whole() -> Reply:
            return Reply(information_text(answer), answer, call.surroundings.workshop.notes())

        def some(most: int) -> Reply:
            shown = replace(
                answer,
                systems=_some(answer.systems, most, "systems"),
                dependencies=_some(answer.dependencies, most, "systems"),
                features=_some(answer.features, most, "features"),
            )
            notes = [
                *call.surroundings.workshop.notes(),
                left_out("Names of systems and features were", budget),
            ]
            return Reply(information_text(shown), shown, notes)

        longest = max(len(names) for names in (answer.systems, answer.dependencies, answer.features))
        return fitting([whole, lambda: most_that_fit(some, longest, budget, least=0)], budget)


def _some(names: list[str], most: int, what: str) -> list[str]:
    """The first of ``names``, and in the place of the others how many they are."""
    others = len(names) - most
    return names if others <= 0 else [*names[:most], f"{others} {'more ' if most else ''}{what} (left out)"]
